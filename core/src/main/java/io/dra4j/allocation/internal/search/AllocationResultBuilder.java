package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.search.Search.PlacedDevice;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds the {@code status.allocation} of one claim from its placed devices. */
public final class AllocationResultBuilder {

  private static final Quantity NOTHING = Quantity.of(0);
  private static final int CAPACITIES_PER_UNIT = 64;

  private final SearchContext context;
  private final Supplier<String> shareIds;

  /**
   * Creates a builder.
   *
   * @param shareIds returns the ID of each share of a device
   */
  public AllocationResultBuilder(SearchContext context, Supplier<String> shareIds) {
    this.context = context;
    this.shareIds = shareIds;
  }

  /**
   * Returns the allocation of a claim.
   *
   * @param chosen the chosen target of each request
   * @param devices the devices in the order in which they were placed
   * @throws RejectedException if the nodes on which the devices can be used cannot be expressed as
   *     one term
   * @throws BudgetExceededException if the budget is used up
   */
  public AllocationResult assemble(
      ClaimPlan claim, List<PlannedRequest> chosen, List<PlacedDevice> devices)
      throws RejectedException, BudgetExceededException {
    List<DeviceRequestAllocationResult> results = new ArrayList<>(devices.size());
    Map<String, PlannedRequest> named = named(claim);
    for (PlacedDevice device : devices) {
      PlannedRequest target = device.target();
      PlannedRequest first =
          named.isEmpty() ? target : named.getOrDefault(target.resultName(), target);
      results.add(resultOf(device, first.request.tolerations()));
    }
    return AllocationResult.builder()
        .results(results)
        .config(configurations(claim, chosen))
        .nodeSelector(nodeSelector(claim, devices))
        .build();
  }

  /**
   * The first request with each name, if there are several requests. The reference looks up
   * tolerations by name, also in claims that no API server accepts because two requests have one
   * name.
   */
  private static Map<String, PlannedRequest> named(ClaimPlan claim) {
    if (claim.requests().size() == 1) {
      return Map.of(); // the common case
    }
    Map<String, PlannedRequest> named = new HashMap<>();
    for (ClaimPlan.RequestPlan request : claim.requests()) {
      request.alternatives().forEach(target -> named.putIfAbsent(target.resultName(), target));
    }
    return named;
  }

  private DeviceRequestAllocationResult resultOf(
      PlacedDevice placed, List<DeviceToleration> tolerations)
      throws RejectedException, BudgetExceededException {
    PlannedRequest target = placed.target();
    NodeDevice candidate = placed.candidate();
    boolean binding = context.has(Feature.DEVICE_BINDING_AND_STATUS);
    return DeviceRequestAllocationResult.of(target.resultName(), candidate.id())
        .adminAccess(target.adminAccess ? true : null)
        .tolerations(tolerations)
        .bindingConditions(binding ? candidate.device().bindingConditions() : List.of())
        .bindingFailureConditions(
            binding ? candidate.device().bindingFailureConditions() : List.of())
        .shareId(context.canBeShared(candidate) ? nextShareId() : null)
        .consumedCapacity(consumedBy(target, candidate))
        .skipNodeOperations(candidate.slice().skipNodeOperations())
        .build();
  }

  private String nextShareId() {
    return Objects.requireNonNull(shareIds.get(), "shareIds answered null");
  }

  /** The amounts that a share of the device consumes, by capacity name; empty for other devices. */
  private Map<String, Quantity> consumedBy(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Quantity @Nullable [] consumption =
        context.canBeShared(candidate) ? target.consumptionOf(candidate) : null;
    if (consumption == null) {
      return Map.of();
    }
    boolean nothing = target.adminAccess && context.fixes(Quirk.ADMIN_ACCESS_IS_COUNTED);
    Map<String, Quantity> byName = new LinkedHashMap<>();
    for (int i = 0; i < consumption.length; i++) {
      BudgetTicks.spend(context.budget(), i, CAPACITIES_PER_UNIT);
      if (context.isHidden(candidate, i)) {
        continue;
      }
      byName.put(candidate.capacityNames().get(i), nothing ? NOTHING : consumption[i]);
    }
    return byName;
  }

  /**
   * The configurations of the classes come first, so that the claim overrides them by convention.
   */
  private List<DeviceAllocationConfiguration> configurations(
      ClaimPlan claim, List<PlannedRequest> chosen) throws BudgetExceededException {
    if (claim.claim().spec().config().isEmpty() && !isConfigured(chosen)) {
      return List.of(); // the common case
    }
    List<DeviceAllocationConfiguration> all = new ArrayList<>();
    Map<String, List<PlannedRequest>> byClass = new LinkedHashMap<>();
    for (PlannedRequest target : chosen) {
      context.budget().spend(1);
      String name = target.deviceClass.metadata().name();
      byClass.computeIfAbsent(name, any -> new ArrayList<>()).add(target);
    }
    for (List<PlannedRequest> targets : byClass.values()) {
      List<DeviceClassConfiguration> configs = targets.get(0).deviceClass.config();
      if (!configs.isEmpty()) {
        List<String> requests =
            orEmptyIfAll(targets.stream().map(PlannedRequest::resultName).toList(), chosen);
        for (DeviceClassConfiguration config : configs) {
          context.budget().spend(1);
          all.add(
              new DeviceAllocationConfiguration(
                  AllocationConfigSource.FROM_CLASS, requests, config.opaque()));
        }
      }
    }
    for (DeviceClaimConfiguration config : claim.claim().spec().config()) {
      context.budget().spend(1);
      if (config.requests().isEmpty() || namesAny(config.requests(), chosen)) {
        all.add(
            new DeviceAllocationConfiguration(
                AllocationConfigSource.FROM_CLAIM,
                orEmptyIfAll(config.requests(), chosen),
                config.opaque()));
      }
    }
    return all;
  }

  private boolean isConfigured(List<PlannedRequest> chosen) throws BudgetExceededException {
    for (PlannedRequest target : chosen) {
      context.budget().spend(1);
      if (!target.deviceClass.config().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** "Empty means all" is the shorter way to name every request. */
  private List<String> orEmptyIfAll(List<String> requests, List<PlannedRequest> chosen)
      throws BudgetExceededException {
    Set<String> names = new HashSet<>(requests);
    for (PlannedRequest target : chosen) {
      context.budget().spend(1);
      if (!names(names, target)) {
        return requests;
      }
    }
    return List.of();
  }

  private boolean namesAny(List<String> requests, List<PlannedRequest> chosen)
      throws BudgetExceededException {
    Set<String> names = new HashSet<>(requests);
    for (PlannedRequest target : chosen) {
      context.budget().spend(1);
      if (names(names, target)) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(Set<String> requests, PlannedRequest target) {
    return requests.contains(target.requestName) || requests.contains(target.resultName());
  }

  private @Nullable NodeSelector nodeSelector(ClaimPlan claim, List<PlacedDevice> devices)
      throws RejectedException, BudgetExceededException {
    if (!devices.isEmpty() && isOfOneNode(devices.get(0).candidate())) {
      return NodeSelector.ofNode(context.view().node().name()); // the common case
    }
    Map<Condition, NodeSelectorRequirement> expressions = new LinkedHashMap<>();
    Map<Condition, NodeSelectorRequirement> fields = new LinkedHashMap<>();
    for (PlacedDevice placed : devices) {
      NodeDevice candidate = placed.candidate();
      if (isOfOneNode(candidate)) {
        return NodeSelector.ofNode(context.view().node().name());
      }
      NodeSelector selector = candidate.nodeSelection().nodeSelector();
      if (selector != null && selector.terms().size() > 1) {
        throw new RejectedException(
            RejectionReason.SLICE,
            "create NodeSelector for claim %s: unsupported node selector with %d terms of %s"
                .formatted(claim.claim().displayName(), selector.terms().size(), candidate.id()));
      }
      if (selector != null && !selector.terms().isEmpty()) {
        addMissing(selector.terms().get(0).matchExpressions(), expressions);
        addMissing(selector.terms().get(0).matchFields(), fields);
      }
    }
    return expressions.isEmpty() && fields.isEmpty()
        ? null
        : new NodeSelector(
            List.of(
                new NodeSelectorTerm(
                    List.copyOf(expressions.values()), List.copyOf(fields.values()))));
  }

  private static boolean isOfOneNode(NodeDevice candidate) {
    return candidate.nodeSelection().nodeName() != null || candidate.device().bindsToNode();
  }

  private void addMissing(
      List<NodeSelectorRequirement> from, Map<Condition, NodeSelectorRequirement> to)
      throws BudgetExceededException {
    for (NodeSelectorRequirement requirement : from) {
      context.budget().spend(1 + requirement.values().size());
      to.putIfAbsent(Condition.of(requirement), requirement);
    }
  }

  /** The key of a requirement; the order of its values does not matter. */
  private record Condition(String key, NodeSelectorOperator operator, Set<String> values) {
    static Condition of(NodeSelectorRequirement requirement) {
      return new Condition(
          requirement.key(), requirement.operator(), new HashSet<>(requirement.values()));
    }
  }
}
