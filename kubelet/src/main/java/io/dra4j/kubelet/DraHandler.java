package io.dra4j.kubelet;

import java.util.List;

/**
 * Prepares and unprepares claims for pods of this node: the part of a kubelet plugin that a driver
 * implements.
 *
 * <p>Threads of the plugin call both methods, for several claims at the same time, but never
 * concurrently for one UID. The methods must be idempotent: the kubelet calls again after its
 * restart, after a reboot, and after a call that was not answered in time. A call that takes too
 * long, or that the kubelet cancels, is interrupted; it should then undo its changes.
 *
 * <p>An exception fails only this claim. The kubelet gets its message, shows it in an event of the
 * pod, and retries.
 */
public interface DraHandler {

  /**
   * Prepares a claim allocated to this node, or returns its devices if it is prepared already.
   *
   * @param claim the claim; its allocation must be read from the API server, and used only if the
   *     claim there has the same UID
   * @return the devices of this driver in the claim
   * @throws Exception if the claim cannot be prepared
   */
  List<DraDevice> prepare(DraClaim claim) throws Exception;

  /**
   * Undoes the preparation of a claim. The claim may no longer exist in the API server, and another
   * process may have prepared it. An unknown claim is not an error.
   *
   * @param claim the claim
   * @throws Exception if the devices of the claim are still in use
   */
  void unprepare(DraClaim claim) throws Exception;
}
