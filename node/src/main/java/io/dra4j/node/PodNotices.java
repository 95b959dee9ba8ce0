package io.dra4j.node;

import io.dra4j.spi.Sandbox;

/** Tells a pod of what became of its claims. Its methods return at once. */
interface PodNotices {

  /**
   * Makes the kubelet look at a pod again now, rather than after its pause between attempts.
   *
   * @param sandbox a sandbox of the pod
   */
  void kick(Sandbox sandbox);

  /**
   * Records an event of a pod.
   *
   * @param sandbox a sandbox of the pod
   * @param reason why, in one word
   * @param message for a person
   */
  void warn(Sandbox sandbox, String reason, String message);
}
