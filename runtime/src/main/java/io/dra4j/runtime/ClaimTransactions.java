package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Condition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.runtime.internal.call.AttachQueue;
import io.dra4j.runtime.internal.call.Interrupts;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls for a claim with all drivers that have devices in it; {@link ClaimKeeper} makes a call for
 * one driver. Calls for the same claim and driver, or for the same sandbox, run one after another.
 * A claim is attached by all its drivers or by none. A call for one driver does not wait for
 * another driver. A call holds the {@linkplain ClaimLocks locks} of its claim, and within them the
 * lock of one sandbox at a time.
 */
final class ClaimTransactions {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimTransactions.class);

  /** A driver, and its entry for a claim. */
  record Part(DriverSlot slot, StoredClaim claim) {

    String uid() {
      return claim.uid();
    }

    ClaimException failure(DriverException e) {
      return ClaimException.of(claim.claim().claim(), slot.name(), e);
    }
  }

  /** The number of calls that attach at the same time. */
  private static final int PLACES = 8;

  private final Map<String, DriverSlot> slots = new LinkedHashMap<>();
  private final ClaimKeeper keeper;
  private final HeldDevices held;
  private final ClaimLocks locks;
  private final Duration patience;
  private final AttachQueue queue = new AttachQueue(PLACES);

  /**
   * Creates the transactions of a runtime.
   *
   * @param patience how long a call waits for its turn to attach
   */
  ClaimTransactions(
      List<DriverSlot> slots,
      ClaimKeeper keeper,
      HeldDevices held,
      ClaimLocks locks,
      Duration patience) {
    slots.forEach(slot -> this.slots.put(slot.name(), slot));
    this.keeper = keeper;
    this.held = held;
    this.locks = locks;
    this.patience = patience;
  }

  // Preparing and attaching.

  List<PreparedDevice> prepare(ResourceClaim claim, @Nullable String only, Deadline deadline)
      throws ClaimException {
    String uid = claim.metadata().uid();
    AllocationResult allocated = claim.allocation();
    if (uid == null || uid.isEmpty() || allocated == null) {
      throw new ClaimException(
          claim.displayName(),
          null,
          Kind.INVALID,
          "expected a claim with metadata.uid and status.allocation",
          null);
    }
    if (only != null && !slots.containsKey(only)) {
      throw ofMissingDriver(claim.displayName(), only);
    }
    Set<String> drivers = new LinkedHashSet<>();
    for (DeviceRequestAllocationResult result : allocated.results()) {
      if (only == null || only.equals(result.driver())) {
        drivers.add(result.driver());
      }
    }
    return locks.ofClaim(
        uid,
        claim.displayName(),
        only == null ? driversOf(uid, drivers) : Set.of(only),
        deadline,
        () -> prepare(claim, uid, drivers, deadline));
  }

  /** Prepares a claim with some drivers, if its devices are free. */
  private List<PreparedDevice> prepare(
      ResourceClaim claim, String uid, Set<String> drivers, Deadline deadline)
      throws ClaimException {
    String problem = held.checkPreparing(uid, claim, drivers);
    if (problem != null) {
      throw new ClaimException(claim.displayName(), null, Kind.UNAVAILABLE, problem, null);
    }
    try {
      List<PreparedDevice> devices = new ArrayList<>();
      for (DriverSlot slot : slots.values()) {
        if (drivers.contains(slot.name())) {
          devices.addAll(prepare(slot, claim, uid, deadline));
        }
      }
      return List.copyOf(devices);
    } finally {
      held.endPreparing(uid); // the keeper has it now, or it was undone
    }
  }

  private List<PreparedDevice> prepare(
      DriverSlot slot, ResourceClaim claim, String uid, Deadline deadline) throws ClaimException {
    checkTakenUp(slot, claim.displayName());
    try {
      return keeper.prepare(slot, claimed(slot, claim, uid), deadline).devices();
    } catch (DriverException e) {
      throw ClaimException.of(claim.displayName(), slot.name(), e);
    }
  }

  private ClaimedDevices claimed(DriverSlot slot, ResourceClaim claim, String uid)
      throws DriverException {
    StoredClaim known = keeper.find(uid, slot.name());
    return ClaimedDevices.of(claim, slot.name(), id -> deviceOf(known, id, slot));
  }

  /** The device as it was when the claim was first prepared; otherwise as it is now. */
  private @Nullable Device deviceOf(@Nullable StoredClaim known, DeviceId id, DriverSlot slot) {
    Device now = slot.device(id);
    if (known != null && (now == null || !keeper.isOfOtherBoot(known))) {
      for (ClaimedDevice device : known.claim().claimed().devices()) {
        if (device.id().equals(id)) {
          return device.device();
        }
      }
    }
    return now;
  }

  /** Returns the conditions that must hold before pods use a claim that is not prepared yet. */
  List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    DriverSlot slot = slots.get(driver);
    String uid = claim.metadata().uid();
    if (slot == null) {
      throw ofMissingDriver(claim.displayName(), driver);
    }
    if (uid == null) {
      throw new ClaimException(
          claim.displayName(), driver, Kind.INVALID, "expected a claim with metadata.uid", null);
    }
    return locks.ofClaim(
        uid,
        claim.displayName(),
        Set.of(driver),
        deadline,
        () -> {
          try {
            return keeper.bind(slot, claimed(slot, claim, uid), deadline);
          } catch (DriverException e) {
            throw ClaimException.of(claim.displayName(), driver, e);
          }
        });
  }

  void reserve(String uid, List<ResourceClaimConsumerReference> consumers) throws ClaimException {
    locks.ofClaim(
        uid,
        uid,
        driversOf(uid, Set.of()),
        Deadline.none(),
        () ->
            forEachPart(
                uid,
                null,
                part -> {
                  try {
                    keeper.reserve(part.slot(), part.claim(), consumers, Deadline.none());
                  } catch (DriverException e) {
                    throw part.failure(e);
                  }
                }));
  }

  Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException {
    return locks.ofClaim(
        uid,
        uid,
        driversOf(uid, Set.of()),
        deadline,
        () -> {
          List<Part> parts = new ArrayList<>();
          for (StoredClaim claim : keeper.claimsOf(uid)) {
            parts.add(new Part(slotOf(claim), claim));
          }
          if (parts.isEmpty()) {
            throw new ClaimException(uid, null, Kind.UNAVAILABLE, "it is not prepared", null);
          }
          for (Part part : parts) {
            detachFromOthers(part, sandbox, deadline);
          }
          return locks.with(
              sandboxKey(sandbox.id()), uid, deadline, () -> inTurn(parts, sandbox, deadline));
        });
  }

  /** Detaches a claim from earlier sandboxes of the same pod. */
  private void detachFromOthers(Part part, Sandbox sandbox, Deadline deadline)
      throws ClaimException {
    for (StoredAttachment other : part.claim().attachments()) {
      if (!sandbox.podUid().isEmpty()
          && other.sandbox().podUid().equals(sandbox.podUid())
          && !other.sandbox().id().equals(sandbox.id())) {
        detach(part, other, deadline);
      }
    }
  }

  private Attached inTurn(List<Part> parts, Sandbox sandbox, Deadline deadline)
      throws ClaimException {
    String pod = sandbox.podUid().isEmpty() ? sandbox.id() : sandbox.podUid();
    String uid = parts.get(0).uid();
    try (AttachQueue.Place place = queue.enter(pod, deadline.forUndoing(patience))) {
      if (place == null) {
        throw new ClaimException(
            uid,
            null,
            Kind.UNAVAILABLE,
            "too many other claims are being attached; call again",
            null);
      }
      return attach(parts, sandbox, deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClaimException(uid, null, Kind.FAILED, "interrupted", e);
    }
  }

  private Attached attach(List<Part> parts, Sandbox sandbox, Deadline deadline)
      throws ClaimException {
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    Map<DeviceId, ContainerEdits> edits = new LinkedHashMap<>();
    List<Part> attached = new ArrayList<>();
    for (Part part : parts) {
      try {
        settle(
            part, sandbox.id(), deadline); // does nothing unless this sandbox was detached before
        StoredClaim claim = now(part);
        StoredAttachment known = ClaimKeeper.attachmentOf(claim, sandbox.id());
        Attached answer = attach(part, claim, sandbox, deadline);
        statuses.addAll(answer.statuses());
        edits.putAll(answer.edits());
        if (known == null || known.state() != ClaimState.DONE) {
          attached.add(part);
        }
      } catch (ClaimException failure) {
        Interrupts.defer(() -> takeBack(attached, sandbox, failure));
        throw failure;
      }
    }
    return new Attached(statuses, edits);
  }

  private Attached attach(Part part, StoredClaim claim, Sandbox sandbox, Deadline deadline)
      throws ClaimException {
    try {
      return keeper.attach(part.slot(), claim, sandbox, deadline);
    } catch (DriverException e) {
      throw part.failure(e);
    }
  }

  private void takeBack(List<Part> attached, Sandbox sandbox, ClaimException failure) {
    for (Part one : attached) {
      try {
        detachNow(one, sandbox.id(), Deadline.none());
      } catch (ClaimException e) {
        failure.addSuppressed(e);
      }
    }
  }

  // Detaching and unpreparing.

  void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException {
    locks.ofClaim(
        uid,
        uid,
        driversOf(uid, Set.of()),
        deadline,
        () ->
            locks.with(
                sandboxKey(sandboxId),
                uid,
                deadline,
                () -> forEachPart(uid, null, part -> detachNow(part, sandboxId, deadline))));
  }

  /**
   * Unprepares a claim.
   *
   * @param only the only driver that unprepares; null for all drivers
   * @param then runs afterwards, before any other call for the claim
   */
  void unprepare(String uid, @Nullable String only, Deadline deadline, CallRunner.Call<?> then)
      throws ClaimException {
    locks.ofClaim(
        uid,
        uid,
        only == null ? driversOf(uid, Set.of()) : Set.of(only),
        deadline,
        () -> {
          forEachPart(uid, only, part -> unprepare(part, deadline));
          return then.run();
        });
  }

  private void unprepare(Part part, Deadline deadline) throws ClaimException {
    forEachAttachment(
        part,
        attachment -> {
          detach(part, attachment, deadline);
          settle(part, attachment.sandbox().id(), deadline);
        });
    try {
      keeper.unprepare(part.slot(), now(part), deadline);
    } catch (DriverException e) {
      throw part.failure(e);
    }
  }

  interface AttachmentWork {
    void run(StoredAttachment attachment) throws ClaimException;
  }

  /** Runs work for each attachment. A failure does not stop it, and is reported at the end. */
  private static void forEachAttachment(Part part, AttachmentWork work) throws ClaimException {
    ClaimException failure = null;
    for (StoredAttachment attachment : part.claim().attachments()) {
      try {
        work.run(attachment);
      } catch (ClaimException e) {
        failure = joined(failure, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private StoredClaim now(Part part) {
    StoredClaim now = keeper.find(part.uid(), part.slot().name());
    return now == null ? part.claim() : now;
  }

  /** Detaches with the lock of the sandbox. */
  private void detach(Part part, StoredAttachment attachment, Deadline deadline)
      throws ClaimException {
    String sandbox = attachment.sandbox().id();
    locks.with(
        sandboxKey(sandbox),
        part.uid(),
        deadline,
        () -> {
          detachNow(part, sandbox, deadline);
          return part;
        });
  }

  private void detachNow(Part part, String sandboxId, Deadline deadline) throws ClaimException {
    StoredClaim now = keeper.find(part.uid(), part.slot().name());
    StoredAttachment attachment = now == null ? null : ClaimKeeper.attachmentOf(now, sandboxId);
    if (now == null || attachment == null) {
      return;
    }
    try {
      keeper.detach(part.slot(), now, attachment, deadline);
    } catch (DriverException e) {
      throw part.failure(e);
    }
  }

  /** Restores the settings that detaching left, one call at a time for each attachment. */
  void settle(Part part, String sandboxId, Deadline deadline) throws ClaimException {
    locks.with(
        "settling " + part.uid() + " " + part.slot().name() + " " + sandboxId,
        part.uid(),
        deadline,
        () -> {
          try {
            keeper.settle(part.slot(), part.claim(), sandboxId, deadline);
            return part;
          } catch (DriverException e) {
            throw part.failure(e);
          }
        });
  }

  /** Continues to undo a claim, or its attachment to a sandbox. */
  void takeBack(String uid, String driver) throws ClaimException {
    locks.ofClaim(
        uid,
        uid,
        Set.of(driver),
        Deadline.none(),
        () -> {
          StoredClaim claim = keeper.find(uid, driver);
          if (claim != null) {
            takeBack(new Part(slotOf(claim), claim));
          }
          return uid;
        });
  }

  private void takeBack(Part part) throws ClaimException {
    if (part.claim().state() != ClaimState.DONE || keeper.isOfOtherBoot(part.claim())) {
      unprepare(part, Deadline.none());
      return;
    }
    forEachAttachment(
        part,
        attachment -> {
          if (attachment.state() == ClaimState.STARTING
              || attachment.state() == ClaimState.STOPPING) {
            detach(part, attachment, Deadline.none());
          }
        });
  }

  /** Forgets a claim that is quarantined, or whose driver is not running. */
  void forget(String uid, String driver) throws ClaimException {
    locks.ofClaim(
        uid,
        uid,
        Set.of(driver),
        Deadline.none(),
        () -> {
          try {
            keeper.forget(new ClaimKeeper.Id(uid, driver), slots.get(driver));
            return uid;
          } catch (StoreException e) {
            throw ClaimException.ofStore(uid, e);
          }
        });
  }

  interface PartWork {
    void run(Part part) throws ClaimException;
  }

  /** Runs work for each driver. A failure does not stop it, and is reported at the end. */
  private List<StoredClaim> forEachPart(String uid, @Nullable String only, PartWork work)
      throws ClaimException {
    List<StoredClaim> claims =
        keeper.claimsOf(uid).stream()
            .filter(one -> only == null || one.driver().equals(only))
            .toList();
    ClaimException failure = null;
    for (StoredClaim claim : claims) {
      try {
        work.run(new Part(slotOf(claim), claim));
      } catch (ClaimException e) {
        failure = joined(failure, e);
      }
    }
    for (ClaimKeeper.Id id : keeper.damaged().keySet()) { // also claims without any readable record
      if (failure == null && id.uid().equals(uid) && (only == null || id.driver().equals(only))) {
        try {
          keeper.checkWhole(id);
        } catch (DriverException e) {
          failure = joined(failure, ClaimException.of(uid, id.driver(), e));
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return claims;
  }

  private static ClaimException joined(@Nullable ClaimException first, ClaimException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  /** Whether a driver attaches claims. */
  boolean hasAttach() {
    return slots.values().stream().anyMatch(slot -> slot.preparing().hasAttach());
  }

  /** Whether containers must wait until a claim is attached. */
  boolean isAttachNeeded(StoredClaim claim) {
    DriverSlot slot = slots.get(claim.driver());
    if (slot == null) {
      return false;
    }
    try {
      return slot.preparing().isAttachNeeded(claim.claim());
    } catch (
        RuntimeException e) { // a defect of the driver must not make a container start too early
      LOG.atWarn()
          .setCause(e)
          .log(
              "driver {} threw an exception in isAttachNeeded; containers wait until its claims"
                  + " are attached",
              claim.driver());
      return true;
    }
  }

  DriverSlot slotOf(StoredClaim claim) throws ClaimException {
    DriverSlot slot = slots.get(claim.driver());
    if (slot == null) {
      throw ofMissingDriver(claim.claim().claim().toString(), claim.driver());
    }
    checkTakenUp(slot, claim.claim().claim().toString());
    return slot;
  }

  private static ClaimException ofMissingDriver(String claim, String driver) {
    return new ClaimException(
        claim, driver, Kind.UNAVAILABLE, "the driver is not running in this process", null);
  }

  /** Refuses calls until the driver has resumed the attachments of an earlier process. */
  private static void checkTakenUp(DriverSlot slot, String claim) throws ClaimException {
    if (!slot.hasTakenUp()) {
      throw new ClaimException(
          claim,
          slot.name(),
          Kind.UNAVAILABLE,
          "the driver is still resuming the claims of an earlier process",
          null);
    }
  }

  // Locks.

  private static String sandboxKey(String id) {
    return "sandbox " + id;
  }

  /** All drivers that have devices of a claim, or will have. */
  private Set<String> driversOf(String uid, Set<String> more) {
    Set<String> drivers = new HashSet<>(more);
    drivers.addAll(slots.keySet());
    keeper.claimsOf(uid).forEach(claim -> drivers.add(claim.driver()));
    return drivers;
  }
}
