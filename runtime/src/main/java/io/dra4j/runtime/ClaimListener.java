package io.dra4j.runtime;

import io.dra4j.spi.Sandbox;

/**
 * Receives the outcome of claims: for conditions and events in a cluster, files with metadata,
 * specifications of the Container Device Interface. It is called when the store has the change, on
 * the thread of the call and before the call answers, so that it must not take long. What it throws
 * is logged and changes nothing.
 */
public interface ClaimListener {

  /**
   * This process has the store, and has taken up what an earlier process left: at the start, or at
   * the end of a {@linkplain RuntimeOptions#standby standby}. Claims that are attached are among
   * {@link ClaimService#claims}, and no other call of this listener was made for them. Called on
   * the thread that starts the runtime or takes the store over.
   */
  default void recovered() {}

  /**
   * A driver has prepared a claim. Not called when a prepared claim is prepared again.
   *
   * @param claim the claim with the driver
   */
  default void prepared(StoredClaim claim) {}

  /**
   * A driver has attached a claim.
   *
   * @param claim the claim with the driver
   * @param attachment the sandbox, statuses and edits
   */
  default void attached(StoredClaim claim, StoredAttachment attachment) {}

  /**
   * A call for a claim has failed, of this process or one that another call caused.
   *
   * @param uid the unique id of the claim
   * @param driver the name of the driver
   * @param call which call: {@code prepare}, {@code attach}, {@code detach}, {@code settle} or
   *     {@code unprepare}
   * @param failure why
   */
  default void failed(String uid, String driver, String call, ClaimException failure) {}

  /**
   * The devices of a claim are on the host again.
   *
   * @param claim the claim with the driver
   * @param sandbox where they were attached
   */
  default void detached(StoredClaim claim, Sandbox sandbox) {}

  /**
   * A driver has unprepared a claim, and the store has it no more.
   *
   * @param claim the claim with the driver
   */
  default void unprepared(StoredClaim claim) {}
}
