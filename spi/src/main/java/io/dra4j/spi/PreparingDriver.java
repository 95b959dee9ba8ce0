package io.dra4j.spi;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import java.util.List;

/**
 * A driver that not only offers devices, but also prepares them for the claims that they are
 * allocated to. A claim goes through four calls. The process can be killed in each of them:
 *
 * <pre>
 *   prepare ──▶ attach ──▶ detach ──▶ unprepare
 *               (once for each sandbox that uses the claim)
 * </pre>
 *
 * <p>Rules for every driver, which {@code DriverKit} of the testkit tests:
 *
 * <ul>
 *   <li><b>Threads.</b> Calls for one claim never overlap, nor do calls for one sandbox. Calls for
 *       different claims and sandboxes can overlap, and {@link #discover} and {@link #health} can
 *       overlap with all other calls. All calls come on platform threads of the runtime; a driver
 *       must not change their namespaces.
 *   <li><b>Time.</b> A call that takes longer than the runtime's limit is interrupted. It must then
 *       throw a {@link DriverException}, and leave the interrupt flag set.
 *   <li><b>Failure.</b> A driver reports a failure by {@link DriverException}. Any other exception
 *       is a bug of the driver: it counts as a failure and is logged with its stack trace. A driver
 *       needs no clean-up code for failures: after a failure of {@code prepare} or {@code attach}
 *       the runtime calls {@code unprepare} or {@code detach} with the same journal.
 *   <li><b>Crashes.</b> Before a driver changes anything that outlives the process, it {@linkplain
 *       Journal#record records} the step. After a restart, the runtime undoes incomplete calls by
 *       {@code detach} and {@code unprepare}, with the journal of the killed process. The results
 *       of complete calls stay.
 *   <li><b>Reboots.</b> After a reboot, the runtime undoes every claim of the earlier boot, and
 *       prepares it again on request. The journal reports it ({@link Journal#isOfOtherBoot}), and
 *       the default {@code unprepare} and {@code detach} call {@link #undoAfterReboot} instead of
 *       {@link #undo}.
 *   <li><b>Missing devices.</b> If {@code detach} finds a device neither in the sandbox nor on the
 *       host, it throws an exception of kind {@linkplain DriverException.Kind#UNAVAILABLE
 *       unavailable}: the runtime keeps the attachment, reports it, and tries again until the
 *       device appears.
 *   <li><b>Idempotence.</b> {@code unprepare} and {@code detach} can be called again after success
 *       and after incomplete calls. It is no error if a change is undone already, or its object is
 *       gone from the host. {@code prepare} of a prepared claim returns the same result and changes
 *       nothing. The runtime itself answers repeated calls from its store where it can.
 * </ul>
 */
public interface PreparingDriver extends DeviceDriver {

  /**
   * Prepares the devices of a claim before any container of its pod starts: checks the
   * configurations, does the slow work, plans {@link #attach}. Afterwards all devices of the claim
   * are ready; otherwise the method throws.
   *
   * @param claim the claim with its devices of this driver
   * @param journal receives the steps that outlive the process; empty at the beginning, unless the
   *     claim is being prepared again
   * @return each claimed device with the edits of containers and the state of the driver
   * @throws DriverException if a device cannot be made ready; {@link DriverException.Kind#INVALID}
   *     if the configuration does not allow it
   */
  Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException;

  /**
   * Undoes a complete or incomplete {@link #prepare}. The claim is no longer attached to any
   * sandbox. By default the steps of the journal are undone by {@link #undo}, newest first.
   *
   * @param claim the claim; with {@link Prepared#NOTHING} if the preparation failed or was
   *     interrupted
   * @param journal the steps of {@code prepare}; empty afterwards
   * @throws DriverException if something could not be undone; the call is repeated later
   */
  default void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
    undoAll(journal);
  }

  /**
   * Checks whether a prepared claim can be used after its {@code reservedFor} has changed. A driver
   * that moves a device into a single pod rejects a second pod here, before that pod starts. By
   * default every change is accepted.
   *
   * @param claim the prepared claim, with its new consumers
   * @throws DriverException if they cannot use it; the claim stays as it is
   */
  default void reserve(PreparedClaim claim) throws DriverException {}

  /**
   * {@return the conditions in {@code status.devices} that must hold before pods use an allocated,
   * not yet prepared claim ({@code bindingConditions}, KEP-5007); empty by default}
   *
   * @param claim the claim with its devices of this driver
   * @throws DriverException if the driver does not know them now; the call is repeated later
   */
  default List<Condition> bind(ClaimedDevices claim) throws DriverException {
    return List.of();
  }

  /**
   * Brings all devices of a prepared claim into a sandbox, or throws; then the runtime calls {@link
   * #detach}. The default does nothing, which is sufficient for devices that are only files.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox of its containers, which do not run yet
   * @param journal receives the steps; empty at the beginning
   * @return the entries to write to {@code status.devices} of the claim; may be empty
   * @throws DriverException if a device cannot be attached
   */
  default List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return List.of();
  }

  /**
   * Works as {@link #attach}, and returns edits that are known only afterwards. The runtime calls
   * this method. By default it calls {@code attach}, so a driver implements one of the two.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox of its containers, which do not run yet
   * @param journal receives the steps; empty at the beginning
   * @return statuses for the claim, and the edits that differ from the edits of {@link #prepare}
   * @throws DriverException if a device cannot be attached
   */
  default Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return Attached.of(attach(claim, sandbox, journal));
  }

  /**
   * {@return whether the driver attaches devices to sandboxes; always the same} If not, it needs no
   * container runtime that reports sandboxes. By default it does if it overrides {@code attach} or
   * {@code attachDevices}.
   */
  default boolean hasAttach() {
    return Overrides.hasAttach(getClass());
  }

  /**
   * {@return whether containers must not be created before {@link #attach} has ended, for example
   * because it brings a device into the sandbox} By default true for each claim of a driver that
   * {@linkplain #hasAttach attaches} devices. Must not block.
   *
   * @param claim the prepared claim
   */
  default boolean isAttachNeeded(PreparedClaim claim) {
    return hasAttach();
  }

  /**
   * Undoes a complete or incomplete {@link #attach}: after the pod has ended, after a failed {@code
   * attach}, and after a crash during {@code attach}. Afterwards the devices are on the host again.
   * The sandbox may be gone. By default the steps of the journal are undone by {@link #undo},
   * newest first.
   *
   * <p>The caller of the runtime waits for this method. Steps that take longer and need no sandbox,
   * such as settings that wait for a carrier, can stay in the journal: {@link #settle} undoes them
   * afterwards.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox that it was attached to
   * @param journal the steps of {@code attach}; empty afterwards, except for the steps that {@code
   *     settle} undoes
   * @throws DriverException if something could not be undone; the call is repeated later
   */
  default void detach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    undoAll(journal);
  }

  /**
   * Undoes the steps that {@link #detach} left in the journal: afterwards the devices are as they
   * were before {@code attach}. The runtime calls it on a separate thread after {@code detach} has
   * returned, again after a restart, and before {@link #unprepare} of the claim. It can overlap
   * with an {@code attach} of the same claim to another sandbox, which does not wait for it. A
   * driver that leaves steps in the journal must not change a device that was attached again
   * meanwhile. By default the steps are undone by {@link #undo}, newest first.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox that it was attached to; it may be gone
   * @param journal the remaining steps; empty afterwards
   * @throws DriverException if something could not be undone; the call is repeated later
   */
  default void settle(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    undoAll(journal);
  }

  private void undoAll(Journal journal) throws DriverException {
    journal.undo(journal.isOfOtherBoot() ? this::undoAfterReboot : this::undo);
  }

  /**
   * Undoes one step that this driver recorded, possibly in an earlier process. See {@link
   * Journal.Undo#undo} for the states that it must handle. Only the default {@link #unprepare} and
   * {@link #detach} call it.
   *
   * @param step the step
   * @throws DriverException if it cannot be undone now, which is the default for every step
   */
  default void undo(Step step) throws DriverException {
    throw DriverException.failed(
        "driver %s records steps, but its undo method does not handle '%s'"
            .formatted(name(), step.name()),
        null);
  }

  /**
   * Undoes one step that this driver recorded before the last reboot. If the steps of a driver
   * change only state that a reboot resets, it overrides this method to do nothing: a value of the
   * earlier boot must not overwrite the value of this boot. The default calls {@link #undo}. Only
   * the default {@link #unprepare}, {@link #detach} and {@link #settle} call it.
   *
   * @param step the step
   * @throws DriverException if it cannot be undone now
   */
  default void undoAfterReboot(Step step) throws DriverException {
    undo(step);
  }

  /**
   * Passes a claim that an earlier process attached to a sandbox, so that the driver can acquire
   * resources that it needs for {@link #detach}, for example open the network namespace. Called
   * once for each attachment before any other call. The default does nothing.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox that it is attached to; it may be gone
   * @throws DriverException if the attachment cannot be resumed; the failure is logged, and the
   *     attachment stays until it is detached
   */
  default void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {}

  /**
   * Passes a claim whose devices an earlier process detached but did not {@linkplain #settle
   * settle}. If another sandbox gets such a device before it is restored, the driver still knows
   * the state to restore. Called once for each such attachment before any other call; {@link
   * #settle} follows. The default does nothing.
   *
   * @param claim the prepared claim
   * @param sandbox the sandbox that it was attached to
   * @param journal the steps that {@link #settle} will undo; must only be read
   * @throws DriverException if the steps cannot be understood; the failure is logged
   */
  default void resumeSettling(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {}

  /**
   * Releases resources that the driver holds for a claim outside of the host, such as an address of
   * a pool. The runtime calls it after an operator returned the devices by hand and removed the
   * claim from the runtime. The devices must not be changed. The default does nothing.
   *
   * @param claim the claim; with {@link Prepared#NOTHING} if the preparation was not completed
   * @param steps the steps of {@code prepare} that are not undone, oldest first; some may be
   *     missing
   * @throws DriverException if something could not be released; the failure is logged, and the call
   *     is not repeated
   */
  default void forget(PreparedClaim claim, List<Step> steps) throws DriverException {}

  /**
   * {@return the known health of devices; devices without an entry are {@link
   * DeviceHealth.Status#UNKNOWN}; empty by default} Called after each {@link #offers} with the same
   * inventory. An entry for a device that its pool does not have is ignored, and the runtime
   * reports it as a problem.
   *
   * @param host the inventory of the host
   */
  default List<DeviceHealth> health(HostInventory host) {
    return List.of();
  }
}
