package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodController;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Pods that are placed together: the pods of a stateful set or a job, of a PodGroup that is a gang,
 * or of the PodGroups of a CompositePodGroup.
 *
 * @param name the name of the gang in messages: its kind, then {@code namespace/name}
 * @param pods its pods, in their order
 * @param minCount the least number of pods that must fit together, 1 or more; if fewer fit, no pod
 *     is placed
 * @param topologyKeys node labels; all nodes of the gang must have equal values of each
 */
public record Gang(String name, List<PendingPod> pods, int minCount, List<String> topologyKeys) {

  /**
   * Copies the lists; refuses null. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code minCount} is less than 1
   */
  public Gang {
    Objects.requireNonNull(name, "name");
    pods = List.copyOf(Objects.requireNonNull(pods, "pods"));
    if (minCount < 1) {
      throw new IllegalArgumentException("Gang.minCount: expected 1 or more, found " + minCount);
    }
    Objects.requireNonNull(topologyKeys, "topologyKeys");
    topologyKeys = List.copyOf(topologyKeys);
  }

  /**
   * {@return whether the pods of a controller are a gang in a run with gangs: those of a
   * StatefulSet and of any kind of job are}
   *
   * @param controller the controller
   */
  public static boolean isMadeBy(PodController controller) {
    return PodOwner.of(Objects.requireNonNull(controller, "controller")).isGang();
  }

  /**
   * {@return the first pods with their claims, in order, as the members of a {@link
   * io.dra4j.placement.gang.GangPlacement}; pods that may run on the same nodes have equal
   * predicates}
   *
   * @param count the number of pods, at most the size of the gang
   * @param claims all claims of the pods
   * @param among the candidate nodes; the specification of each pod limits its nodes further
   */
  public List<GangMember> members(
      int count, Map<ClaimKey, ResourceClaim> claims, Predicate<Node> among) {
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(among, "among");
    Map<PodNodeFilters.Key, Predicate<Node>> predicates = new HashMap<>();
    return membersOn(
        count,
        claims,
        pod ->
            predicates.computeIfAbsent(
                PodNodeFilters.Key.of(pod.spec()),
                key -> {
                  PodNodeFilters rules = new PodNodeFilters(key);
                  return node -> among.test(node) && rules.allows(node);
                }));
  }

  /** Returns the first pods with their claims, with separate candidate nodes for each pod. */
  List<GangMember> membersOn(
      int count,
      Map<ClaimKey, ResourceClaim> claims,
      Function<PendingPod, Predicate<Node>> nodesOf) {
    return membersOf(pods.subList(0, count), claims, nodesOf);
  }

  /** Returns pods with their claims and nodes. */
  static List<GangMember> membersOf(
      List<PendingPod> pods,
      Map<ClaimKey, ResourceClaim> claims,
      Function<PendingPod, Predicate<Node>> nodesOf) {
    List<GangMember> members = new ArrayList<>();
    for (PendingPod pod : pods) {
      members.add(
          new GangMember(
              pod.name(),
              pod.claims().stream()
                  .map(key -> Objects.requireNonNull(claims.get(key), () -> "no claim " + key))
                  .toList(),
              nodesOf.apply(pod)));
    }
    return members;
  }

  /**
   * Returns the kind of each pod, which determines where it fits: its candidate nodes and the
   * requests of its claims. Pods of one kind are interchangeable. A claim that has devices, or that
   * several of the pods use, is equal only to itself.
   *
   * @param nodesOf returns a value that identifies the candidate nodes of a pod
   */
  static Map<PendingPod, Object> kinds(
      List<PendingPod> pods, Map<ClaimKey, ResourceClaim> claims, Function<PendingPod, ?> nodesOf) {
    Map<ClaimKey, Integer> users = new HashMap<>();
    pods.forEach(pod -> pod.claims().forEach(key -> users.merge(key, 1, Integer::sum)));
    Map<PendingPod, Object> kinds = new HashMap<>();
    for (PendingPod pod : pods) {
      List<Object> kind = new ArrayList<>();
      kind.add(nodesOf.apply(pod));
      for (ClaimKey key : pod.claims()) {
        ResourceClaim claim = claims.get(key);
        boolean isShared = users.getOrDefault(key, 0) > 1;
        kind.add(claim == null || claim.allocation() != null || isShared ? key : claim.spec());
      }
      kinds.put(pod, kind);
    }
    return kinds;
  }

  /** Whether all pods are of one kind by their specifications and claims. */
  static boolean areOfOneKind(List<PendingPod> pods, Map<ClaimKey, ResourceClaim> claims) {
    return areOfOneKind(pods, claims, pod -> PodNodeFilters.Key.of(pod.spec()));
  }

  /** Whether all pods are of one kind, so that if a number of them fit, the first ones fit. */
  static boolean areOfOneKind(
      List<PendingPod> pods, Map<ClaimKey, ResourceClaim> claims, Function<PendingPod, ?> nodesOf) {
    return new HashSet<>(kinds(pods, claims, nodesOf).values()).size() <= 1;
  }
}
