package io.dra4j.runtime;

import io.dra4j.spi.Sandbox;

/**
 * Receives the outcome of calls for claims, for example to write conditions and events in a
 * cluster, metadata files, or files of the Container Device Interface. A listener is called when
 * the store has the change, on the thread of the call and before the call returns, so it must not
 * take long. Its exceptions are logged and have no other effect.
 */
public interface ClaimListener {

  /**
   * Called when this process has the store and has resumed the claims of an earlier process: at the
   * start, or at the end of a {@linkplain RuntimeOptions#standby standby}. {@link
   * ClaimService#claims} has the claims that are attached already; this listener gets no other call
   * for them. Called on the thread that starts the runtime or takes over the store.
   */
  default void recovered() {}

  /**
   * Called when a driver has prepared a claim, but not when a prepared claim is prepared again.
   *
   * @param claim the claim and the driver
   */
  default void prepared(StoredClaim claim) {}

  /**
   * Called when a driver has attached a claim.
   *
   * @param claim the claim and the driver
   * @param attachment the sandbox, the statuses and the edits
   */
  default void attached(StoredClaim claim, StoredAttachment attachment) {}

  /**
   * Called when a call for a claim has failed, whether a caller made it or the runtime itself.
   *
   * @param uid the UID of the claim
   * @param driver the name of the driver
   * @param call the call: {@code prepare}, {@code attach}, {@code detach}, {@code settle} or {@code
   *     unprepare}
   * @param failure the failure
   */
  default void failed(String uid, String driver, String call, ClaimException failure) {}

  /**
   * Called when the devices of a claim are on the host again.
   *
   * @param claim the claim and the driver
   * @param sandbox the sandbox that had the devices
   */
  default void detached(StoredClaim claim, Sandbox sandbox) {}

  /**
   * Called when a driver has unprepared a claim and it is no longer in the store.
   *
   * @param claim the claim and the driver
   */
  default void unprepared(StoredClaim claim) {}
}
