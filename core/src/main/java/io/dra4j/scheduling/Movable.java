package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A running pod that may be moved: stopped, and started again with other devices, on the same node
 * or on another one. Pods that share a claim are moved together, as one of these.
 *
 * @param name how messages name the pod
 * @param claims the claims that it uses, all of them with an allocation
 * @param nodes where it may run
 * @param cost what it costs to move it; 0 or more, in any unit
 */
public record Movable(String name, List<ResourceClaim> claims, Predicate<Node> nodes, double cost) {

  /**
   * Checks the claims and the cost. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a claim has no allocation, or the cost is negative or not a
   *     number
   */
  public Movable {
    Objects.requireNonNull(name, "Movable.name: want a name, got null");
    claims = List.copyOf(claims);
    Objects.requireNonNull(nodes, "Movable.nodes: want a predicate, got null");
    if (!(cost >= 0) || Double.isInfinite(cost)) {
      throw new IllegalArgumentException("Movable.cost: want 0 or more, got " + cost);
    }
    for (ResourceClaim claim : claims) {
      if (claim.allocation() == null) {
        throw new IllegalArgumentException(
            "Movable.claims: want allocated claims, got the pending " + claim.displayName());
      }
    }
  }

  /**
   * Finds the pods of a run that ran before it: all of their claims were allocated. Pods that share
   * claims are one, and so is an allocated claim that no pod uses.
   *
   * @param outcome what came of the run
   * @param cost what it costs to move a pod, by its name
   * @return the pods, in the order of the run, then the claims
   */
  public static List<Movable> running(ClusterOutcome outcome, ToDoubleFunction<String> cost) {
    Map<ClaimKey, List<PodToPlace>> users = new LinkedHashMap<>();
    Set<ClaimKey> fixed = new HashSet<>(); // of pods that did not run, too
    for (PodOutcome pod : outcome.pods()) {
      boolean ran = pod instanceof PodOutcome.Placed placed && placed.allocations().isEmpty();
      for (ClaimKey key : pod.pod().claims()) {
        users.computeIfAbsent(key, any -> new ArrayList<>()).add(pod.pod());
        if (!ran) {
          fixed.add(key);
        }
      }
    }
    List<Movable> movable = new ArrayList<>();
    Set<ClaimKey> seen = new HashSet<>();
    outcome
        .claims()
        .forEach(
            (key, claim) -> {
              Set<ClaimKey> together = new LinkedHashSet<>();
              Set<PodToPlace> pods = new LinkedHashSet<>();
              gather(key, users, together, pods);
              boolean allocated =
                  together.stream()
                      .allMatch(
                          each ->
                              Objects.requireNonNull(outcome.claims().get(each)).allocation()
                                  != null);
              if (seen.addAll(together)
                  && allocated
                  && together.stream().noneMatch(fixed::contains)) {
                movable.add(of(key, together, pods, outcome, cost));
              }
            });
    return List.copyOf(movable);
  }

  private static void gather(
      ClaimKey key,
      Map<ClaimKey, List<PodToPlace>> users,
      Set<ClaimKey> together,
      Set<PodToPlace> pods) {
    Deque<ClaimKey> open = new ArrayDeque<>(List.of(key));
    while (!open.isEmpty()) {
      ClaimKey next = open.remove();
      if (together.add(next)) {
        for (PodToPlace pod : users.getOrDefault(next, List.of())) {
          pods.add(pod);
          open.addAll(pod.claims());
        }
      }
    }
  }

  private static Movable of(
      ClaimKey key,
      Set<ClaimKey> together,
      Set<PodToPlace> pods,
      ClusterOutcome outcome,
      ToDoubleFunction<String> cost) {
    List<String> names =
        pods.isEmpty() ? List.of(key.toString()) : pods.stream().map(PodToPlace::name).toList();
    return new Movable(
        String.join(" and ", names),
        together.stream()
            .map(each -> Objects.requireNonNull(outcome.claims().get(each), "a claim of the run"))
            .toList(),
        node -> pods.stream().allMatch(pod -> pod.selects(node)),
        names.stream().mapToDouble(cost).sum());
  }
}
