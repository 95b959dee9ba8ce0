package io.dra4j.runtime;

import io.dra4j.model.Condition;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.runtime.internal.call.DriverCalls;
import io.dra4j.runtime.internal.call.Interrupts;
import io.dra4j.runtime.internal.store.BootId;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Moves one claim of one driver through its states, both in the store and in memory:
 *
 * <pre>
 *   (none) ──prepare──▶ STARTING ──▶ DONE ──unprepare──▶ STOPPING ──▶ (none)
 * </pre>
 *
 * <p>Each attachment has the same states, and may be SETTLING at the end. After a restart, STARTING
 * and STOPPING entries are undone, and so are all entries of another boot. For a DAMAGED entry, the
 * readable steps are undone, and the entry stays. The caller must ensure that calls for one claim
 * do not overlap.
 */
final class ClaimKeeper {

  /** A claim and one of its drivers. */
  record Id(String uid, String driver) {

    static Id of(StoredClaim claim) {
      return new Id(claim.uid(), claim.driver());
    }

    private ClaimStore.Key key(String sandbox) {
      return new ClaimStore.Key(uid, driver, sandbox);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);

  private final DriverCalls calls;
  private final Duration limit;
  private final ClaimEvents events;
  private final HeldPools pools;
  private final ConcurrentMap<Id, StoredClaim> claims = new ConcurrentHashMap<>();
  private final ConcurrentMap<Id, String> damaged = new ConcurrentHashMap<>();
  private final Set<Id> attaching = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ClaimStore opened;
  private volatile @Nullable Path ofOther;

  /**
   * Creates a keeper without a store.
   *
   * @param limit the time limit of a driver's call
   */
  ClaimKeeper(DriverCalls calls, Duration limit, ClaimEvents events, HeldPools pools) {
    this.calls = calls;
    this.limit = limit;
    this.events = events;
    this.pools = pools;
  }

  /** Opens the keeper with the content of a store. */
  synchronized void open(ClaimStore store) throws StoreException {
    replace(store.claims());
    pools.open(store, claims());
    store
        .damaged()
        .forEach((key, reason) -> damaged.putIfAbsent(new Id(key.uid(), key.driver()), reason));
    opened = store;
  }

  /** Starts to show the claims of another process, until this process has the store. */
  void standBy(Path file) {
    ofOther = file;
  }

  /**
   * Reads the claims of the process that has the store: that process continues to give devices to
   * pods, and these devices must stay offered. Does nothing once this process has the store.
   */
  synchronized void lookAtOther() {
    Path file = ofOther;
    if (file == null || opened != null) {
      return;
    }
    try {
      List<StoredClaim> those = ClaimStore.read(file);
      pools.show(ClaimStore.readHeldPools(file));
      replace(those);
    } catch (StoreException e) {
      LOG.atWarn()
          .log("cannot read the claims of the process that has the store: {}", e.getMessage());
    }
  }

  /** Replaces the claims. Claims that stay are never absent, since a scan may run concurrently. */
  private void replace(List<StoredClaim> those) {
    those.forEach(claim -> claims.put(Id.of(claim), claim));
    claims.keySet().retainAll(those.stream().map(Id::of).collect(Collectors.toSet()));
  }

  /** The store; this process must have it already. */
  ClaimStore store() {
    return Objects.requireNonNull(opened, "another process has the store");
  }

  boolean isOpen() {
    return opened != null;
  }

  List<StoredClaim> claims() {
    return List.copyOf(claims.values());
  }

  /** The entries of all drivers for a claim. */
  List<StoredClaim> claimsOf(String uid) {
    return claims.values().stream().filter(one -> one.uid().equals(uid)).toList();
  }

  @Nullable StoredClaim find(String uid, String driver) {
    return claims.get(new Id(uid, driver));
  }

  /** The reasons why claims are quarantined. */
  Map<Id, String> damaged() {
    return Map.copyOf(damaged);
  }

  void checkWhole(Id id) throws DriverException {
    String reason = damaged.get(id);
    if (reason != null) {
      throw DriverException.failed(
          ("the claim is quarantined: its record in the store is damaged, so it is unknown where"
                  + " its devices are (%s); bring them back by hand, then forget the claim")
              .formatted(reason),
          null);
    }
  }

  /**
   * Whether a claim was prepared before the last reboot of the host, and so is not prepared now.
   */
  boolean isOfOtherBoot(StoredClaim claim) {
    ClaimStore store = opened;
    return store != null && BootId.isOther(claim.boot(), store.boot());
  }

  /** Whether a claim is prepared in this boot; not while another process has the store. */
  boolean isPrepared(StoredClaim claim) {
    return opened != null && claim.state() == ClaimState.DONE && !isOfOtherBoot(claim);
  }

  // Preparing.

  Prepared prepare(DriverSlot slot, ClaimedDevices claimed, Deadline deadline)
      throws DriverException {
    Id id = new Id(claimed.claim().uid(), slot.name());
    checkWhole(id);
    StoredClaim known = claims.get(id);
    if (known != null && known.state() == ClaimState.DONE && !isOfOtherBoot(known)) {
      if (!sameDevices(known.claim().claimed(), claimed)) {
        throw DriverException.invalid(
            "it is prepared with other devices; unprepare it before you prepare it again");
      }
      reserve(slot, known, claimed.reservedFor(), deadline);
      return known.claim().prepared();
    }
    if (known != null) {
      unprepare(slot, known, deadline);
    }
    return prepareNew(slot, id, claimed, deadline);
  }

  /** Prepares a claim that is not prepared at all. */
  private Prepared prepareNew(DriverSlot slot, Id id, ClaimedDevices claimed, Deadline deadline)
      throws DriverException {
    PreparedClaim begun = new PreparedClaim(claimed, Prepared.NOTHING);
    ClaimStore store = store();
    StoredJournal journal =
        StoredJournal.begun(
            store,
            id.key(""),
            steps -> store.putClaim(id.driver(), ClaimState.STARTING, begun, steps));
    try {
      pools.remember(store, slot, claimed);
      Prepared prepared =
          calls.call(
              id.driver(),
              "prepare",
              deadline.forDoing(limit),
              () -> slot.preparing().prepare(claimed, journal));
      checkPrepared(claimed, prepared);
      PreparedClaim done = new PreparedClaim(claimed, prepared);
      journal.flush();
      store.putClaim(id.driver(), ClaimState.DONE, done, null);
      StoredClaim stored = claim(id, ClaimState.DONE, done, journal.steps());
      claims.put(id, stored);
      log(stored).log("prepared");
      events.publish(listener -> listener.prepared(stored));
      return prepared;
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      StoredClaim half = claim(id, ClaimState.STARTING, begun, journal.steps());
      takeBack(id, e, () -> unprepare(slot, half, journal, Deadline.none()));
      throw failure(id, "prepare", e);
    }
  }

  private StoredClaim claim(Id id, ClaimState state, PreparedClaim claim, List<Step> steps) {
    return new StoredClaim(id.driver(), state, claim, store().boot(), steps, List.of());
  }

  /** Checks the driver's answer, so that its defects appear here and not when the pod starts. */
  private static void checkPrepared(ClaimedDevices claimed, Prepared prepared)
      throws DriverException {
    Set<Object> wanted = new HashSet<>();
    claimed
        .devices()
        .forEach(device -> wanted.add(shareOf(device.id(), device.result().shareId())));
    Set<Object> got = new HashSet<>();
    for (PreparedDevice device : prepared.devices()) {
      got.add(shareOf(device.device(), device.shareId()));
    }
    if (!wanted.equals(got)) {
      throw DriverException.failed(
          "the driver has a bug: it prepared %s, but the claim has %s".formatted(got, wanted),
          null);
    }
  }

  private static Object shareOf(Object device, @Nullable String shareId) {
    return shareId == null ? device : "share " + shareId + " of " + device;
  }

  private static boolean sameDevices(ClaimedDevices some, ClaimedDevices others) {
    return some.devices().stream()
        .map(one -> one.result())
        .toList()
        .equals(others.devices().stream().map(one -> one.result()).toList());
  }

  /** Returns the conditions that must hold before pods use a claim. Changes nothing. */
  List<Condition> bind(DriverSlot slot, ClaimedDevices claimed, Deadline deadline)
      throws DriverException {
    return calls.call(
        slot.name(), "bind", deadline.forDoing(limit), () -> slot.preparing().bind(claimed));
  }

  /** Changes the consumers of a prepared claim. */
  void reserve(
      DriverSlot slot,
      StoredClaim known,
      List<ResourceClaimConsumerReference> consumers,
      Deadline deadline)
      throws DriverException {
    ClaimedDevices before = known.claim().claimed();
    if (before.reservedFor().equals(consumers)) {
      return;
    }
    Id id = Id.of(known);
    PreparedClaim now =
        new PreparedClaim(
            new ClaimedDevices(before.claim(), consumers, before.devices()),
            known.claim().prepared());
    calls.call(
        id.driver(),
        "reserve",
        deadline.forDoing(limit),
        () -> {
          slot.preparing().reserve(now);
          return now;
        });
    try {
      store().setReservedFor(id.key(""), consumers);
    } catch (StoreException e) {
      throw failure(id, "reserve", e);
    }
    claims.computeIfPresent(
        id,
        (key, one) ->
            new StoredClaim(
                one.driver(), one.state(), now, one.boot(), one.steps(), one.attachments()));
  }

  void unprepare(DriverSlot slot, StoredClaim claim, Deadline deadline) throws DriverException {
    for (StoredAttachment attachment : claim.attachments()) {
      detach(slot, claim, attachment, deadline);
      settle(slot, claim, attachment.sandbox().id(), deadline);
    }
    StoredClaim now = Objects.requireNonNullElse(claims.get(Id.of(claim)), claim);
    unprepare(slot, now, journalOf(now, "", now.steps()), deadline);
  }

  private StoredJournal journalOf(StoredClaim claim, String sandbox, List<Step> steps) {
    return StoredJournal.found(store(), Id.of(claim).key(sandbox), steps, isOfOtherBoot(claim));
  }

  private void unprepare(
      DriverSlot slot, StoredClaim claim, StoredJournal journal, Deadline deadline)
      throws DriverException {
    Id id = Id.of(claim);
    boolean isDamaged = claim.state() == ClaimState.DAMAGED;
    try {
      if (journal.isWritten() && !isDamaged && claim.state() != ClaimState.STOPPING) {
        store().setClaimState(id.key(""), ClaimState.STOPPING);
      }
      calls.call(
          id.driver(),
          "unprepare",
          deadline.forUndoing(limit),
          () -> {
            slot.preparing().unprepare(claim.claim(), journal);
            return journal;
          });
      journal.flushIfWritten();
      checkWhole(id);
      checkUnprepared(journal.steps());
      if (journal.isWritten()) {
        store().deleteClaim(id.uid(), id.driver());
      }
      claims.remove(id);
      log(claim).log("unprepared");
      if (claim.state()
          != ClaimState.STARTING) { // otherwise no listener was notified of the preparation
        events.publish(listener -> listener.unprepared(claim));
      }
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      if (journal.isWritten()) {
        ClaimState state = isDamaged ? ClaimState.DAMAGED : ClaimState.STOPPING;
        claims.put(
            id,
            new StoredClaim(
                id.driver(), state, claim.claim(), claim.boot(), journal.steps(), List.of()));
      }
      takeBack(id, e, journal::flushIfWritten);
      throw failure(id, "unprepare", e);
    }
  }

  private static void checkUnprepared(List<Step> left) throws DriverException {
    if (!left.isEmpty()) { // possibly steps of a later release
      throw DriverException.failed(
          "the driver has a bug: unprepare left %d steps, the newest '%s'"
              .formatted(left.size(), left.get(left.size() - 1).name()),
          null);
    }
  }

  // Attaching.

  Attached attach(DriverSlot slot, StoredClaim claim, Sandbox described, Deadline deadline)
      throws DriverException {
    Id id = Id.of(claim);
    checkWhole(id);
    if (claim.state() != ClaimState.DONE) {
      throw DriverException.unavailable("it is not prepared");
    }
    if (isOfOtherBoot(claim)) {
      throw DriverException.unavailable(
          "it was prepared before the last reboot of the host; prepare it again");
    }
    StoredAttachment known = attachmentOf(claim, described.id());
    if (known != null && known.state() == ClaimState.DONE) {
      return adopt(claim, known, described).attached();
    }
    Sandbox sandbox = known == null ? described : known.sandbox().merge(described);
    if (known != null) {
      detach(slot, claim, known, deadline);
      settle(slot, claim, described.id(), deadline);
    }
    return attachNew(slot, claim, sandbox, deadline);
  }

  /** Attaches a claim that has no entry for the sandbox. */
  private Attached attachNew(DriverSlot slot, StoredClaim claim, Sandbox sandbox, Deadline deadline)
      throws DriverException {
    Id id = Id.of(claim);
    ClaimStore store = store();
    StoredJournal journal =
        StoredJournal.begun(
            store,
            id.key(sandbox.id()),
            steps ->
                store.putAttachment(
                    id.key(sandbox.id()), ClaimState.STARTING, sandbox, Attached.NOTHING, steps));
    attaching.add(id);
    try {
      Attached attached =
          calls.call(
              claim.driver(),
              "attach",
              deadline.forDoing(limit),
              () -> slot.preparing().attachDevices(claim.claim(), sandbox, journal));
      journal.flush();
      store.putAttachment(id.key(sandbox.id()), ClaimState.DONE, sandbox, attached, null);
      StoredAttachment stored =
          new StoredAttachment(sandbox, ClaimState.DONE, attached, journal.steps());
      StoredClaim now = put(claim, stored);
      log(claim).addKeyValue("sandbox", sandbox).log("attached");
      events.publish(listener -> listener.attached(now, stored));
      return attached;
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      StoredAttachment half =
          new StoredAttachment(sandbox, ClaimState.STARTING, Attached.NOTHING, journal.steps());
      takeBack(id, e, () -> detach(slot, claim, half, journal, Deadline.none()));
      throw failure(id, "attach", e);
    } finally {
      attaching.remove(id);
    }
  }

  /** Updates the facts of a sandbox that is described again; its ID identifies it. */
  StoredAttachment adopt(StoredClaim claim, StoredAttachment known, Sandbox described)
      throws DriverException {
    Sandbox merged = known.sandbox().merge(described);
    if (merged.equals(known.sandbox())) {
      return known;
    }
    try {
      store().setSandbox(Id.of(claim).key(merged.id()), merged);
    } catch (StoreException e) {
      throw failure(Id.of(claim), "attach", e);
    }
    StoredAttachment now =
        new StoredAttachment(merged, known.state(), known.attached(), known.steps());
    put(claim, now);
    return now;
  }

  /** Whether the devices of a claim may be in a sandbox, where their attributes differ. */
  boolean isAway(StoredClaim claim) {
    boolean isAttaching = attaching.contains(Id.of(claim));
    StoredClaim now = claims.get(Id.of(claim)); // has the attachment before the devices move
    return isAttaching
        || (now != null
            && now.attachments().stream().anyMatch(one -> one.state() != ClaimState.SETTLING));
  }

  void detach(DriverSlot slot, StoredClaim claim, StoredAttachment attachment, Deadline deadline)
      throws DriverException {
    if (attachment.state() != ClaimState.SETTLING) {
      String sandbox = attachment.sandbox().id();
      detach(slot, claim, attachment, journalOf(claim, sandbox, attachment.steps()), deadline);
    }
  }

  private void detach(
      DriverSlot slot,
      StoredClaim claim,
      StoredAttachment attachment,
      StoredJournal journal,
      Deadline deadline)
      throws DriverException {
    Sandbox sandbox = attachment.sandbox();
    Id id = Id.of(claim);
    ClaimStore.Key key = id.key(sandbox.id());
    boolean isDamaged = attachment.state() == ClaimState.DAMAGED;
    try {
      if (journal.isWritten() && !isDamaged && attachment.state() != ClaimState.STOPPING) {
        store().setAttachmentState(key, ClaimState.STOPPING);
      }
      calls.call(
          claim.driver(),
          "detach",
          deadline.forUndoing(limit),
          () -> {
            slot.preparing().detach(claim.claim(), sandbox, journal);
            return journal;
          });
      if (isDamaged) {
        journal.flushIfWritten();
        checkWhole(id);
      }
      endAttachment(claim, attachment, journal);
      log(claim).addKeyValue("sandbox", sandbox).log("detached");
      if (attachment.state() != ClaimState.STARTING) {
        events.publish(listener -> listener.detached(claim, sandbox));
      }
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      if (journal.isWritten()) {
        ClaimState state = isDamaged ? ClaimState.DAMAGED : ClaimState.STOPPING;
        put(claim, new StoredAttachment(sandbox, state, attachment.attached(), journal.steps()));
      }
      takeBack(id, e, journal::flushIfWritten);
      throw failure(id, "detach", e);
    }
  }

  /** Removes a detached attachment, or keeps it while there are steps to settle. */
  private void endAttachment(StoredClaim claim, StoredAttachment attachment, StoredJournal journal)
      throws StoreException {
    Sandbox sandbox = attachment.sandbox();
    ClaimStore.Key key = Id.of(claim).key(sandbox.id());
    if (journal.steps().isEmpty()) {
      if (journal.isWritten()) {
        store().deleteAttachment(key);
      }
      removeAttachment(claim, sandbox.id());
    } else {
      journal.flush();
      store().setAttachmentState(key, ClaimState.SETTLING);
      put(
          claim,
          new StoredAttachment(
              sandbox, ClaimState.SETTLING, attachment.attached(), journal.steps()));
    }
  }

  /** Restores the settings that detaching left, if any. */
  void settle(DriverSlot slot, StoredClaim claim, String sandboxId, Deadline deadline)
      throws DriverException {
    Id id = Id.of(claim);
    StoredClaim now = claims.get(id);
    StoredAttachment attachment = now == null ? null : attachmentOf(now, sandboxId);
    if (now == null || attachment == null || attachment.state() != ClaimState.SETTLING) {
      return;
    }
    StoredJournal journal = journalOf(now, sandboxId, attachment.steps());
    try {
      calls.call(
          id.driver(),
          "settle",
          deadline.forUndoing(limit),
          () -> {
            slot.preparing().settle(now.claim(), attachment.sandbox(), journal);
            return journal;
          });
      if (!journal.steps().isEmpty()) {
        throw DriverException.failed(
            "the driver has a bug: settle left " + journal.steps().size() + " steps", null);
      }
      store().deleteAttachment(id.key(sandboxId));
      removeAttachment(now, sandboxId);
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      put(
          now,
          new StoredAttachment(
              attachment.sandbox(), ClaimState.SETTLING, attachment.attached(), journal.steps()));
      takeBack(id, e, journal::flushIfWritten);
      throw failure(id, "settle", e);
    }
  }

  /** Notifies the driver of an attachment of an earlier process. */
  void resume(DriverSlot slot, StoredClaim claim, StoredAttachment attachment)
      throws DriverException {
    calls.call(
        claim.driver(),
        "resume",
        () -> {
          slot.preparing().resume(claim.claim(), attachment.sandbox());
          return claim;
        });
  }

  /** Notifies the driver of devices that an earlier process returned but did not restore. */
  void resumeSettling(DriverSlot slot, StoredClaim claim, StoredAttachment attachment)
      throws DriverException {
    StoredJournal journal = journalOf(claim, attachment.sandbox().id(), attachment.steps());
    calls.call(
        claim.driver(),
        "resumeSettling",
        () -> {
          slot.preparing().resumeSettling(claim.claim(), attachment.sandbox(), journal);
          return claim;
        });
  }

  /**
   * Forgets a claim in any state: an operator has released its devices.
   *
   * @param slot the driver, which releases resources outside the host; null if it is not running
   */
  void forget(Id id, @Nullable DriverSlot slot) throws StoreException {
    store().forget(id.uid(), id.driver());
    StoredClaim known = claims.remove(id);
    if (known != null) { // otherwise its files would be held until the process ends
      known.steps().forEach(FileSetting::forget);
      known.attachments().forEach(one -> one.steps().forEach(FileSetting::forget));
    }
    damaged.remove(id);
    if (known != null && slot != null) {
      giveBack(slot, known);
    }
  }

  private void giveBack(DriverSlot slot, StoredClaim claim) {
    try {
      calls.call(
          slot.name(),
          "forget",
          limit,
          () -> {
            slot.preparing().forget(claim.claim(), claim.steps());
            return claim;
          });
    } catch (DriverException e) {
      LOG.atWarn()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .setCause(e)
          .log(
              "removed claim {} from the store, but driver {} failed to release resources it"
                  + " holds for the claim outside the host; this is not retried: release them by"
                  + " hand",
              claim.claim().claim(),
              claim.driver());
    }
  }

  private interface Undoing {
    void run() throws DriverException, StoreException;
  }

  /** Undoes a failed call. If that fails as well, both failures are reported, and it is retried. */
  private static void takeBack(Id id, Throwable failure, Undoing undoing) {
    Interrupts.defer(
        () -> {
          try {
            undoing.run();
          } catch (DriverException | StoreException | RuntimeException | Error e) {
            failure.addSuppressed(e);
            LOG.atWarn()
                .setCause(e)
                .log(
                    "undoing a failed call of driver {} for claim {} also failed; it will be"
                        + " retried",
                    id.driver(),
                    id.uid());
          }
        });
  }

  private DriverException failure(Id id, String call, Throwable e) {
    DriverException failure =
        e instanceof DriverException known
            ? known
            : DriverException.failed(
                String.valueOf(e instanceof StoreException ? e.getMessage() : e), e);
    ClaimException reported = ClaimException.of(id.uid(), id.driver(), failure);
    events.publish(listener -> listener.failed(id.uid(), id.driver(), call, reported));
    return failure;
  }

  private static LoggingEventBuilder log(StoredClaim claim) {
    return LOG.atInfo()
        .addKeyValue("claim", claim.claim().claim())
        .addKeyValue("driver", claim.driver());
  }

  private StoredClaim put(StoredClaim claim, StoredAttachment attachment) {
    StoredClaim now =
        claims.computeIfPresent(
            Id.of(claim),
            (id, one) -> {
              List<StoredAttachment> attachments =
                  new ArrayList<>(without(one, attachment.sandbox().id()));
              attachments.add(attachment);
              return one.with(attachments);
            });
    return now == null ? claim : now;
  }

  private void removeAttachment(StoredClaim claim, String sandbox) {
    claims.computeIfPresent(Id.of(claim), (id, now) -> now.with(without(now, sandbox)));
  }

  private static List<StoredAttachment> without(StoredClaim claim, String sandbox) {
    return claim.attachments().stream().filter(one -> !one.sandbox().id().equals(sandbox)).toList();
  }

  static @Nullable StoredAttachment attachmentOf(StoredClaim claim, String sandbox) {
    for (StoredAttachment one : claim.attachments()) {
      if (one.sandbox().id().equals(sandbox)) {
        return one;
      }
    }
    return null;
  }

  /** The numbers of claims and attachments, and of those that wait to be undone. */
  Map<String, Long> counts() {
    long prepared = 0;
    long attached = 0;
    long pending = 0;
    for (StoredClaim claim : claims.values()) {
      if (claim.state() == ClaimState.DONE) {
        prepared++;
      } else {
        pending++;
      }
      for (StoredAttachment attachment : claim.attachments()) {
        if (attachment.state() == ClaimState.DONE) {
          attached++;
        } else {
          pending++;
        }
      }
    }
    return Map.of(
        "prepared",
        prepared,
        "attached",
        attached,
        "pending",
        pending,
        "damaged",
        (long) damaged.size());
  }
}
