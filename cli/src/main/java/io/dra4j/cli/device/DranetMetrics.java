package io.dra4j.cli.device;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.node.NodeCall;
import io.dra4j.runtime.DriverRuntime;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The metrics of DraNet under their original names, added to the runtime's. Thread-safe. */
final class DranetMetrics implements Consumer<NodeCall> {

  private static final Duration[] BUCKETS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final DriverRuntime runtime;
  private final MeterRegistry registry;
  private final AtomicLong published = new AtomicLong();

  /** Adds the metrics to the metrics of a runtime. Create it before the runtime starts. */
  DranetMetrics(DriverRuntime runtime) {
    this.runtime = runtime;
    this.registry = runtime.metrics();
    runtime.addPoolListener((driver, pools) -> published.set(System.currentTimeMillis()));
    Gauge.builder("dranet.driver.last.published.time.seconds", published, at -> at.get() / 1e3)
        .register(registry);
    // A counter only because of its name: the format requires that type for this suffix.
    devices("total", device -> true);
    devices("rdma", device -> DeviceAttribute.of(true).equals(device.attributes().get("rdma")));
  }

  private void devices(String feature, Predicate<Device> filter) {
    FunctionCounter.builder(
            "dranet.driver.published.devices",
            runtime,
            from ->
                from.slices().stream()
                    .flatMap(slice -> slice.devices().stream())
                    .filter(filter)
                    .count())
        .tag("feature", feature)
        .register(registry);
  }

  @Override
  public void accept(NodeCall call) {
    boolean kubelet =
        call.kind() == NodeCall.Kind.PREPARE || call.kind() == NodeCall.Kind.UNPREPARE;
    String name =
        kubelet ? "dranet.driver.dra.plugin.requests" : "dranet.driver.nri.plugin.requests";
    String status =
        switch (call.outcome()) {
          case DONE -> "success";
          case FAILED -> "failed";
          case NOTHING_TO_DO -> "noop";
        };
    registry.counter(name, "method", method(call.kind()), "status", status).increment();
    Timer.Builder time =
        Timer.builder(name + ".latency")
            .tag("method", method(call.kind()))
            .serviceLevelObjectives(BUCKETS);
    (kubelet ? time : time.tag("status", status)).register(registry).record(call.duration());
  }

  private static String method(NodeCall.Kind kind) {
    return switch (kind) {
      case PREPARE -> "PrepareResourceClaims";
      case UNPREPARE -> "UnprepareResourceClaims";
      case RUN_SANDBOX -> "RunPodSandbox";
      case STOP_SANDBOX -> "StopPodSandbox";
      case REMOVE_SANDBOX -> "RemovePodSandbox";
      case CREATE_CONTAINER -> "CreateContainer";
    };
  }
}
