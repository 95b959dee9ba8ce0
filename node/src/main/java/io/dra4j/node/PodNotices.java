package io.dra4j.node;

import io.dra4j.spi.Sandbox;

/** Reports the outcome of claims to their pod. Its methods do not block. */
interface PodNotices {

  /**
   * Makes the kubelet retry a pod now instead of after its pause between attempts.
   *
   * @param sandbox a sandbox of the pod
   */
  void kick(Sandbox sandbox);

  /**
   * Reports that a claim of a pod cannot be attached.
   *
   * @param sandbox a sandbox of the pod
   * @param failure the cause
   */
  void attachFailed(Sandbox sandbox, Throwable failure);

  /**
   * Reports that the containers of a pod wait for its claims.
   *
   * @param sandbox a sandbox of the pod
   * @param message the message, for people
   */
  void attachLate(Sandbox sandbox, String message);
}
