package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.GenericPodGroup;
import io.dra4j.model.PodGroup;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.GroupForest.Claimless;
import io.dra4j.scheduling.GroupForest.Members;
import io.dra4j.scheduling.GroupForest.Node.Leaf;
import io.dra4j.scheduling.GroupForest.Others;
import io.dra4j.scheduling.PodClaims.Source;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The pods of a queue that belong together: the pods of a PodGroup, or else of one set or job. */
final class PodGangs {

  private final PodGroups groups;
  private final Supplier<Map<ClaimKey, ResourceClaim>> claims;
  private final Map<String, List<PendingPod>> together = new LinkedHashMap<>();
  private final Map<String, PodGroup> groupOf = new LinkedHashMap<>();
  private final Map<String, Long> podsTogether = new HashMap<>(); // including pods without claims
  private final Map<String, List<Claimless>> claimless = new HashMap<>(); // waiting ones
  private final Map<String, Set<String>> nodesOf = new HashMap<>(); // nodes with pods already
  private final Map<String, Set<Integer>> prioritiesOf = new HashMap<>();

  /** Creates an object without pods; {@code claims} returns all claims, when they are known. */
  PodGangs(PodGroups groups, Supplier<Map<ClaimKey, ResourceClaim>> claims) {
    this.groups = groups;
    this.claims = claims;
  }

  /**
   * Records pods that are placed together.
   *
   * @param source the source of the pods
   * @param owner their controller; empty if it is neither a set nor a job
   * @param found the pods that use claims
   * @param all the number of all pods
   */
  void gather(Source source, String owner, List<PendingPod> found, long all) {
    String group = source.spec().podGroupName();
    if (group == null && owner.isEmpty()) {
      return;
    }
    String name = group != null ? "PodGroup " + ClaimKey.of(source.metadata(), group) : owner;
    podsTogether.merge(name, all, Long::sum);
    if (all > 0) {
      prioritiesOf.computeIfAbsent(name, any -> new TreeSet<>()).add(source.spec().priority());
    }
    if (!source.spec().nodeName().isEmpty() && all > 0) {
      nodesOf.computeIfAbsent(name, any -> new LinkedHashSet<>()).add(source.spec().nodeName());
    }
    PodGroup known = groups.find(source);
    if (known != null) {
      groupOf.put(name, known);
    }
    if (!found.isEmpty()) {
      together.computeIfAbsent(name, any -> new ArrayList<>()).addAll(found);
      groups.noteIfMissing(source);
    }
  }

  /**
   * Records waiting pods of a PodGroup that use no claims, after {@link #gather}.
   *
   * @param group the name of the PodGroup
   * @param pod one of the pods
   * @param count the number of pods
   */
  void gatherClaimless(Source source, String group, PendingPod pod, long count) {
    claimless
        .computeIfAbsent(
            "PodGroup " + ClaimKey.of(source.metadata(), group), any -> new ArrayList<>())
        .add(new Claimless(source.object(), pod, count));
  }

  /** Sorts the pods, and reports missing parents. */
  void finish(Comparator<PendingPod> order) {
    together.values().forEach(members -> members.sort(order));
    groupOf.forEach(
        (name, group) -> {
          if (together.containsKey(name)) {
            groups.noteIfParentIsMissing(group);
          } else if (claimless.containsKey(name) && !together.isEmpty()) {
            groups.noteIfUnchecked(group);
          }
        });
  }

  /** All gangs; a group of groups is one. */
  List<Gang> gangs() {
    return nodes(false, false).stream().map(GroupForest.Node::gang).toList();
  }

  /**
   * The groups of pods that are placed together, optionally without sets and jobs. For a PodGroup
   * these are its waiting pods, and the number of pods is the number that is missing on nodes.
   */
  List<GroupForest.Node> nodes(boolean onlyPodGroups) {
    return nodes(onlyPodGroups, true);
  }

  private List<GroupForest.Node> nodes(boolean onlyPodGroups, boolean onlyWaiting) {
    List<GroupForest.Node> nodes = new ArrayList<>();
    if (!onlyPodGroups) {
      together.forEach(
          (name, members) -> {
            if (!groupOf.containsKey(name)) {
              nodes.add(
                  new Leaf(
                      new Gang(name, members, members.size(), List.of()), false, Set.of(), true));
            }
          });
    }
    GroupForest forest =
        new GroupForest(
            groups,
            group -> membersOf(group, onlyWaiting),
            pods -> Gang.areOfOneKind(pods, claims.get()));
    nodes.addAll(forest.roots(List.copyOf(groupOf.values())));
    return nodes;
  }

  /** The groups of a pod whose nodes must agree in labels: its PodGroup, and those above it. */
  List<GenericPodGroup> withTopology(RunningPod pod) {
    String name = pod.spec().podGroupName();
    return name == null ? List.of() : groups.withTopology(new ClaimKey(pod.namespace(), name));
  }

  private Members membersOf(PodGroup group, boolean onlyWaiting) {
    String name = PodGroups.nameOf(group);
    List<PendingPod> pods = together.getOrDefault(name, List.of());
    long others = podsTogether.getOrDefault(name, 0L) - pods.size(); // these use no claims
    long minCount = Objects.requireNonNullElse(group.minCount(), 1) - others;
    if (onlyWaiting) {
      List<PendingPod> toPlace = pods.stream().filter(PodGangs::waits).toList();
      minCount -= pods.size() - toPlace.size();
      pods = toPlace;
    }
    List<Claimless> waiting = claimless.getOrDefault(name, List.of());
    long required = minCount + waiting.stream().mapToLong(Claimless::count).sum();
    return new Members(
        pods,
        (int) Math.max(0, minCount),
        nodesOf.getOrDefault(name, Set.of()),
        prioritiesOf.getOrDefault(name, Set.of()),
        new Others(waiting, required));
  }

  private static boolean waits(PendingPod pod) {
    return pod.spec().nodeName().isEmpty();
  }
}
