package io.dra4j.node;

import io.dra4j.spi.Sandbox;

/** Reports the outcome of claims to their pod. Its methods do not block. */
interface PodNotices {

  /** Makes the kubelet retry a sandbox's pod now instead of after its pause between attempts. */
  void kick(Sandbox sandbox);

  /** Reports that a claim of a sandbox's pod cannot be attached, and the cause. */
  void attachFailed(Sandbox sandbox, Throwable failure);

  /** Reports, by a message for people, that containers of a sandbox's pod wait for its claims. */
  void attachLate(Sandbox sandbox, String message);
}
