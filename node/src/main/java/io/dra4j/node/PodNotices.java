package io.dra4j.node;

import io.dra4j.spi.Sandbox;

/** Reports to a pod the outcome of its claims. Its methods return at once. */
interface PodNotices {

  /**
   * Makes the kubelet look at a pod again now, rather than after its pause between attempts.
   *
   * @param sandbox a sandbox of the pod
   */
  void kick(Sandbox sandbox);

  /**
   * A claim of a pod cannot be attached.
   *
   * @param sandbox a sandbox of the pod
   * @param failure why
   */
  void attachFailed(Sandbox sandbox, Throwable failure);

  /**
   * The containers of a pod wait for its claims.
   *
   * @param sandbox a sandbox of the pod
   * @param message for a person
   */
  void attachLate(Sandbox sandbox, String message);
}
