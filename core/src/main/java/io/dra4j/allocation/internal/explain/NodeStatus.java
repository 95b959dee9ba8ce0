package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.CounterLedger;
import io.dra4j.allocation.internal.rule.TaintRule;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the status of each device of a node, with the rules for a claim for any one device. */
public final class NodeStatus {

  private static final DeviceClass ANY = DeviceClass.named("any");
  private static final ResourceClaim CLAIM =
      ResourceClaim.named("any").request("any", request -> request.deviceClass("any")).build();

  private final SearchContext context;
  private final PlannedRequest target;
  private final AvailabilityAnalysis supplies;
  private final Availability supply;

  private NodeStatus(SearchContext context) throws RejectedException, BudgetExceededException {
    SearchPosition position = new SearchPosition("before the first device");
    SearchPlan plan = new SearchPlan(context, List.of(CLAIM), position);
    this.context = context;
    this.target = plan.targets.get(0);
    this.supplies = new AvailabilityAnalysis(plan, position);
    this.supply = supplies.of(target);
  }

  /**
   * Returns the status of all devices.
   *
   * @param context the node, without added rules, because these depend on real claims
   */
  public static Map<DeviceId, DeviceStatus> of(SearchContext context)
      throws BudgetExceededException {
    SearchContext asking =
        SearchContext.of(
            context.inventory().apply(List.of(new InventoryEvent.ClassPut(ANY))),
            context.view(),
            context.compiler(),
            context.features(),
            context.fixed(),
            List.of(),
            context.budget());
    try {
      return new NodeStatus(asking).all();
    } catch (RejectedException e) {
      throw new IllegalStateException("a claim without selectors was rejected", e);
    }
  }

  private Map<DeviceId, DeviceStatus> all() throws BudgetExceededException {
    Map<DeviceId, ExcludedDevice> refused = new HashMap<>();
    supply.refused().forEach(device -> refused.put(device.device(), device));
    Map<DeviceId, DeviceStatus> all = new LinkedHashMap<>();
    for (int i = 0; i < context.candidates().size(); i++) {
      context.budget().spend(1);
      NodeDevice candidate = context.candidates().get(i);
      ExcludedDevice refusal = refused.get(candidate.id());
      all.put(candidate.id(), refusal == null ? usable(candidate) : refused(candidate, refusal));
    }
    for (PoolView pool : context.view().pools()) {
      if (!pool.usable()) {
        addAll(pool, all);
      }
    }
    return Collections.unmodifiableMap(all);
  }

  private DeviceStatus usable(NodeDevice candidate) {
    List<ClaimKey> holders = context.inventory().holdersOf(candidate.id());
    return holders.isEmpty() ? new DeviceStatus.Free() : new DeviceStatus.InUse(holders, true);
  }

  private DeviceStatus refused(NodeDevice candidate, ExcludedDevice refusal)
      throws BudgetExceededException {
    switch (refusal.rule()) {
      case USAGE -> {
        return new DeviceStatus.InUse(refusal.holders(), false);
      }
      case CAPACITY -> {
        if (!refusal.holders().isEmpty()) { // the rest may suffice for smaller requests
          return new DeviceStatus.InUse(refusal.holders(), true);
        }
      }
      case TAINTS -> {
        DeviceTaint taint = TaintRule.refusing(target, candidate, context.budget());
        if (taint != null) {
          return new DeviceStatus.Tainted(taint);
        }
      }
      case COUNTERS -> {
        CounterLedger.Exhausted exhausted = supplies.exhaustedFor(candidate);
        if (exhausted != null) {
          return new DeviceStatus.CountersExhausted(exhausted.counter(), exhausted.overdrawn());
        }
      }
      default -> {}
    }
    return new DeviceStatus.Unsuitable(refusal.rule(), refusal.reason());
  }

  private void addAll(PoolView pool, Map<DeviceId, DeviceStatus> all)
      throws BudgetExceededException {
    DeviceStatus status =
        new DeviceStatus.PoolUnusable(pool.id(), pool.incomplete(), pool.problem());
    for (ResourceSlice slice : pool.slicesForNode()) {
      for (Device device : slice.devices()) {
        context.budget().spend(1);
        all.put(slice.idOf(device), status);
      }
    }
  }
}
