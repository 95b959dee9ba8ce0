package io.dra4j.scheduling;

import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Why no node takes a pod. Knows how many nodes refused it for what; why each did is worked out
 * when it is asked for, so that a run in which thousands of pods are refused by thousands of nodes
 * keeps nothing for each.
 */
public final class NodeRefusals {

  private final PodToPlace pod;
  private final int position;
  private final Map<Cause, Integer> counts;
  private final Replay replay;

  NodeRefusals(PodToPlace pod, int position, Map<Cause, Integer> counts, Replay replay) {
    this.pod = pod;
    this.position = position;
    this.counts = Collections.unmodifiableMap(new EnumMap<>(counts));
    this.replay = replay;
  }

  /**
   * Returns how many nodes refused the pod, by what refused it.
   *
   * @return a count above 0 for each cause that there was
   */
  public Map<Cause, Integer> counts() {
    return counts;
  }

  /**
   * Returns how many nodes have no devices for the pod, although it may run there.
   *
   * @return the number of nodes
   */
  public int withoutDevices() {
    return counts.getOrDefault(Cause.DEVICES, 0);
  }

  /**
   * Works out why some nodes have no devices for the pod. Asking for the pods of a run in their
   * order is fast; going back to an earlier pod repeats what was allocated until then.
   *
   * @param limit how many nodes to tell of, at most
   * @return the first of these nodes, in the order of the inventory
   */
  public List<NodeRefusal> first(int limit) {
    return replay.refusals(pod, position, limit);
  }

  /**
   * Works out why a node does not take the pod.
   *
   * @param node the name of the node
   * @return what refused the pod, and why
   * @throws IllegalArgumentException if the run had no such node
   */
  public NodeRefusal on(String node) {
    return replay.refusal(pod, position, node);
  }
}
