package io.dra4j.scheduling;

import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.GenericPodGroup;
import io.dra4j.model.PodGroup;
import io.dra4j.model.WorkloadReference;
import io.dra4j.scheduling.GroupForest.Node.Composite;
import io.dra4j.scheduling.GroupForest.Node.Leaf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Joins PodGroups by their CompositePodGroups, as kube-scheduler does with the gate {@code
 * CompositePodGroup}. A gang needs room for a minimum number of its children together, any other
 * group for one child. All of them must be within one domain of the topology of the group. Source:
 * {@code pkg/scheduler/algorithm_podgroup.go} and {@code schedule_one_podgroup.go} of {@code
 * k8s.io/kubernetes} v1.38.0-beta.0.
 */
final class GroupForest {

  /** PodGroups and the groups above them are at most so many levels. */
  static final int MAX_DEPTH = 4;

  /**
   * Waiting pods of a group that use no claims, all of one object.
   *
   * @param object the name of the object in messages
   * @param pod one of the pods
   * @param count the number of pods
   */
  record Claimless(String object, PendingPod pod, long count) {}

  /**
   * Waiting pods of a group that use no claims. They count for the group if they fit.
   *
   * @param pods the pods by object
   * @param required the number of waiting pods, with claims or without, that must fit together
   */
  record Others(List<Claimless> pods, long required) {

    static final Others NONE = new Others(List.of(), 0);

    Others {
      pods = List.copyOf(pods);
    }
  }

  /** Pods that are placed together, or groups of them. */
  sealed interface Node {

    /** How messages name it: its kind, {@code namespace/name}. */
    String name();

    /** All pods that are placed with it, in their order. */
    List<PendingPod> pods();

    /** How many pods have to be placed for it to be, at the least. */
    int fewestPods();

    /** Whether it counts as placed for its parent already, by pods that need no placement. */
    boolean isMet();

    /** The names of the nodes with running pods of the group, including pods without claims. */
    Set<String> isOn();

    /** The pods as one gang, for callers that only need the pods that belong together. */
    Gang gang();

    /**
     * Pods that are placed by one plan.
     *
     * @param gang the pods
     * @param isMet whether its pods on nodes are enough
     * @param isOn the nodes on which other pods of it are already
     * @param isAny whether any pods are enough; if not, the first ones have to be among them
     * @param others its pods without claims
     */
    record Leaf(Gang gang, boolean isMet, Set<String> isOn, boolean isAny, Others others)
        implements Node {

      /** Creates a leaf without pods that use no claims. */
      Leaf(Gang gang, boolean isMet, Set<String> isOn, boolean isAny) {
        this(gang, isMet, isOn, isAny, Others.NONE);
      }

      public Leaf {
        isOn = Set.copyOf(isOn);
      }

      @Override
      public String name() {
        return gang.name();
      }

      @Override
      public List<PendingPod> pods() {
        return gang.pods();
      }

      @Override
      public int fewestPods() {
        return gang.minCount();
      }
    }

    /**
     * Groups that are placed one after the other, so many of them or none.
     *
     * @param topologyKeys node labels in whose value all nodes of all groups have to agree
     * @param required how many of the children have to be placed at a time
     * @param children those with pods to place, in their order
     * @param flaw why kube-scheduler never places it; empty if it may
     * @param isOn the nodes on which pods of all of its children are already
     */
    record Composite(
        String name,
        List<String> topologyKeys,
        int required,
        List<Node> children,
        String flaw,
        Set<String> isOn)
        implements Node {

      public Composite {
        topologyKeys = List.copyOf(topologyKeys);
        children = List.copyOf(children);
        isOn = Set.copyOf(isOn);
      }

      @Override
      public List<PendingPod> pods() {
        return children.stream().flatMap(child -> child.pods().stream()).toList();
      }

      @Override
      public int fewestPods() {
        return children.stream()
            .filter(child -> !child.isMet())
            .map(Node::fewestPods)
            .sorted()
            .limit(Math.max(0, required - children.stream().filter(Node::isMet).count()))
            .mapToInt(Integer::intValue)
            .sum();
      }

      @Override
      public Gang gang() {
        return new Gang(name, pods(), Math.max(1, fewestPods()), topologyKeys);
      }

      @Override
      public boolean isMet() {
        return children.stream().filter(Node::isMet).count() >= required;
      }
    }
  }

  private final PodGroups groups;
  private final Function<PodGroup, Members> membersOf;
  private final Predicate<List<PendingPod>> areOfOneKind;

  /**
   * The pods of a PodGroup that are to be placed.
   *
   * @param pods the pods
   * @param minCount so many of them have to be placed at a time; 0 or less if pods that need no
   *     placement are enough
   * @param isOn the names of the nodes on which other pods of the group are
   * @param priorities the priorities of all pods of the group
   * @param others its waiting pods without claims, which {@code minCount} does not include
   */
  record Members(
      List<PendingPod> pods,
      int minCount,
      Set<String> isOn,
      Set<Integer> priorities,
      Others others) {}

  /**
   * What is to be placed of a group.
   *
   * @param node its pods; empty if none has to be placed
   * @param isMet whether it counts as placed already
   * @param isOn the names of the nodes on which pods of it are already
   */
  private record Part(Optional<Node> node, boolean isMet, Set<String> isOn) {}

  /**
   * Begins with the groups.
   *
   * @param membersOf the pods of a group that are to be placed
   * @param areOfOneKind whether pods can take each other's place
   */
  GroupForest(
      PodGroups groups,
      Function<PodGroup, Members> membersOf,
      Predicate<List<PendingPod>> areOfOneKind) {
    this.groups = groups;
    this.membersOf = membersOf;
    this.areOfOneKind = areOfOneKind;
  }

  /**
   * Returns what is placed together.
   *
   * @param members the PodGroups that have pods
   * @return the gangs of groups without a parent, and the groups of groups
   */
  List<Node> roots(List<PodGroup> members) {
    List<Node> roots = new ArrayList<>();
    Set<CompositePodGroup> known = new LinkedHashSet<>();
    for (PodGroup group : members) {
      List<CompositePodGroup> ancestors = groups.ancestors(group, MAX_DEPTH);
      if (ancestors.size() == MAX_DEPTH) {
        addTooDeep(group, ancestors, roots);
        continue;
      }
      GenericPodGroup top = ancestors.isEmpty() ? group : ancestors.get(ancestors.size() - 1);
      if (top instanceof CompositePodGroup root) {
        known.add(root);
      } else {
        addApart(group, roots);
      }
    }
    known.forEach(root -> add(root, roots));
    return roots;
  }

  /** A group without a parent: its pods belong together if it is a gang, or has a topology. */
  private void addApart(PodGroup group, List<Node> roots) {
    String flaw = flawOfPriorities(group, List.of(group));
    if (!flaw.isEmpty()) {
      part(group).node().ifPresent(node -> roots.add(flawed(group, List.of(node), flaw)));
    } else if (group.minCount() != null || !group.topologyKeys().isEmpty()) {
      part(group).node().ifPresent(roots::add);
    }
  }

  private void addTooDeep(PodGroup group, List<CompositePodGroup> ancestors, List<Node> roots) {
    List<String> names = ancestors.stream().map(one -> one.metadata().name()).toList();
    String flaw =
        "%s has %d or more CompositePodGroups above it, or they are parents of each other: %s"
            .formatted(PodGroups.nameOf(group), MAX_DEPTH, String.join(", ", names));
    part(group).node().ifPresent(node -> roots.add(flawed(ancestors.get(0), List.of(node), flaw)));
  }

  /** A group that kube-scheduler never places, even on empty nodes. */
  private static Composite flawed(GenericPodGroup group, List<Node> children, String flaw) {
    String name = PodGroups.nameOf(group);
    return new Composite(name, List.of(), children.size(), children, flaw, Set.of());
  }

  /** Children of a group that asks for nothing are placed by themselves. */
  private void add(CompositePodGroup root, List<Node> roots) {
    String flaw = flaw(root);
    if (flaw.isEmpty() && root.minGroupCount() == null && root.topologyKeys().isEmpty()) {
      for (GenericPodGroup child : groups.children(root)) {
        if (child instanceof CompositePodGroup composite) {
          add(composite, roots);
        } else if (child instanceof PodGroup group) {
          addApart(group, roots);
        }
      }
    } else if (flaw.isEmpty()) {
      part(root).node().ifPresent(roots::add);
    } else {
      List<Node> leaves =
          leaves(root, 1).stream().flatMap(leaf -> part(leaf).node().stream()).toList();
      if (!leaves.isEmpty()) {
        roots.add(flawed(root, leaves, flaw));
      }
    }
  }

  private Part part(PodGroup group) {
    Members members = membersOf.apply(group);
    boolean isMet = members.minCount() <= 0;
    if (members.pods().isEmpty()) {
      return new Part(Optional.empty(), isMet, members.isOn());
    }
    Gang gang =
        new Gang(
            PodGroups.nameOf(group),
            members.pods(),
            Math.max(1, members.minCount()),
            group.topologyKeys());
    Leaf leaf = new Leaf(gang, isMet, members.isOn(), true, members.others());
    return new Part(Optional.of(leaf), isMet, members.isOn());
  }

  private Part part(CompositePodGroup group) {
    List<Node> children = new ArrayList<>();
    Set<String> isOn = new LinkedHashSet<>();
    int required = Objects.requireNonNullElse(group.minGroupCount(), 1);
    for (GenericPodGroup child : groups.children(group)) {
      Part part = child instanceof PodGroup leaf ? part(leaf) : part((CompositePodGroup) child);
      part.node().ifPresent(children::add);
      isOn.addAll(part.isOn());
      if (part.node().isEmpty() && part.isMet()) {
        required--;
      }
    }
    if (children.isEmpty()) {
      return new Part(Optional.empty(), required <= 0, isOn);
    }
    Composite apart =
        new Composite(PodGroups.nameOf(group), group.topologyKeys(), required, children, "", isOn);
    Node node = joined(apart);
    return new Part(Optional.of(node), node.isMet(), isOn);
  }

  /**
   * Joins groups to one gang if all of them must be placed and have the topology of their parent:
   * first the pods that each of them needs, then the others. If other pods can replace the needed
   * ones, the groups stay separate.
   */
  private Node joined(Composite group) {
    List<Node> children = group.children();
    Set<String> keys = new LinkedHashSet<>(group.topologyKeys());
    if (children.size() == 1
        && children.get(0) instanceof Leaf only
        && only.isOn().equals(group.isOn())) {
      keys.addAll(only.gang().topologyKeys());
    }
    List<PendingPod> needed = new ArrayList<>();
    List<PendingPod> others = new ArrayList<>();
    for (Node child : children) {
      if (group.required() != children.size()
          || !(child instanceof Leaf leaf)
          || leaf.isMet()
          || !leaf.others().pods().isEmpty()
          || leaf.gang().minCount() > leaf.pods().size()
          || (children.size() > 1 && isOpen(leaf))
          || !keys.containsAll(leaf.gang().topologyKeys())) {
        return group;
      }
      needed.addAll(leaf.pods().subList(0, leaf.fewestPods()));
      others.addAll(leaf.pods().subList(leaf.fewestPods(), leaf.pods().size()));
    }
    int minCount = needed.size();
    needed.addAll(others);
    Gang gang = new Gang(group.name(), needed, minCount, List.copyOf(keys));
    return new Leaf(gang, false, group.isOn(), children.size() == 1);
  }

  /** Whether it is open which of its pods are placed. */
  private boolean isOpen(Leaf leaf) {
    return leaf.fewestPods() < leaf.pods().size() && !areOfOneKind.test(leaf.pods());
  }

  /** Why the group is never placed ({@code validatePodGroupHierarchy}); empty if it may be. */
  private String flaw(CompositePodGroup root) {
    String flaw = flaw(root, root, 1);
    return flaw.isEmpty() ? flawOfPriorities(root, leaves(root, 1)) : flaw;
  }

  /**
   * Why kube-scheduler does not place pods of several priorities together ({@code validatePodGroup}
   * of 1.37, {@code validatePodGroupHierarchy} of 1.38); empty if they have one, which is that of
   * the group. A pod of priority 0 may have a class whose number is not in the input.
   */
  private String flawOfPriorities(GenericPodGroup group, List<PodGroup> leaves) {
    Set<Integer> priorities = new TreeSet<>();
    leaves.forEach(leaf -> priorities.addAll(membersOf.apply(leaf).priorities()));
    if (priorities.size() > 1) {
      return "its pods have the priorities " + priorities + ", and have to have one";
    }
    Integer own = group.priority();
    return own == null || priorities.isEmpty() || priorities.contains(0) || priorities.contains(own)
        ? ""
        : "its pods have the priority %d, and it has the priority %d"
            .formatted(priorities.iterator().next(), own);
  }

  private String flaw(CompositePodGroup group, CompositePodGroup root, int depth) {
    if (depth == MAX_DEPTH) {
      return "%s is at level %d, and PodGroups cannot be below that"
          .formatted(PodGroups.nameOf(group), MAX_DEPTH);
    }
    for (GenericPodGroup child : groups.children(group)) {
      String name = PodGroups.nameOf(child);
      if (group.isGang() && !child.isGang()) {
        return "%s is a gang, and its child %s is none".formatted(PodGroups.nameOf(group), name);
      }
      Integer priority = child.priority();
      if (priority != null && root.priority() != null && !priority.equals(root.priority())) {
        return "%s has the priority %d, and %s the priority %d"
            .formatted(name, priority, PodGroups.nameOf(root), root.priority());
      }
      if (!workload(child).equals(workload(root))) {
        return "%s is of Workload %s, and %s of %s"
            .formatted(name, shown(child), PodGroups.nameOf(root), shown(root));
      }
      String below =
          child instanceof CompositePodGroup composite ? flaw(composite, root, depth + 1) : "";
      if (!below.isEmpty()) {
        return below;
      }
    }
    return "";
  }

  /** The Workload of a group; empty if it names none. */
  private static String workload(GenericPodGroup group) {
    WorkloadReference reference = group.workloadRef();
    return reference == null ? "" : reference.workloadName();
  }

  private static String shown(GenericPodGroup group) {
    String name = workload(group);
    return name.isEmpty() ? "none" : name;
  }

  /** All PodGroups below a group, on the levels that there may be. */
  private List<PodGroup> leaves(CompositePodGroup group, int depth) {
    List<PodGroup> leaves = new ArrayList<>();
    for (GenericPodGroup child : groups.children(group)) {
      if (child instanceof CompositePodGroup composite) {
        leaves.addAll(depth + 1 < MAX_DEPTH ? leaves(composite, depth + 1) : List.of());
      } else if (child instanceof PodGroup leaf) {
        leaves.add(leaf);
      }
    }
    return leaves;
  }
}
