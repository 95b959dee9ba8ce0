package io.dra4j.scheduling;

import java.util.List;

/**
 * The reason why a node refuses a pod.
 *
 * @param node the name of the node
 * @param cause the cause of the refusal
 * @param lines sentences with the reasons, the most relevant one first; at least one
 */
public record NodeRefusal(String node, Cause cause, List<String> lines) {

  /** The cause of a refusal, in the order in which causes are checked. */
  public enum Cause {
    /** The pod names another node. */
    NODE_NAME,
    /**
     * The node has a taint that the pod does not tolerate, or is cordoned, which counts as a taint.
     */
    TAINT,
    /** The node lacks a label that the node selector of the pod requires. */
    NODE_SELECTOR,
    /** The node does not match the required node affinity of the pod. */
    NODE_AFFINITY,
    /** Another pod on the node uses a port that the pod wants. */
    NODE_PORTS,
    /** The node has too little left of a resource other than devices, or room for no more pods. */
    NODE_RESOURCES,
    /** The pod would violate one of its topology spread constraints. */
    TOPOLOGY_SPREAD,
    /** The node would violate the pod's (anti-)affinity, or the anti-affinity of another pod. */
    POD_AFFINITY,
    /**
     * The gang of the pod is placed without this pod, and the values of its topology keys on the
     * node differ from the values on the nodes of the gang.
     */
    GANG_TOPOLOGY,
    /** A claim is allocated already, and its devices are not usable, or their binding failed. */
    ALLOCATED_CLAIMS,
    /**
     * The pod names the node, and one of its claims has no allocation; no scheduler allocates it.
     */
    UNALLOCATED_CLAIMS,
    /** A quota of the namespace has no room for a claim, so that it cannot be created. */
    CLAIM_QUOTA,
    /** A claim of the pod is reserved for the maximum number of other pods and groups. */
    CLAIM_CONSUMERS,
    /** The node has no devices for the pending claims of the pod. */
    DEVICES
  }

  /** Copies the list. {@inheritDoc} */
  public NodeRefusal {
    lines = List.copyOf(lines);
  }
}
