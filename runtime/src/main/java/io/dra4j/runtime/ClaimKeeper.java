package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one claim of one driver through its states, in the store and in memory alike:
 *
 * <pre>
 *   (none) ──prepare──▶ STARTING ──▶ DONE ──unprepare──▶ STOPPING ──▶ (none)
 * </pre>
 *
 * <p>and the same for each attachment. What is found as STARTING or STOPPING after a restart is
 * taken back. The caller sees to it that calls for one claim do not overlap.
 */
final class ClaimKeeper {

  /** A claim with one of its drivers. */
  private record Id(String uid, String driver) {}

  private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);

  private final ClaimStore store;
  private final DriverCalls calls;
  private final ConcurrentMap<Id, StoredClaim> claims = new ConcurrentHashMap<>();
  private final Set<Id> attaching = ConcurrentHashMap.newKeySet();

  ClaimKeeper(ClaimStore store, DriverCalls calls) throws StoreException {
    this.store = store;
    this.calls = calls;
    for (StoredClaim claim : store.claims()) {
      claims.put(idOf(claim), claim);
    }
  }

  List<StoredClaim> claims() {
    return List.copyOf(claims.values());
  }

  /** What drivers have of a claim. */
  List<StoredClaim> claimsOf(String uid) {
    return claims.values().stream().filter(one -> uidOf(one).equals(uid)).toList();
  }

  @Nullable StoredClaim find(String uid, String driver) {
    return claims.get(new Id(uid, driver));
  }

  Prepared prepare(DriverSlot slot, ClaimedDevices claimed) throws DriverException {
    Id id = new Id(claimed.claim().uid(), slot.name());
    StoredClaim known = claims.get(id);
    if (known != null && known.state() == ClaimState.DONE) {
      if (!sameDevices(known.claim().claimed(), claimed)) {
        throw DriverException.invalid(
            "it is prepared with other devices; unprepare it before it is prepared anew");
      }
      return known.claim().prepared();
    }
    if (known != null) {
      unprepare(slot, known);
    }
    PreparedClaim begun = new PreparedClaim(claimed, Prepared.NOTHING);
    StoredJournal journal =
        StoredJournal.begun(
            store,
            new ClaimStore.Key(id.uid(), id.driver(), ""),
            steps -> store.putClaim(id.driver(), ClaimState.STARTING, begun, steps));
    try {
      Prepared prepared =
          calls.call(id.driver(), "prepare", () -> slot.preparing().prepare(claimed, journal));
      checkPrepared(claimed, prepared);
      PreparedClaim done = new PreparedClaim(claimed, prepared);
      journal.flush();
      store.putClaim(id.driver(), ClaimState.DONE, done, null);
      claims.put(
          id, new StoredClaim(id.driver(), ClaimState.DONE, done, journal.steps(), List.of()));
      LOG.atInfo()
          .addKeyValue("claim", claimed.claim())
          .addKeyValue("driver", id.driver())
          .log("prepared");
      return prepared;
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      StoredClaim half =
          new StoredClaim(id.driver(), ClaimState.STARTING, begun, journal.steps(), List.of());
      takeBack(e, () -> unprepare(slot, half, journal));
      throw failure(e);
    }
  }

  /** The driver's own fault must not come out when the pod starts. */
  private static void checkPrepared(ClaimedDevices claimed, Prepared prepared)
      throws DriverException {
    Set<Object> wanted = new HashSet<>();
    claimed.devices().forEach(device -> wanted.add(device.id()));
    Set<Object> got = new HashSet<>();
    for (PreparedDevice device : prepared.devices()) {
      got.add(device.device());
    }
    if (!wanted.equals(got)) {
      throw DriverException.failed(
          "the driver has a bug: it prepared %s where the claim has %s".formatted(got, wanted),
          null);
    }
  }

  private static boolean sameDevices(ClaimedDevices some, ClaimedDevices others) {
    return some.devices().stream()
        .map(one -> one.result())
        .toList()
        .equals(others.devices().stream().map(one -> one.result()).toList());
  }

  void unprepare(DriverSlot slot, StoredClaim claim) throws DriverException {
    for (StoredAttachment attachment : claim.attachments()) {
      detach(slot, claim, attachment);
    }
    StoredClaim now = Objects.requireNonNullElse(claims.get(idOf(claim)), claim);
    unprepare(slot, now, StoredJournal.found(store, keyOf(now, ""), now.steps()));
  }

  private void unprepare(DriverSlot slot, StoredClaim claim, StoredJournal journal)
      throws DriverException {
    Id id = idOf(claim);
    try {
      if (journal.isWritten() && claim.state() != ClaimState.STOPPING) {
        store.putClaim(id.driver(), ClaimState.STOPPING, claim.claim(), null);
      }
      calls.call(
          id.driver(),
          "unprepare",
          () -> {
            slot.preparing().unprepare(claim.claim(), journal);
            return journal;
          });
      if (journal.isWritten()) {
        store.deleteClaim(id.uid(), id.driver());
      }
      claims.remove(id);
      LOG.atInfo()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", id.driver())
          .log("unprepared");
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      if (journal.isWritten()) {
        claims.put(
            id,
            new StoredClaim(
                id.driver(), ClaimState.STOPPING, claim.claim(), journal.steps(), List.of()));
      }
      takeBack(e, () -> flush(journal));
      throw failure(e);
    }
  }

  List<AllocatedDeviceStatus> attach(DriverSlot slot, StoredClaim claim, Sandbox sandbox)
      throws DriverException {
    if (claim.state() != ClaimState.DONE) {
      throw DriverException.unavailable("it is not prepared");
    }
    StoredAttachment known = attachmentOf(claim, sandbox.id());
    if (known != null) {
      if (known.state() == ClaimState.DONE && known.sandbox().equals(sandbox)) {
        return known.statuses();
      }
      detach(slot, claim, known);
    }
    ClaimStore.Key key = keyOf(claim, sandbox.id());
    StoredJournal journal =
        StoredJournal.begun(
            store,
            key,
            steps -> store.putAttachment(key, ClaimState.STARTING, sandbox, List.of(), steps));
    attaching.add(idOf(claim));
    try {
      List<AllocatedDeviceStatus> statuses =
          calls.callForList(
              claim.driver(),
              "attach",
              () -> slot.preparing().attach(claim.claim(), sandbox, journal));
      journal.flush();
      store.putAttachment(key, ClaimState.DONE, sandbox, statuses, null);
      put(claim, new StoredAttachment(sandbox, ClaimState.DONE, statuses, journal.steps()));
      LOG.atInfo()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .addKeyValue("sandbox", sandbox)
          .log("attached");
      return statuses;
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      StoredAttachment half =
          new StoredAttachment(sandbox, ClaimState.STARTING, List.of(), journal.steps());
      takeBack(e, () -> detach(slot, claim, half, journal));
      throw failure(e);
    } finally {
      attaching.remove(idOf(claim));
    }
  }

  /** Whether the devices of a claim may be in a sandbox, where they look different. */
  boolean isAway(StoredClaim claim) {
    boolean isAttaching = attaching.contains(idOf(claim));
    StoredClaim now = claims.get(idOf(claim)); // has the attachment by the time that it is one
    return isAttaching || (now != null && !now.attachments().isEmpty());
  }

  void detach(DriverSlot slot, StoredClaim claim, StoredAttachment attachment)
      throws DriverException {
    ClaimStore.Key key = keyOf(claim, attachment.sandbox().id());
    detach(slot, claim, attachment, StoredJournal.found(store, key, attachment.steps()));
  }

  private void detach(
      DriverSlot slot, StoredClaim claim, StoredAttachment attachment, StoredJournal journal)
      throws DriverException {
    Sandbox sandbox = attachment.sandbox();
    ClaimStore.Key key = keyOf(claim, sandbox.id());
    try {
      if (journal.isWritten() && attachment.state() != ClaimState.STOPPING) {
        store.putAttachment(key, ClaimState.STOPPING, sandbox, attachment.statuses(), null);
      }
      calls.call(
          claim.driver(),
          "detach",
          () -> {
            slot.preparing().detach(claim.claim(), sandbox, journal);
            return journal;
          });
      if (journal.isWritten()) {
        store.deleteAttachment(key);
      }
      removeAttachment(claim, sandbox.id());
      LOG.atInfo()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .addKeyValue("sandbox", sandbox)
          .log("detached");
    } catch (DriverException | StoreException | RuntimeException | Error e) {
      if (journal.isWritten()) {
        put(
            claim,
            new StoredAttachment(
                sandbox, ClaimState.STOPPING, attachment.statuses(), journal.steps()));
      }
      takeBack(e, () -> flush(journal));
      throw failure(e);
    }
  }

  /** Takes hold of what is attached since before this process began. */
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

  private interface Undoing {
    void run() throws DriverException, StoreException;
  }

  /** What fails while a failure is cleaned up is told with it, and tried again later. */
  private static void takeBack(Throwable failure, Undoing undoing) {
    Interrupts.defer(
        () -> {
          try {
            undoing.run();
          } catch (DriverException | StoreException | RuntimeException | Error e) {
            failure.addSuppressed(e);
            LOG.atWarn().setCause(e).log("could not be taken back, to be tried again");
          }
        });
  }

  private static void flush(StoredJournal journal) throws StoreException {
    if (journal.isWritten()) {
      journal.flush();
    }
  }

  private static DriverException failure(Throwable e) {
    return e instanceof DriverException known
        ? known
        : DriverException.failed(
            String.valueOf(e instanceof StoreException ? e.getMessage() : e), e);
  }

  private void put(StoredClaim claim, StoredAttachment attachment) {
    claims.computeIfPresent(
        idOf(claim),
        (id, now) -> {
          List<StoredAttachment> attachments =
              new ArrayList<>(without(now, attachment.sandbox().id()));
          attachments.add(attachment);
          return new StoredClaim(now.driver(), now.state(), now.claim(), now.steps(), attachments);
        });
  }

  private void removeAttachment(StoredClaim claim, String sandbox) {
    claims.computeIfPresent(
        idOf(claim),
        (id, now) ->
            new StoredClaim(
                now.driver(), now.state(), now.claim(), now.steps(), without(now, sandbox)));
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

  private static String uidOf(StoredClaim claim) {
    return claim.claim().claim().uid();
  }

  private static Id idOf(StoredClaim claim) {
    return new Id(uidOf(claim), claim.driver());
  }

  private static ClaimStore.Key keyOf(StoredClaim claim, String sandbox) {
    return new ClaimStore.Key(uidOf(claim), claim.driver(), sandbox);
  }

  /** How many claims and attachments there are, and how many wait for being taken back. */
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
    return Map.of("prepared", prepared, "attached", attached, "pending", pending);
  }
}
