package io.dra4j.scheduling;

import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.persistent.PersistentMap;
import io.dra4j.scheduling.RunningPods.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes that have too little left of a resource that the pod requests, or no room for more
 * pods: kube-scheduler's plugin {@code NodeResourcesFit}. If a node does not have an extended
 * resource of a device class, devices provide it. A node without {@code status.allocatable} has
 * unknown resources and is not refused.
 */
final class NodeResourcesFit implements PodFilter {

  private final Map<String, Long> requests;
  private final PersistentMap<String, Load> loads;
  private final ExtendedResources extended;

  NodeResourcesFit(PodSpec spec, RunningPods running) {
    this.requests = PodRequests.of(spec);
    this.loads = running.loads();
    this.extended = running.extended();
  }

  @Override
  public boolean looksAtNodeAlone() {
    return true;
  }

  @Override
  public @Nullable NodeMismatch mismatch(Node node) {
    Map<String, Quantity> allocatable = node.allocatable();
    if (allocatable.isEmpty()) {
      return null;
    }
    Load known = loads.get(node.name());
    Load load = known == null ? Load.NONE : known;
    List<String> lacking = new ArrayList<>();
    if (load.pods() + 1 > units(allocatable, PodRequests.PODS)) {
      lacking.add(PodRequests.PODS);
    }
    requests.forEach(
        (name, amount) -> {
          boolean isOfDevices = units(allocatable, name) == 0 && extended.contains(name);
          if (!isOfDevices && isTooMuch(node, load, name, amount)) {
            lacking.add(name);
          }
        });
    return lacking.isEmpty() ? null : new NodeMismatch.Insufficient(List.copyOf(lacking));
  }

  /** Whether a node has less of a resource left than an amount, in the units of the resource. */
  static boolean isTooMuch(Node node, Load load, String resource, long amount) {
    return amount
        > units(node.allocatable(), resource) - load.requests().getOrDefault(resource, 0L);
  }

  static long units(Map<String, Quantity> amounts, String resource) {
    Quantity amount = amounts.get(resource);
    return amount == null ? 0 : PodRequests.units(resource, amount);
  }
}
