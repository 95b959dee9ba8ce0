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
 * Prepares claims, attaches them to sandboxes, and undoes both: the part of a {@link DriverRuntime}
 * that kubelet plugins and plugins of container runtimes use.
 *
 * <p>All calls are idempotent: a call whose work is done already returns the result from the store,
 * and undoing an unknown claim does nothing. A call for one driver neither waits for another driver
 * nor fails because of it. A call with a {@link Deadline} returns by then; its unfinished work is
 * undone, if necessary afterwards. The limits of the runtime apply to calls without a deadline.
 * Thread-safe.
 *
 * <p>All calls throw {@link IllegalStateException} if the runtime is not running.
 */
public interface ClaimService {

  /**
   * Prepares an allocated claim with all drivers of this runtime that have devices in it. When this
   * method returns, the results of the drivers are in the store. A claim that was prepared before
   * the last reboot of the host is undone first and prepared again. If a prepared claim is now
   * reserved for other consumers, it is {@linkplain #reserve reserved} for them.
   *
   * @param claim a claim with a UID and an allocation
   * @return the prepared devices, driver by driver; empty if no driver has devices in the claim
   * @throws ClaimException if a driver cannot prepare the claim; the work of this driver is undone.
   *     Also if the allocation is not current, for example because the claim was released and
   *     another claim has one of its devices now. Also if its record in the store is damaged
   */
  List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException;

  /**
   * Prepares an allocated claim with one driver, as {@link #prepare(ResourceClaim)} does with all.
   *
   * @param claim a claim with a UID and an allocation
   * @param driver the name of the driver
   * @param deadline the deadline of the call
   * @return the prepared devices of the driver; empty if it has no devices in the claim
   * @throws ClaimException if the driver cannot prepare the claim in time
   */
  List<PreparedDevice> prepare(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException;

  /**
   * Changes the consumers that may use a prepared claim ({@code status.reservedFor}).
   *
   * @param uid the UID of the claim; nothing happens if it is not known
   * @param reservedFor the consumers, normally pods
   * @throws ClaimException if a driver cannot serve these consumers, for example because it moves a
   *     device into a single pod; the claim stays as it is
   */
  void reserve(String uid, List<ResourceClaimConsumerReference> reservedFor) throws ClaimException;

  /**
   * {@return the conditions for {@code status.devices} that must hold before pods use a claim that
   * is allocated to this node and not prepared yet (KEP-5007); empty if the driver has none}
   *
   * @param claim a claim with a UID and an allocation
   * @param driver the name of the driver
   * @param deadline the deadline of the call
   * @throws ClaimException if the driver cannot determine them now
   */
  List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline) throws ClaimException;

  /**
   * Attaches a prepared claim to a sandbox with all drivers that prepared it: all of them, or none.
   * If the claim is attached to another sandbox of the same pod, it is detached from that sandbox
   * first. If it is attached to a sandbox with this ID already, new facts about the sandbox are
   * stored, and nothing else happens. If many claims are attached at the same time, pods take
   * turns.
   *
   * @param uid the UID of the claim
   * @param sandbox the sandbox of the containers
   * @param deadline the deadline of the call
   * @return the content of {@code status.devices} of the claim, and edits that are known only now
   * @throws ClaimException if the claim is not prepared, or a driver cannot attach it; no device is
   *     attached then
   */
  Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException;

  /**
   * Attaches a prepared claim to a sandbox, without a deadline.
   *
   * @param uid the UID of the claim
   * @param sandbox the sandbox of the containers
   * @return the content of {@code status.devices} of the claim
   * @throws ClaimException if the claim is not prepared or a driver fails; nothing is attached then
   */
  default List<AllocatedDeviceStatus> attach(String uid, Sandbox sandbox) throws ClaimException {
    return attach(uid, sandbox, Deadline.none()).statuses();
  }

  /**
   * Detaches a claim from a sandbox and returns its devices to the host. A thread of the runtime
   * later restores settings that take longer.
   *
   * @param uid the UID of the claim
   * @param sandboxId the ID of the sandbox, which may no longer exist; nothing happens if the claim
   *     is not attached to it
   * @param deadline the deadline of the call
   * @throws ClaimException if a driver cannot detach the claim; the runtime retries it
   */
  void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException;

  /**
   * Detaches a claim from a sandbox, without a deadline.
   *
   * @param uid the UID of the claim
   * @param sandboxId the ID of the sandbox, which may no longer exist; nothing happens if the claim
   *     is not attached to it
   * @throws ClaimException if a driver cannot detach the claim; the runtime retries it
   */
  default void detach(String uid, String sandboxId) throws ClaimException {
    detach(uid, sandboxId, Deadline.none());
  }

  /**
   * Synchronizes the attachments with the sandboxes of a container runtime, after a restart of the
   * runtime or of its plugin. Claims are detached from sandboxes of pods that no longer exist.
   * Attachments to the given sandboxes stay; IDs identify sandboxes. Prepared claims that are
   * reserved for the pod of a sandbox and not attached yet are attached. Sandboxes without a pod
   * are ignored.
   *
   * @param sandboxes all sandboxes of pods on this host
   * @return the changes and the failures
   */
  Synchronization synchronize(List<Sandbox> sandboxes);

  /**
   * Detaches a claim from every sandbox, and unprepares it with all drivers.
   *
   * @param uid the UID of the claim; nothing happens if it is not known
   * @throws ClaimException if a driver cannot unprepare the claim; the runtime retries it. If the
   *     claim cannot be detached, the runtime retries the detach, and the claim stays prepared
   *     until this method is called again. Also if the record of the claim in the store is damaged:
   *     the readable steps are undone, and the claim stays
   */
  void unprepare(String uid) throws ClaimException;

  /**
   * Unprepares a claim with one driver, as {@link #unprepare(String)} does with all.
   *
   * @param uid the UID of the claim; nothing happens if it is not known
   * @param driver the name of the driver
   * @param deadline the deadline of the call
   * @throws ClaimException if the driver cannot unprepare the claim in time
   */
  void unprepare(String uid, String driver, Deadline deadline) throws ClaimException;

  /**
   * Forgets a claim without undoing the changes to its devices. Use it for a claim whose record in
   * the store is damaged or whose driver is no longer installed, after an operator has brought its
   * devices back by hand. A running driver {@linkplain PreparingDriver#forget releases} the
   * resources that it holds outside the host.
   *
   * @param uid the UID of the claim
   * @param driver the name of the driver
   * @throws ClaimException if the store cannot be written
   */
  void forget(String uid, String driver) throws ClaimException;

  /** {@return the stored claims, prepared or waiting to be undone, one per claim and driver} */
  List<StoredClaim> claims();

  /**
   * {@return the entry of a driver for a claim; empty if there is none}
   *
   * @param uid the UID of the claim
   * @param driver the name of the driver
   */
  Optional<StoredClaim> find(String uid, String driver);

  /**
   * {@return whether the driver of a claim has prepared it since the last boot of the host, so that
   * it can be attached without preparing it again; false while another process has the store}
   *
   * @param claim a claim of this service
   */
  boolean isPrepared(StoredClaim claim);

  /**
   * {@return whether a driver attaches claims to sandboxes ({@link PreparingDriver#hasAttach})} If
   * none does, sandboxes need not be reported.
   */
  boolean hasAttach();

  /**
   * {@return whether containers must not be created before a claim is attached to their sandbox
   * ({@link PreparingDriver#isAttachNeeded}); true if the driver throws; false if the driver is not
   * running in this process}
   *
   * @param claim a claim of this service
   */
  boolean isAttachNeeded(StoredClaim claim);

  /**
   * {@return the edits of a container that uses a prepared claim, or one request of it, in any
   * sandbox; {@link ContainerEdits#NONE} if the claim is not prepared or has no such request}
   *
   * @param uid the UID of the claim
   * @param request the name of a request; null for the whole claim. A request includes the devices
   *     of its alternatives.
   */
  default ContainerEdits editsFor(String uid, @Nullable String request) {
    return editsFor(uid, request, "");
  }

  /**
   * {@return the edits of a container that uses a prepared claim, or one request of it, in a
   * sandbox; {@link ContainerEdits#NONE} if the claim is not prepared or has no such request} If
   * attaching has changed the edits of a device, the changed edits are returned.
   *
   * @param uid the UID of the claim
   * @param request the name of a request; null for the whole claim. A request includes the devices
   *     of its alternatives.
   * @param sandboxId the ID of the sandbox
   */
  ContainerEdits editsFor(String uid, @Nullable String request, String sandboxId);

  /**
   * Adds a listener, which is notified of claims from now on.
   *
   * @param listener receives the outcome of calls for claims
   */
  void addClaimListener(ClaimListener listener);

  /**
   * Removes a listener. A running call of the listener may end after this method returns.
   *
   * @param listener a listener; nothing happens if it was not added
   */
  void removeClaimListener(ClaimListener listener);
}
