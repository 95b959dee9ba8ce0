package io.dra4j.scheduling;

import java.util.List;

/** Pods that are placed together, or groups of them. */
sealed interface GroupNode {

  /** How messages name it: its kind, {@code namespace/name}. */
  String name();

  /** All pods that are placed with it, in their order. */
  List<PendingPod> pods();

  /** How many pods have to be placed for it to be, at the least. */
  int fewestPods();

  /** Whether it counts as placed for its parent already, by pods that need no placement. */
  boolean isMet();

  /** The pods as one gang, for those who only want to know which pods belong together. */
  Gang gang();

  /** Pods that are placed by one plan. */
  record Leaf(Gang gang, boolean isMet) implements GroupNode {

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
   */
  record Composite(
      String name, List<String> topologyKeys, int required, List<GroupNode> children, String flaw)
      implements GroupNode {

    public Composite {
      topologyKeys = List.copyOf(topologyKeys);
      children = List.copyOf(children);
    }

    @Override
    public List<PendingPod> pods() {
      return children.stream().flatMap(child -> child.pods().stream()).toList();
    }

    @Override
    public int fewestPods() {
      return children.stream()
          .filter(child -> !child.isMet())
          .map(GroupNode::fewestPods)
          .sorted()
          .limit(Math.max(0, required - children.stream().filter(GroupNode::isMet).count()))
          .mapToInt(Integer::intValue)
          .sum();
    }

    @Override
    public Gang gang() {
      return new Gang(name, pods(), Math.max(1, fewestPods()), topologyKeys);
    }

    @Override
    public boolean isMet() {
      return children.stream().filter(GroupNode::isMet).count() >= required;
    }
  }
}
