package io.dra4j.kubelet;

import java.util.List;

/**
 * Prepares claims for pods of this node, and takes that back: the part of a kubelet plugin that a
 * driver implements.
 *
 * <p>Both methods are called in threads of the plugin, for several claims at the same time but
 * never twice at once for one UID. They have to be idempotent: the kubelet calls again after its
 * restart, after a reboot, and when it got no answer in time. A call that takes too long, or that
 * the kubelet gives up, is interrupted; it should then take back what it did.
 *
 * <p>An exception fails this claim alone. Its message is the answer to the kubelet, which shows it
 * in an event of the pod and tries again.
 */
public interface DraHandler {

  /**
   * Prepares a claim that is allocated to this node, or answers what was prepared before.
   *
   * @param claim the claim; its allocation has to be read from the API server, and used only if the
   *     UID is that of the claim there
   * @return the devices of this driver in the claim
   * @throws Exception if the claim cannot be prepared
   */
  List<DraDevice> prepare(DraClaim claim) throws Exception;

  /**
   * Takes back the preparation of a claim. The claim may be gone from the API server, and another
   * process may have prepared it. A claim that is not known is no error.
   *
   * @param claim the claim
   * @throws Exception if the devices of the claim are not free yet
   */
  void unprepare(DraClaim claim) throws Exception;
}
