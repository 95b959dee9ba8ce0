package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prepares claims, attaches them to sandboxes, and takes that back: what a kubelet plugin and a
 * plugin of the container runtime need of a {@link DriverRuntime}.
 *
 * <p>Every call may be repeated: what is done already is answered from the store, what is unknown
 * is nothing to take back. A call for one driver does not wait for another driver and does not fail
 * because of it. A call with a {@link Deadline} has answered by then; what it had begun is undone,
 * if need be afterwards. Calls without a deadline end by the limits of the runtime. Thread-safe.
 *
 * <p>All calls throw {@link IllegalStateException} if the runtime does not run.
 */
public interface ClaimService {

  /**
   * Prepares an allocated claim with all drivers of this runtime that have devices in it. When this
   * returns, what the drivers said is in the store. A claim that was prepared before the host was
   * started anew is taken back first and prepared again. A claim that is prepared, and is now
   * reserved for other consumers, is {@linkplain #reserve reserved} for them.
   *
   * @param claim a claim with unique id and allocation
   * @return the prepared devices, driver by driver; empty if no driver of this runtime has any
   * @throws ClaimException if a driver cannot prepare it; what this driver had done is taken back.
   *     Also if the allocation is not current: another claim has one of its devices, since this one
   *     was released, for example. Also if its entry in the store is damaged
   */
  List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException;

  /**
   * Prepares an allocated claim with one driver, as {@link #prepare(ResourceClaim)} does with all.
   *
   * @param claim a claim with unique id and allocation
   * @param driver the name of the driver
   * @param deadline when the answer is needed
   * @return the prepared devices of the driver; empty if it has none in the claim
   * @throws ClaimException if the driver cannot prepare it in time
   */
  List<PreparedDevice> prepare(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException;

  /**
   * Changes who may use a prepared claim ({@code status.reservedFor}).
   *
   * @param uid the unique id of the claim; one that is not known is nothing to do
   * @param reservedFor the consumers, normally pods
   * @throws ClaimException if a driver cannot serve these consumers, because it moves a device into
   *     one pod alone, for example; the claim stays as it is
   */
  void reserve(String uid, List<ResourceClaimConsumerReference> reservedFor) throws ClaimException;

  /**
   * Says which conditions must hold before pods use a claim that was allocated to this node and is
   * not prepared yet (KEP-5007).
   *
   * @param claim a claim with unique id and allocation
   * @param driver the name of the driver
   * @param deadline when the answer is needed
   * @return the conditions for {@code status.devices}; empty if the driver has none
   * @throws ClaimException if the driver does not know them now
   */
  List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline) throws ClaimException;

  /**
   * Attaches a prepared claim to a sandbox, with all drivers that prepared it: all of them, or
   * none. If the claim is attached to another sandbox of the same pod, it is detached from that
   * first. A sandbox that it is attached to already is known by its id: facts that are new are
   * kept, and nothing else happens. Pods take turns where many are attached at the same time.
   *
   * @param uid the unique id of the claim
   * @param sandbox where its containers will run
   * @param deadline when the answer is needed
   * @return what is to be written in {@code status.devices} of the claim, and edits that are known
   *     only now
   * @throws ClaimException if it is not prepared, or a driver cannot attach it; nothing is attached
   *     then
   */
  Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException;

  /**
   * Attaches a prepared claim to a sandbox, without a deadline.
   *
   * @param uid the unique id of the claim
   * @param sandbox where its containers will run
   * @return what is to be written in {@code status.devices} of the claim
   * @throws ClaimException if it is not prepared, or a driver cannot attach it; nothing is attached
   *     then
   */
  default List<AllocatedDeviceStatus> attach(String uid, Sandbox sandbox) throws ClaimException {
    return attach(uid, sandbox, Deadline.none()).statuses();
  }

  /**
   * Detaches a claim from a sandbox: its devices are on the host again. Settings that take longer
   * are restored afterwards, by a thread of the runtime.
   *
   * @param uid the unique id of the claim
   * @param sandboxId the id of the sandbox, which may be gone; one that the claim is not attached
   *     to is nothing to do
   * @param deadline when the answer is needed
   * @throws ClaimException if a driver cannot detach it; that is tried again, also by itself
   */
  void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException;

  /**
   * Detaches a claim from a sandbox, without a deadline.
   *
   * @param uid the unique id of the claim
   * @param sandboxId the id of the sandbox, which may be gone; one that the claim is not attached
   *     to is nothing to do
   * @throws ClaimException if a driver cannot detach it; that is tried again, also by itself
   */
  default void detach(String uid, String sandboxId) throws ClaimException {
    detach(uid, sandboxId, Deadline.none());
  }

  /**
   * Brings the attachments in line with the sandboxes that a container runtime has, after it or its
   * plugin was started anew. Claims are detached from sandboxes of pods that are gone; sandboxes
   * that claims are attached to are known by their ids and stay; prepared claims that are reserved
   * for the pod of a sandbox, and were not attached to it, are. Sandboxes without a pod are left.
   *
   * @param sandboxes all sandboxes of pods on this host
   * @return what was done, and what failed
   */
  Synchronization synchronize(List<Sandbox> sandboxes);

  /**
   * Unprepares a claim with all drivers, after it was detached from every sandbox.
   *
   * @param uid the unique id of the claim; one that is not known is nothing to do
   * @throws ClaimException if a driver cannot unprepare it; that is tried again, also by itself. If
   *     it cannot be detached: the detach is tried again by itself, and the claim stays prepared
   *     until this is called again. Also if its entry in the store is damaged: it is taken back as
   *     well as it can be, and stays
   */
  void unprepare(String uid) throws ClaimException;

  /**
   * Unprepares a claim with one driver, as {@link #unprepare(String)} does with all.
   *
   * @param uid the unique id of the claim; one that is not known is nothing to do
   * @param driver the name of the driver
   * @param deadline when the answer is needed
   * @throws ClaimException if the driver cannot unprepare it in time
   */
  void unprepare(String uid, String driver, Deadline deadline) throws ClaimException;

  /**
   * Forgets a claim without undoing what was done to its devices. It is the way out for a claim
   * whose entry in the store is damaged, and for one whose driver runs no more, after an operator
   * has brought its devices back by hand. A driver that runs {@linkplain PreparingDriver#forget
   * gives back} what it holds outside of the host.
   *
   * @param uid the unique id of the claim
   * @param driver the name of the driver
   * @throws ClaimException if the store cannot be written
   */
  void forget(String uid, String driver) throws ClaimException;

  /**
   * The claims that are prepared, or wait for being taken back, as the store has them.
   *
   * @return the claims by driver
   */
  List<StoredClaim> claims();

  /**
   * Finds what a driver has of a claim.
   *
   * @param uid the unique id of the claim
   * @param driver the name of the driver
   * @return the claim; empty if the driver has nothing of it
   */
  Optional<StoredClaim> find(String uid, String driver);

  /**
   * Says whether a claim is prepared now, so that it can be attached without preparing it again.
   *
   * @param claim a claim of this service
   * @return whether its driver has prepared it since the host was started, and this process has the
   *     store; false while another process has it
   */
  boolean isPrepared(StoredClaim claim);

  /**
   * Says whether a driver attaches claims to sandboxes: the answer of {@link
   * PreparingDriver#hasAttach}. If none does, sandboxes need not be reported.
   *
   * @return whether one of the drivers does
   */
  boolean hasAttach();

  /**
   * Says whether containers must not be created before a claim is attached to their sandbox: the
   * answer of {@link PreparingDriver#isAttachNeeded}.
   *
   * @param claim a claim of this service
   * @return whether containers have to wait; true if the driver fails to answer; false for a claim
   *     whose driver does not run in this process
   */
  boolean isAttachNeeded(StoredClaim claim);

  /**
   * What a container gets that uses a prepared claim, or one request of it, in any sandbox.
   *
   * @param uid the unique id of the claim
   * @param request the name of a request; null for the whole claim. Devices of its alternatives
   *     belong to it.
   * @return the edits; {@link ContainerEdits#NONE} if the claim is not prepared or has no such
   *     request
   */
  default ContainerEdits editsFor(String uid, @Nullable String request) {
    return editsFor(uid, request, "");
  }

  /**
   * What a container gets that uses a prepared claim, or one request of it, in a sandbox: where
   * attaching has changed the edits of a device, those.
   *
   * @param uid the unique id of the claim
   * @param request the name of a request; null for the whole claim. Devices of its alternatives
   *     belong to it.
   * @param sandboxId the id of the sandbox
   * @return the edits; {@link ContainerEdits#NONE} if the claim is not prepared or has no such
   *     request
   */
  ContainerEdits editsFor(String uid, @Nullable String request, String sandboxId);

  /**
   * Adds a listener, which hears of claims from now on.
   *
   * @param listener hears the outcome of claims
   */
  void addClaimListener(ClaimListener listener);

  /**
   * Takes a listener away. A call that runs already may end after this returns.
   *
   * @param listener a listener; one that was not added is nothing to do
   */
  void removeClaimListener(ClaimListener listener);
}
