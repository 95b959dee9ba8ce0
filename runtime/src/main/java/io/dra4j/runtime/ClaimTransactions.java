package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls about a claim with all drivers that have devices in it, where {@link ClaimKeeper} does it
 * with one of them: in turn with other calls for the claim or for a sandbox, and attached by all
 * drivers or by none. A call holds the lock of its claim, and within it that of one sandbox at a
 * time.
 */
final class ClaimTransactions {

  /** What a driver has of a claim, and the driver. */
  private record Part(DriverSlot slot, StoredClaim claim) {

    String uid() {
      return claim.claim().claim().uid();
    }

    ClaimException failure(DriverException e) {
      return ClaimException.of(claim.claim().claim(), slot.name(), e);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ClaimTransactions.class);

  private final Map<String, DriverSlot> slots = new LinkedHashMap<>();
  private final ClaimKeeper keeper;
  private final HeldDevices held;
  private final CallRunner runner;
  private final Duration patience;
  private final KeyedLocks locks = new KeyedLocks();
  private final Set<DriverSlot> takingBack = ConcurrentHashMap.newKeySet();

  /**
   * Makes the transactions of a runtime.
   *
   * @param patience how long a call waits for another one of the same claim or sandbox
   */
  ClaimTransactions(
      List<DriverSlot> slots,
      ClaimKeeper keeper,
      HeldDevices held,
      CallRunner runner,
      Duration patience) {
    slots.forEach(slot -> this.slots.put(slot.name(), slot));
    this.keeper = keeper;
    this.held = held;
    this.runner = runner;
    this.patience = patience;
  }

  // Preparing and attaching.

  List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
    String uid = claim.metadata().uid();
    AllocationResult allocated = claim.allocation();
    if (uid == null || uid.isEmpty() || allocated == null) {
      throw new ClaimException(
          claim.displayName(), null, Kind.INVALID, "want a unique id and an allocation", null);
    }
    Set<String> drivers = new LinkedHashSet<>();
    for (DeviceRequestAllocationResult result : allocated.results()) {
      drivers.add(result.driver());
    }
    return ofClaim(
        uid,
        claim.displayName(),
        () -> {
          String problem = held.checkPreparing(uid, claim);
          if (problem != null) {
            throw new ClaimException(claim.displayName(), null, Kind.UNAVAILABLE, problem, null);
          }
          try {
            List<PreparedDevice> devices = new ArrayList<>();
            for (DriverSlot slot : slots.values()) {
              if (drivers.contains(slot.name())) {
                devices.addAll(prepare(slot, claim, uid));
              }
            }
            return List.copyOf(devices);
          } finally {
            held.endPreparing(uid); // the keeper has it now, or it is taken back
          }
        });
  }

  private List<PreparedDevice> prepare(DriverSlot slot, ResourceClaim claim, String uid)
      throws ClaimException {
    checkTakenUp(slot, claim.displayName());
    StoredClaim known = keeper.find(uid, slot.name());
    try {
      ClaimedDevices claimed =
          ClaimedDevices.of(claim, slot.name(), id -> deviceOf(known, id, slot));
      return keeper.prepare(slot, claimed).devices();
    } catch (DriverException e) {
      throw ClaimException.of(claim.displayName(), slot.name(), e);
    }
  }

  /** As it was when the claim was prepared first, otherwise as it is now. */
  private static @Nullable Device deviceOf(
      @Nullable StoredClaim known, DeviceId id, DriverSlot slot) {
    if (known != null) {
      for (ClaimedDevice device : known.claim().claimed().devices()) {
        if (device.id().equals(id)) {
          return device.device();
        }
      }
    }
    return slot.device(id);
  }

  List<AllocatedDeviceStatus> attach(String uid, Sandbox sandbox) throws ClaimException {
    return ofClaim(
        uid,
        uid,
        () -> {
          List<Part> parts = new ArrayList<>();
          for (StoredClaim claim : keeper.claimsOf(uid)) {
            parts.add(new Part(slotOf(claim), claim));
          }
          if (parts.isEmpty()) {
            throw new ClaimException(uid, null, Kind.UNAVAILABLE, "it is not prepared", null);
          }
          for (Part part : parts) {
            detachFromOthers(part, sandbox);
          }
          return locked(sandboxKey(sandbox.id()), uid, () -> attach(parts, sandbox));
        });
  }

  /** A new sandbox of a pod takes over what the one before had. */
  private void detachFromOthers(Part part, Sandbox sandbox) throws ClaimException {
    for (StoredAttachment other : part.claim().attachments()) {
      if (!sandbox.podUid().isEmpty()
          && other.sandbox().podUid().equals(sandbox.podUid())
          && !other.sandbox().id().equals(sandbox.id())) {
        detach(part, other);
      }
    }
  }

  private List<AllocatedDeviceStatus> attach(List<Part> parts, Sandbox sandbox)
      throws ClaimException {
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    List<Part> attached = new ArrayList<>();
    for (Part part : parts) {
      StoredAttachment known = ClaimKeeper.attachmentOf(part.claim(), sandbox.id());
      boolean isNew =
          known == null || known.state() != ClaimState.DONE || !known.sandbox().equals(sandbox);
      try {
        statuses.addAll(keeper.attach(part.slot(), part.claim(), sandbox));
      } catch (DriverException e) {
        ClaimException failure = part.failure(e);
        Interrupts.defer(() -> takeBack(attached, sandbox, failure));
        throw failure;
      }
      if (isNew) {
        attached.add(part);
      }
    }
    return List.copyOf(statuses);
  }

  private void takeBack(List<Part> attached, Sandbox sandbox, ClaimException failure) {
    for (Part one : attached) {
      try {
        detachNow(one, sandbox.id());
      } catch (ClaimException e) {
        failure.addSuppressed(e);
      }
    }
  }

  // Detaching and unpreparing.

  void detach(String uid, String sandboxId) throws ClaimException {
    ofClaim(
        uid,
        uid,
        () ->
            locked(
                sandboxKey(sandboxId),
                uid,
                () -> forEachPart(uid, part -> detachNow(part, sandboxId))));
  }

  /**
   * Unprepares a claim.
   *
   * @param then runs afterwards, before another call for the claim does
   */
  void unprepare(String uid, CallRunner.Call<?> then) throws ClaimException {
    ofClaim(
        uid,
        uid,
        () -> {
          forEachPart(uid, this::unprepare);
          return then.run();
        });
  }

  private void unprepare(Part part) throws ClaimException {
    for (StoredAttachment attachment : part.claim().attachments()) {
      detach(part, attachment);
    }
    StoredClaim now = keeper.find(part.uid(), part.slot().name());
    try {
      keeper.unprepare(part.slot(), now == null ? part.claim() : now);
    } catch (DriverException e) {
      throw part.failure(e);
    }
  }

  /** With the lock of its sandbox. */
  private void detach(Part part, StoredAttachment attachment) throws ClaimException {
    String sandbox = attachment.sandbox().id();
    locked(
        sandboxKey(sandbox),
        part.uid(),
        () -> {
          detachNow(part, sandbox);
          return part;
        });
  }

  private void detachNow(Part part, String sandboxId) throws ClaimException {
    StoredClaim now = keeper.find(part.uid(), part.slot().name());
    StoredAttachment attachment = now == null ? null : ClaimKeeper.attachmentOf(now, sandboxId);
    if (now == null || attachment == null) {
      return;
    }
    try {
      keeper.detach(part.slot(), now, attachment);
    } catch (DriverException e) {
      throw part.failure(e);
    }
  }

  private interface PartWork {
    void run(Part part) throws ClaimException;
  }

  /** Goes on after a failure, and tells of it in the end. */
  private List<StoredClaim> forEachPart(String uid, PartWork work) throws ClaimException {
    List<StoredClaim> claims = keeper.claimsOf(uid);
    ClaimException failure = null;
    for (StoredClaim claim : claims) {
      try {
        work.run(new Part(slotOf(claim), claim));
      } catch (ClaimException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return claims;
  }

  private DriverSlot slotOf(StoredClaim claim) throws ClaimException {
    DriverSlot slot = slots.get(claim.driver());
    if (slot == null) {
      throw new ClaimException(
          claim.claim().claim().toString(),
          claim.driver(),
          Kind.UNAVAILABLE,
          "the driver does not run in this process",
          null);
    }
    checkTakenUp(slot, claim.claim().claim().toString());
    return slot;
  }

  /** A driver hears of what is attached before anything else. */
  private static void checkTakenUp(DriverSlot slot, String claim) throws ClaimException {
    if (!slot.hasTakenUp()) {
      throw new ClaimException(
          claim,
          slot.name(),
          Kind.UNAVAILABLE,
          "the driver is still taking up what an earlier process left",
          null);
    }
  }

  // What an earlier process, or a failure, left.

  /**
   * Takes hold of what is attached, and takes back what was begun and not ended: each driver on a
   * thread of its own.
   *
   * @param wait how long to wait for them; those that take longer refuse calls until then
   */
  void recover(Duration wait) {
    for (StoredClaim claim : abandoned()) {
      LOG.atWarn()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .log("a claim of a driver that does not run is left as it is");
    }
    CountDownLatch recovered = new CountDownLatch(slots.size());
    for (DriverSlot slot : slots.values()) {
      if (claimsOf(slot).isEmpty()) {
        slot.takenUp();
        recovered.countDown();
      } else {
        runner.runLater(
            () -> {
              try {
                recover(slot);
              } finally {
                recovered.countDown();
              }
            });
      }
    }
    try {
      if (!recovered.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.atWarn().log("drivers are still taking up what an earlier process left");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void recover(DriverSlot slot) {
    for (StoredClaim claim : claimsOf(slot)) {
      for (StoredAttachment attachment : claim.attachments()) {
        if (attachment.state() == ClaimState.DONE) {
          resume(slot, claim, attachment);
        }
      }
    }
    slot.takenUp();
    takeBackWhatIsLeft(slot);
  }

  private List<StoredClaim> claimsOf(DriverSlot slot) {
    return keeper.claims().stream().filter(one -> one.driver().equals(slot.name())).toList();
  }

  /** The claims whose driver does not run in this process. */
  List<StoredClaim> abandoned() {
    return keeper.claims().stream().filter(one -> !slots.containsKey(one.driver())).toList();
  }

  private void resume(DriverSlot slot, StoredClaim claim, StoredAttachment attachment) {
    try {
      keeper.resume(slot, claim, attachment);
    } catch (DriverException e) {
      LOG.atWarn()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .addKeyValue("sandbox", attachment.sandbox())
          .log("an attachment cannot be taken up again: {}", e.getMessage());
    }
  }

  /** What was begun and not ended, by this process or by one before it. */
  private void takeBackWhatIsLeft(DriverSlot slot) {
    for (StoredClaim claim : left()) {
      if (claim.driver().equals(slot.name())) {
        String uid = claim.claim().claim().uid();
        try {
          ofClaim(uid, claim.claim().claim().toString(), () -> takeBack(slot, uid));
        } catch (ClaimException e) {
          LOG.atWarn().log("not taken back yet: {}", e.getMessage());
        } catch (IllegalStateException e) {
          return; // it is stopping; the next process goes on with it
        }
      }
    }
  }

  /** Tries again what is left, each driver on a thread of its own, since it may take long. */
  void takeBackLater() {
    Set<String> drivers = new HashSet<>();
    left().forEach(claim -> drivers.add(claim.driver()));
    for (DriverSlot slot : slots.values()) {
      if (drivers.contains(slot.name()) && slot.hasTakenUp() && takingBack.add(slot)) {
        runner.runLater(
            () -> {
              try {
                takeBackWhatIsLeft(slot);
              } finally {
                takingBack.remove(slot);
              }
            });
      }
    }
  }

  /** The claims that wait for being taken back, wholly or from a sandbox. */
  List<StoredClaim> left() {
    return keeper.claims().stream()
        .filter(
            claim ->
                claim.state() != ClaimState.DONE
                    || claim.attachments().stream().anyMatch(one -> one.state() != ClaimState.DONE))
        .toList();
  }

  private DriverSlot takeBack(DriverSlot slot, String uid) throws ClaimException {
    StoredClaim claim = keeper.find(uid, slot.name());
    if (claim != null && claim.state() != ClaimState.DONE) {
      unprepare(new Part(slot, claim));
    } else if (claim != null) {
      for (StoredAttachment attachment : claim.attachments()) {
        if (attachment.state() != ClaimState.DONE) {
          detach(new Part(slot, claim), attachment);
        }
      }
    }
    return slot;
  }

  // Locks.

  private static String sandboxKey(String id) {
    return "sandbox " + id;
  }

  /** On a thread of the runtime, with the lock of a claim. */
  private <T> T ofClaim(String uid, String claim, CallRunner.Call<T> call) throws ClaimException {
    return runner.run(claim, () -> locked("claim " + uid, claim, call));
  }

  /** With the lock of a key, so that calls for it do not overlap. */
  private <T> T locked(String key, String claim, CallRunner.Call<T> call) throws ClaimException {
    try (KeyedLocks.Held held = locks.take(key, patience)) {
      if (held == null) {
        throw new ClaimException(
            claim, null, Kind.UNAVAILABLE, "another call for it does not end", null);
      }
      return call.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClaimException(claim, null, Kind.FAILED, "interrupted", e);
    }
  }
}
