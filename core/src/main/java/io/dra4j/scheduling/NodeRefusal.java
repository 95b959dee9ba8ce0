package io.dra4j.scheduling;

import java.util.List;

/**
 * Why a node does not take a pod.
 *
 * @param node the name of the node
 * @param cause what refused the pod
 * @param lines sentences that say why, the most relevant one first; at least one
 */
public record NodeRefusal(String node, Cause cause, List<String> lines) {

  /** What refuses a pod on a node, in the order in which it is looked at. */
  public enum Cause {
    /** The pod names another node. */
    NODE_NAME,
    /**
     * The node has a taint that the pod does not tolerate, or is cordoned, which is a taint, too.
     */
    TAINT,
    /** The node lacks a label that the node selector of the pod asks for. */
    NODE_SELECTOR,
    /** The node is none of those that the node affinity of the pod requires. */
    NODE_AFFINITY,
    /** Another pod on the node uses a port that the pod wants. */
    NODE_PORTS,
    /** The node has too little left of a resource other than devices, or room for no more pods. */
    NODE_RESOURCES,
    /** The pods that the pod is spread with would be spread too unevenly. */
    TOPOLOGY_SPREAD,
    /**
     * The affinity of the pod to other pods, or the anti-affinity of one of them, does not hold.
     */
    POD_AFFINITY,
    /**
     * The gang of the pod is placed, and there was no room for this pod then; the node has other
     * values of the topology keys of the gang than its nodes.
     */
    GANG_TOPOLOGY,
    /**
     * A claim of the pod is allocated already, and its devices cannot be used on the node, or their
     * binding failed.
     */
    ALLOCATED_CLAIMS,
    /** The pod names the node, and a claim of it has no allocation, which no scheduler makes. */
    UNALLOCATED_CLAIMS,
    /** A quota of the namespace has no room for a claim of the pod, which cannot be created. */
    CLAIM_QUOTA,
    /** The node has no devices for the pending claims of the pod. */
    DEVICES
  }

  /** Copies the list. {@inheritDoc} */
  public NodeRefusal {
    lines = List.copyOf(lines);
  }
}
