package io.dra4j.allocation;

/**
 * The kind of error that caused a rejection, and whether a later attempt can succeed.
 * kube-scheduler makes the same distinction: it either marks a pod as unschedulable and tries again
 * after a change, or reports an error.
 */
public enum RejectionReason {

  /** A request names a device class that does not exist. It may be created later. */
  MISSING_CLASS(true),

  /**
   * A request is for all devices, and a pool of the node is incomplete or its slices contradict
   * each other. Since Kubernetes 1.38, the claims then do not fit on this node, which is not a
   * rejection.
   */
  UNUSABLE_POOL(true),

  /** The inventory has no such node. It may have been deleted, or not been reported yet. */
  UNKNOWN_NODE(true),

  /** A claim is invalid, requests a feature that is off, or must not be allocated. */
  CLAIM(false),

  /** An expression of a request or class does not compile, or fails on a device. */
  EXPRESSION(false),

  /** A request is for all devices, and one of them does not fulfil a constraint. */
  CONSTRAINT(false),

  /** An amount of capacity is negative or cannot be represented, or its policy is invalid. */
  CAPACITY(false),

  /** The node selector of a slice is invalid. */
  SLICE(false);

  private final boolean unschedulable;

  RejectionReason(boolean unschedulable) {
    this.unschedulable = unschedulable;
  }

  /**
   * {@return whether a later attempt with the same claims can succeed after a change of the
   * cluster: true if kube-scheduler marks the pod as unschedulable; false if it reports an error,
   * because the claim, class, expression or slice has to be fixed}
   */
  public boolean mayPass() {
    return unschedulable;
  }
}
