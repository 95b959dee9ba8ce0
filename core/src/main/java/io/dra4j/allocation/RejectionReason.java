package io.dra4j.allocation;

/**
 * What is at fault where an allocation is rejected, and whether it is any use to try again.
 * kube-scheduler makes the same distinction: it calls a pod unschedulable and tries it again when
 * something changes, or reports an error.
 */
public enum RejectionReason {

  /** A request names a device class that is not there. It may be created. */
  MISSING_CLASS(true),

  /**
   * A request is for all devices, and a pool of the node is incomplete or contradicts itself. Since
   * Kubernetes 1.38 that is a reason why the claims do not fit on this node, not a rejection.
   */
  UNUSABLE_POOL(true),

  /** There is no such node in the inventory. It may have gone, or not have come yet. */
  UNKNOWN_NODE(true),

  /** A claim is malformed, asks for what is switched off, or was not to be allocated at all. */
  CLAIM(false),

  /** An expression of a request or class does not compile, or fails on a device. */
  EXPRESSION(false),

  /** One of all the devices that a request asks for does not fulfil a constraint. */
  CONSTRAINT(false),

  /** An amount of capacity is negative or cannot be represented, or its policy is broken. */
  CAPACITY(false),

  /** A slice says in a broken way which nodes it is about. */
  SLICE(false);

  private final boolean unschedulable;

  RejectionReason(boolean unschedulable) {
    this.unschedulable = unschedulable;
  }

  /**
   * Returns whether another try can end differently once the cluster has changed, while the claims
   * stay as they are.
   *
   * @return true where kube-scheduler calls the pod unschedulable; false where it reports an error,
   *     because the claim, class, expression or slice has to be fixed
   */
  public boolean mayPass() {
    return unschedulable;
  }
}
