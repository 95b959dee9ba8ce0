package io.dra4j.runtime;

import io.dra4j.runtime.internal.call.RetrySchedule;
import io.dra4j.spi.DriverException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues unfinished work of an earlier process, another boot, or a failed call. It resumes
 * attached claims, undoes unfinished calls, and restores settings that detaching left. Failures are
 * retried ({@link RetrySchedule}). Each driver has a separate thread, since its work may take long.
 */
final class ClaimRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimRecovery.class);

  private final Map<String, DriverSlot> slots;
  private final ClaimKeeper keeper;
  private final ClaimTransactions transactions;
  private final CallRunner runner;
  private final RetrySchedule<ClaimKeeper.Id> retries = new RetrySchedule<>(System::nanoTime);
  private final Set<DriverSlot> takingBack = ConcurrentHashMap.newKeySet();

  ClaimRecovery(
      Map<String, DriverSlot> slots,
      ClaimKeeper keeper,
      ClaimTransactions transactions,
      CallRunner runner) {
    this.slots = slots;
    this.keeper = keeper;
    this.transactions = transactions;
    this.runner = runner;
  }

  /**
   * Resumes attached claims, and undoes unfinished calls.
   *
   * @param wait how long to wait for the drivers; slower drivers refuse calls until they have
   *     finished
   */
  void recover(Duration wait) {
    for (StoredClaim claim : abandoned()) {
      LOG.atWarn()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .log("the driver of a claim is not running in this process: the claim is left as it is");
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
        LOG.atWarn().log("drivers are still resuming the claims of an earlier process");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void recover(DriverSlot slot) {
    for (StoredClaim claim : claimsOf(slot)) {
      for (StoredAttachment attachment : claim.attachments()) {
        if (!keeper.isOfOtherBoot(claim)) {
          resume(slot, claim, attachment);
        }
      }
    }
    slot.takenUp();
    takeBackWhatIsLeft(slot);
  }

  private void resume(DriverSlot slot, StoredClaim claim, StoredAttachment attachment) {
    try {
      if (attachment.state() == ClaimState.DONE) {
        keeper.resume(slot, claim, attachment);
      } else if (attachment.state() == ClaimState.SETTLING) {
        keeper.resumeSettling(slot, claim, attachment);
      }
    } catch (DriverException | RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("claim", claim.claim().claim())
          .addKeyValue("driver", claim.driver())
          .addKeyValue("sandbox", attachment.sandbox())
          .log("cannot resume an attachment of an earlier process: {}", e.getMessage());
    }
  }

  private List<StoredClaim> claimsOf(DriverSlot slot) {
    return keeper.claims().stream().filter(one -> one.driver().equals(slot.name())).toList();
  }

  /** The claims whose driver is not running in this process. */
  List<StoredClaim> abandoned() {
    return keeper.claims().stream().filter(one -> !slots.containsKey(one.driver())).toList();
  }

  /** The claims that wait to be undone, or to be detached from a sandbox; no damaged claims. */
  List<StoredClaim> left() {
    Set<ClaimKeeper.Id> damaged = keeper.damaged().keySet();
    return keeper.claims().stream()
        .filter(claim -> !damaged.contains(ClaimKeeper.Id.of(claim)) && isLeft(claim))
        .toList();
  }

  private boolean isLeft(StoredClaim claim) {
    return claim.state() != ClaimState.DONE
        || keeper.isOfOtherBoot(claim)
        || claim.attachments().stream().anyMatch(one -> one.state() != ClaimState.DONE);
  }

  private void takeBackWhatIsLeft(DriverSlot slot) {
    for (StoredClaim claim : left()) {
      ClaimKeeper.Id id = ClaimKeeper.Id.of(claim);
      if (claim.driver().equals(slot.name()) && retries.isDue(id)) {
        boolean isRunning =
            retryLater(
                id,
                () -> {
                  transactions.takeBack(id.uid(), id.driver());
                  settle(slot, id);
                });
        if (!isRunning) {
          return;
        }
      }
    }
  }

  private interface TakingBack {
    void run() throws ClaimException;
  }

  /** Runs work, and schedules a retry if it fails. Returns false if the runtime is stopping. */
  private boolean retryLater(ClaimKeeper.Id id, TakingBack work) {
    try {
      work.run();
    } catch (CallRunner.NotRunningException e) {
      return false;
    } catch (ClaimException e) {
      failed(id);
      LOG.atWarn().log("undoing a call failed; it will be retried: {}", e.getMessage());
    } catch (RuntimeException e) {
      failed(id);
      LOG.atError()
          .addKeyValue("claim", id.uid())
          .addKeyValue("driver", id.driver())
          .setCause(e)
          .log("undoing a call failed because of a defect; it will be retried");
    }
    return true;
  }

  private void failed(ClaimKeeper.Id id) {
    runner.runAfter(retries.failed(id), this::takeBackLater);
  }

  /** Schedules the undoing of a failed call for a claim, unless it is scheduled already. */
  void takeBackLater(String uid) {
    for (StoredClaim claim : left()) {
      ClaimKeeper.Id id = ClaimKeeper.Id.of(claim);
      if (claim.uid().equals(uid) && retries.isDue(id)) {
        failed(id);
      }
    }
  }

  /** Restores the settings that detaching a claim left, on a separate thread. */
  void settleLater(String uid) {
    for (StoredClaim claim : keeper.claimsOf(uid)) {
      DriverSlot slot = slots.get(claim.driver());
      if (slot != null && isSettling(claim)) {
        ClaimKeeper.Id id = ClaimKeeper.Id.of(claim);
        runner.runLater(() -> retryLater(id, () -> settle(slot, id)));
      }
    }
  }

  private static boolean isSettling(StoredClaim claim) {
    return claim.attachments().stream().anyMatch(one -> one.state() == ClaimState.SETTLING);
  }

  private void settle(DriverSlot slot, ClaimKeeper.Id id) throws ClaimException {
    StoredClaim claim = keeper.find(id.uid(), id.driver());
    if (claim != null) {
      for (StoredAttachment attachment : claim.attachments()) {
        if (attachment.state() == ClaimState.SETTLING) {
          transactions.settle(
              new ClaimTransactions.Part(slot, claim), attachment.sandbox().id(), Deadline.none());
        }
      }
    }
  }

  /** Retries the unfinished work that is due. */
  void takeBackLater() {
    Set<String> drivers = new HashSet<>();
    Set<ClaimKeeper.Id> ids = new HashSet<>();
    for (StoredClaim claim : left()) {
      ClaimKeeper.Id id = ClaimKeeper.Id.of(claim);
      ids.add(id);
      if (retries.isDue(id)) {
        drivers.add(claim.driver());
      }
    }
    retries.keepOnly(ids);
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

  /** Handles added or removed devices: a device that was missing may exist now. */
  void devicesChanged() {
    retries.reset();
  }
}
