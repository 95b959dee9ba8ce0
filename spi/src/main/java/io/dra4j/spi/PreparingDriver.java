package io.dra4j.spi;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import java.util.List;

/**
 * A driver that not only offers devices but makes them ready for the claims that got them. A claim
 * goes through four calls, each of which can be the last that a killed process made:
 *
 * <pre>
 *   prepare ──▶ attach ──▶ detach ──▶ unprepare
 *               (once for each sandbox that uses the claim)
 * </pre>
 *
 * <p>What every driver keeps to, and {@code DriverKit} of the testkit tests:
 *
 * <ul>
 *   <li><b>Threads.</b> Calls for one claim never overlap, nor do calls for one sandbox. Calls for
 *       different claims and sandboxes do, and {@link #discover} and {@link #health} overlap with
 *       everything. All come on platform threads of the runtime, whose namespaces a driver leaves
 *       as they are.
 *   <li><b>Time.</b> A call that takes longer than the runtime's limit is interrupted. It then ends
 *       with a {@link DriverException}, and leaves the interrupt flag set.
 *   <li><b>Failure.</b> Only {@link DriverException} reports one. Any other exception is a bug of
 *       the driver: it counts as a failure and is logged with its stack trace. A driver needs no
 *       clean-up of its own: after a failure of {@code prepare} or {@code attach} the runtime calls
 *       {@code unprepare} or {@code detach} with the same journal.
 *   <li><b>Crashes.</b> Before a driver changes anything that outlives the process, it {@linkplain
 *       Journal#record records} the step. After a restart the runtime takes back what was begun and
 *       did not end, by {@code detach} and {@code unprepare} with the journal of the killed
 *       process; what ended stays as it is.
 *   <li><b>Reboots.</b> After the host was started anew, the runtime takes back every claim of the
 *       boot before, and prepares it again when it is asked to. The journal says so ({@link
 *       Journal#isOfOtherBoot}), and the default {@code unprepare} and {@code detach} call {@link
 *       #undoAfterReboot} instead of {@link #undo}.
 *   <li><b>Missing devices.</b> A device that {@code detach} finds neither in the sandbox nor on
 *       the host is {@linkplain DriverException.Kind#UNAVAILABLE unavailable}, not detached: the
 *       runtime keeps the attachment, reports it, and tries again until the device appears.
 *   <li><b>Idempotence.</b> {@code unprepare} and {@code detach} can be called again after success,
 *       and after anything that was begun; what is already back, or gone from the host, is no
 *       error. {@code prepare} of a claim that is prepared gives the same answer and changes
 *       nothing. The runtime itself answers repeated calls from its store where it can.
 * </ul>
 */
public interface PreparingDriver extends DeviceDriver {

  /**
   * Makes the devices of a claim ready, before any container of its pod starts: checks the
   * configurations, does the slow work, plans {@link #attach}. Either all devices of the claim are
   * ready afterwards, or it throws.
   *
   * @param claim what the claim got from this driver
   * @param journal takes the steps that outlive the process; empty when this begins, unless the
   *     claim is being prepared again
   * @return the devices with what containers get and what the driver wants to remember; one for
   *     each claimed device
   * @throws DriverException if a device cannot be made ready; {@link DriverException.Kind#INVALID}
   *     if the configuration does not allow it
   */
  Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException;

  /**
   * Takes back what {@link #prepare} did, wholly or in part. It is not attached to any sandbox any
   * more. By default the steps of the journal are undone by {@link #undo}, newest first.
   *
   * @param claim the claim; with {@link Prepared#NOTHING} if preparing failed or was cut short
   * @param journal the steps of {@code prepare}, empty afterwards
   * @throws DriverException if something could not be taken back; the call is repeated later
   */
  default void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
    undoAll(journal);
  }

  /**
   * Checks whether other consumers can use a claim that is prepared: its {@code reservedFor} has
   * changed since. A driver that moves a device into one pod refuses a second one here, rather than
   * when the second pod starts. By default every change is accepted.
   *
   * @param claim the prepared claim, with the consumers that it is for from now on
   * @throws DriverException if they cannot use it; the claim stays as it is
   */
  default void reserve(PreparedClaim claim) throws DriverException {}

  /**
   * Says which conditions of a device must hold before pods can use a claim that was allocated to
   * this node and is not prepared yet ({@code bindingConditions} of the device, KEP-5007).
   *
   * @param claim what the claim got from this driver
   * @return the conditions for {@code status.devices} of the claim; empty by default
   * @throws DriverException if the driver does not know them now; the call is repeated later
   */
  default List<Condition> bind(ClaimedDevices claim) throws DriverException {
    return List.of();
  }

  /**
   * Brings the devices of a prepared claim into a sandbox, as one transaction: afterwards either
   * all are there, or it throws and the runtime calls {@link #detach}. By default nothing is done,
   * which is right for devices that are files only.
   *
   * @param claim the prepared claim
   * @param sandbox where its containers will run; they do not run yet
   * @param journal takes the steps; empty when this begins
   * @return what is to be written in {@code status.devices} of the claim; may be empty
   * @throws DriverException if a device cannot be attached
   */
  default List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return List.of();
  }

  /**
   * Brings the devices of a prepared claim into a sandbox, as {@link #attach} does, and says what
   * containers get now that they are there. The runtime calls this method, which by default calls
   * {@code attach}: a driver has one of both.
   *
   * @param claim the prepared claim
   * @param sandbox where its containers will run; they do not run yet
   * @param journal takes the steps; empty when this begins
   * @return statuses for the claim, and edits where they differ from those of {@link #prepare}
   * @throws DriverException if a device cannot be attached
   */
  default Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return Attached.of(attach(claim, sandbox, journal));
  }

  /**
   * Says whether the driver attaches devices to sandboxes. A driver that does not needs no
   * container runtime that reports sandboxes. By default that is so if it has an {@code attach} or
   * {@code attachDevices} of its own. Always the same.
   *
   * @return whether claims are attached
   */
  default boolean hasAttach() {
    return Overrides.hasAttach(getClass());
  }

  /**
   * Says whether containers must not be created before {@link #attach} has ended: it brings a
   * device into the sandbox, for example. By default that is so for each claim of a driver that
   * {@linkplain #hasAttach attaches} devices. Does not block.
   *
   * @param claim the prepared claim
   * @return whether containers have to wait
   */
  default boolean isAttachNeeded(PreparedClaim claim) {
    return hasAttach();
  }

  /**
   * Takes back what {@link #attach} did, wholly or in part: after the pod has ended, after a failed
   * {@code attach}, and after a crash within one. The devices are on the host again afterwards. The
   * sandbox may be gone. By default the steps of the journal are undone by {@link #undo}, newest
   * first.
   *
   * <p>The caller of the runtime waits for this method. Steps that take longer and need no sandbox,
   * such as settings that wait for a carrier, can stay in the journal: {@link #settle} undoes them
   * afterwards.
   *
   * @param claim the prepared claim
   * @param sandbox where it was attached
   * @param journal the steps of {@code attach}; empty afterwards, but for those that {@code settle}
   *     undoes
   * @throws DriverException if something could not be taken back; the call is repeated later
   */
  default void detach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    undoAll(journal);
  }

  /**
   * Undoes the steps that {@link #detach} left in the journal: the devices are as they were before
   * {@code attach}. It is called on a thread of its own after {@code detach} has answered, after a
   * restart again, and before {@link #unprepare} of the claim. It can overlap with an {@code
   * attach} of the same claim to another sandbox, which does not wait for it: a driver that leaves
   * steps in the journal does nothing to a device that is attached again meanwhile. By default the
   * steps are undone by {@link #undo}, newest first.
   *
   * @param claim the prepared claim
   * @param sandbox where it was attached; it may be gone
   * @param journal the steps that are left, empty afterwards
   * @throws DriverException if something could not be taken back; the call is repeated later
   */
  default void settle(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    undoAll(journal);
  }

  private void undoAll(Journal journal) throws DriverException {
    journal.undo(journal.isOfOtherBoot() ? this::undoAfterReboot : this::undo);
  }

  /**
   * Undoes one step that this driver recorded, perhaps in an earlier process. See {@link
   * Journal.Undo#undo} for what it must bear. Only the default {@link #unprepare} and {@link
   * #detach} call it.
   *
   * @param step the step
   * @throws DriverException if it cannot be undone now, which is the default for every step
   */
  default void undo(Step step) throws DriverException {
    throw DriverException.failed(
        "driver %s records steps and does not undo '%s'".formatted(name(), step.name()), null);
  }

  /**
   * Undoes one step that this driver recorded before the host was started anew. A driver whose
   * steps change only what the kernel forgets at a reboot undoes nothing here: the value of the
   * boot before must not be written over that of this boot. Only the default {@link #unprepare},
   * {@link #detach} and {@link #settle} call it.
   *
   * @param step the step
   * @throws DriverException if it cannot be undone now
   */
  default void undoAfterReboot(Step step) throws DriverException {
    undo(step);
  }

  /**
   * Hands over a claim that is attached to a sandbox since before this process began, so that the
   * driver can take hold of what it needs for {@link #detach}: open the network namespace, for
   * example. Called once for each attachment before any other call. By default nothing is done.
   *
   * @param claim the prepared claim
   * @param sandbox where it is attached; it may be gone
   * @throws DriverException if the attachment cannot be taken up again; it is logged, and the
   *     attachment stays until it is detached
   */
  default void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {}

  /**
   * Hands over a claim whose devices an earlier process brought home and did not {@linkplain
   * #settle settle}, so that another sandbox can get a device before it is restored, and the driver
   * still knows what it has to become. Called once for each such attachment before any other call;
   * {@link #settle} follows. By default nothing is done.
   *
   * @param claim the prepared claim
   * @param sandbox where it was attached
   * @param journal the steps that {@link #settle} will undo; only to be read
   * @throws DriverException if the steps cannot be understood; it is logged
   */
  default void resumeSettling(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {}

  /**
   * Gives back what is held for a claim outside of the host, such as an address of a pool: an
   * operator has brought the devices back by hand, and the runtime has forgotten the claim. The
   * devices are left as they are. By default nothing is done.
   *
   * @param claim the claim; with {@link Prepared#NOTHING} if preparing did not end
   * @param steps the steps of {@code prepare} that are not undone, oldest first; some may be
   *     missing
   * @throws DriverException if something could not be given back; it is logged and not repeated
   */
  default void forget(PreparedClaim claim, List<Step> steps) throws DriverException {}

  /**
   * Reports which devices work. Called after each {@link #offers} with the same facts. An entry for
   * a device that its pool does not have is left out, and is a problem of the runtime.
   *
   * @param host what is on the host
   * @return what is known; devices that are not named are {@link DeviceHealth.Status#UNKNOWN};
   *     empty by default
   */
  default List<DeviceHealth> health(HostInventory host) {
    return List.of();
  }
}
