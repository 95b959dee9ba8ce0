package io.dra4j.allocation;

import io.dra4j.allocation.Search.PlacedDevice;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Feature;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns the placed devices of one claim into its {@code status.allocation}. */
final class ResultAssembly {

  private final SearchPlan plan;
  private final Supplier<String> shareIds;

  /**
   * Assembles results.
   *
   * @param shareIds gives each share of a device its ID
   */
  ResultAssembly(SearchPlan plan, Supplier<String> shareIds) {
    this.plan = plan;
    this.shareIds = shareIds;
  }

  /**
   * The allocation of a claim.
   *
   * @param chosen for each request the target that was picked
   * @param devices the devices in the order in which they were placed
   * @throws RejectedException if the nodes on which they can be used cannot be written as one term
   */
  AllocationResult assemble(ClaimPlan claim, List<Target> chosen, List<PlacedDevice> devices)
      throws RejectedException {
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    for (PlacedDevice device : devices) {
      results.add(resultOf(device));
    }
    return AllocationResult.builder()
        .results(results)
        .config(configurations(claim, chosen))
        .nodeSelector(nodeSelector(claim, devices))
        .build();
  }

  private DeviceRequestAllocationResult resultOf(PlacedDevice placed) throws RejectedException {
    Target target = placed.target();
    Candidate candidate = placed.candidate();
    boolean binding = plan.context.has(Feature.DEVICE_BINDING_AND_STATUS);
    return DeviceRequestAllocationResult.of(target.resultName(), candidate.id)
        .adminAccess(target.adminAccess ? true : null)
        .tolerations(target.request.tolerations())
        .bindingConditions(binding ? candidate.device.bindingConditions() : List.of())
        .bindingFailureConditions(binding ? candidate.device.bindingFailureConditions() : List.of())
        .shareId(plan.context.canBeShared(candidate) ? shareIds.get() : null)
        .consumedCapacity(plan.capacity.consumedBy(target, candidate))
        .skipNodeOperations(candidate.published.slice.skipNodeOperations())
        .build();
  }

  /** Those of the classes come first, so that those of the claim override them by convention. */
  private static List<DeviceAllocationConfiguration> configurations(
      ClaimPlan claim, List<Target> chosen) {
    List<DeviceAllocationConfiguration> all = new ArrayList<>();
    Map<String, List<Target>> byClass = new LinkedHashMap<>();
    for (Target target : chosen) {
      String name = target.deviceClass.metadata().name();
      byClass.computeIfAbsent(name, any -> new ArrayList<>()).add(target);
    }
    byClass
        .values()
        .forEach(
            targets -> {
              List<String> requests = targets.stream().map(Target::resultName).toList();
              for (DeviceClassConfiguration config : targets.get(0).deviceClass.config()) {
                all.add(
                    new DeviceAllocationConfiguration(
                        AllocationConfigSource.FROM_CLASS,
                        orEmptyIfAll(requests, chosen),
                        config.opaque()));
              }
            });
    for (DeviceClaimConfiguration config : claim.claim().spec().config()) {
      if (config.requests().isEmpty()
          || chosen.stream().anyMatch(target -> names(config.requests(), target))) {
        all.add(
            new DeviceAllocationConfiguration(
                AllocationConfigSource.FROM_CLAIM,
                orEmptyIfAll(config.requests(), chosen),
                config.opaque()));
      }
    }
    return all;
  }

  /** "Empty means all" is the shorter way to name every request. */
  private static List<String> orEmptyIfAll(List<String> requests, List<Target> chosen) {
    return chosen.stream().allMatch(target -> names(requests, target)) ? List.of() : requests;
  }

  private static boolean names(List<String> requests, Target target) {
    return requests.contains(target.requestName) || requests.contains(target.resultName());
  }

  private @Nullable NodeSelector nodeSelector(ClaimPlan claim, List<PlacedDevice> devices)
      throws RejectedException {
    List<NodeSelectorRequirement> expressions = new ArrayList<>();
    List<NodeSelectorRequirement> fields = new ArrayList<>();
    for (PlacedDevice placed : devices) {
      Candidate candidate = placed.candidate();
      NodeSelection selection =
          candidate.published.perDeviceNodeSelection()
              ? candidate.device.nodeSelection()
              : candidate.published.slice.nodeSelection();
      if (selection.nodeName() != null || candidate.device.bindsToNode()) {
        return NodeSelector.ofNode(plan.context.pools().node.name());
      }
      NodeSelector selector = selection.nodeSelector();
      if (selector != null && selector.terms().size() > 1) {
        throw new RejectedException(
            "create NodeSelector for claim %s: unsupported node selector with %d terms of %s"
                .formatted(claim.claim().displayName(), selector.terms().size(), candidate.id));
      }
      if (selector != null && !selector.terms().isEmpty()) {
        addMissing(selector.terms().get(0).matchExpressions(), expressions);
        addMissing(selector.terms().get(0).matchFields(), fields);
      }
    }
    return expressions.isEmpty() && fields.isEmpty()
        ? null
        : new NodeSelector(List.of(new NodeSelectorTerm(expressions, fields)));
  }

  private static void addMissing(
      List<NodeSelectorRequirement> from, List<NodeSelectorRequirement> to) {
    for (NodeSelectorRequirement requirement : from) {
      if (to.stream().noneMatch(known -> sameCondition(known, requirement))) {
        to.add(requirement);
      }
    }
  }

  private static boolean sameCondition(NodeSelectorRequirement a, NodeSelectorRequirement b) {
    return a.key().equals(b.key())
        && a.operator().equals(b.operator())
        && new HashSet<>(a.values()).equals(new HashSet<>(b.values()));
  }
}
