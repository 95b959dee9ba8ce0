package io.dra4j.runtime;

import io.dra4j.allocation.Allocator;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.runtime.internal.call.DriverCalls;
import io.dra4j.runtime.internal.call.Gauges;
import io.dra4j.runtime.internal.device.DrawnCounters;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.spi.publish.DevicePool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a runtime, created from its options and connected, but not started. */
final class RuntimeParts {

  final List<DriverSlot> slots;
  final DriverCalls calls;
  final CallRunner runner = new CallRunner();
  final ClaimKeeper keeper;
  final ClaimLocks locks;
  final ClaimRecovery recovery;
  final Claims claims;
  final OfferedPools offered;
  final LocalClaims local;
  final Discovery discovery;
  final HealthReport report;
  final PrometheusMeterRegistry prometheus;
  final Gauges gauges;
  final ChangeListeners listeners = new ChangeListeners();
  final ClaimEvents events = new ClaimEvents();
  final PoolNames names;
  final HeldPools pools;

  RuntimeParts(RuntimeOptions options) {
    this.prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MeterRegistry given = options.metrics;
    this.gauges = new Gauges(given == null ? prometheus : given);
    this.calls = new DriverCalls(options.callLimit, gauges);
    Map<String, DriverSlot> byName = new LinkedHashMap<>();
    this.names = new PoolNames(options.node, byName);
    this.pools = new HeldPools(names);
    this.keeper = new ClaimKeeper(calls, options.callLimit, events, pools);
    options.drivers.forEach(
        (name, driver) -> byName.put(name, new DriverSlot(driver, name, options.node, pools)));
    this.slots = List.copyOf(byName.values());
    HeldDevices held =
        new HeldDevices(names, new DrawnCounters(publishedBy(byName)), keeper::claims);
    this.locks = new ClaimLocks(runner, options.patience());
    ClaimTransactions transactions =
        new ClaimTransactions(slots, keeper, held, locks, options.patience());
    this.recovery = new ClaimRecovery(byName, keeper, transactions, runner);
    this.discovery = discovery(options);
    this.claims = new Claims(keeper, transactions, recovery, events, discovery::request);
    this.offered = new OfferedPools(options.node, slots, listeners);
    this.local = new LocalClaims(allocation(options, held), runner, locks, claims, offered);
    this.report = new HealthReport(slots, calls, runner, keeper, recovery, discovery);
    listeners.slices.add((driver, slices) -> recovery.devicesChanged());
    for (String state : List.of("prepared", "attached", "pending", "damaged")) {
      gauges.add(
          "dra4j.claims",
          Tags.of("state", state),
          keeper,
          one -> one.counts().getOrDefault(state, 0L));
    }
    gauges.add("dra4j.store.quarantined", Tags.empty(), report, one -> one.quarantined().size());
  }

  private static DrawnCounters.Published publishedBy(Map<String, DriverSlot> slots) {
    return new DrawnCounters.Published() {
      @Override
      public @Nullable Device device(DeviceId id) {
        DriverSlot slot = slots.get(id.driver());
        return slot == null ? null : slot.device(id);
      }

      @Override
      public @Nullable DevicePool pool(String driver, String pool) {
        DriverSlot slot = slots.get(driver);
        return slot == null ? null : slot.pools().get(pool);
      }
    };
  }

  private @Nullable LocalAllocation allocation(RuntimeOptions options, HeldDevices held) {
    SelectorCompiler selectors = options.selectors;
    if (selectors == null) {
      return null;
    }
    Allocator allocator = Allocator.builder().selectors(selectors).build();
    return new LocalAllocation(allocator, options.node, options.deviceClasses, keeper, held);
  }

  private Discovery discovery(RuntimeOptions options) {
    return new Discovery(
        new Discovery.Source(options.host, options.readers(), options.watchers()),
        slots,
        new DriverDiscovery.Shared(keeper, calls, gauges, listeners, names),
        options.node,
        new Discovery.Times(options.quiet, options.pause, options.period, options.healthPeriod),
        recovery::takeBackLater);
  }
}
