package io.dra4j.scheduling;

import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.List;
import java.util.Objects;

/**
 * The reason why some nodes refuse a pod, independent of devices.
 *
 * @param cause the cause of the refusal
 * @param nodes the names of the nodes that refused it for the same reason; at least one
 * @param text a sentence about them: {@code node n1 has the taint nvidia.com/gpu:NoSchedule, which
 *     the pod does not tolerate}. If there are many nodes, it names only some of them
 */
public record NodeReason(Cause cause, List<String> nodes, String text) {

  /** Copies the list; refuses null. {@inheritDoc} */
  public NodeReason {
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(nodes, "nodes");
    Objects.requireNonNull(text, "text");
    nodes = List.copyOf(nodes);
  }
}
