package io.dra4j.runtime;

import io.dra4j.model.Condition;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The claim service of a runtime: checks arguments and combines the parts of the work. */
final class Claims implements ClaimService {

  private final ClaimKeeper keeper;
  private final ClaimTransactions transactions;
  private final ClaimRecovery recovery;
  private final ClaimEvents events;
  private final Consumer<String> changed;

  /** Creates the service; {@code changed} receives the reason why the host must be read again. */
  Claims(
      ClaimKeeper keeper,
      ClaimTransactions transactions,
      ClaimRecovery recovery,
      ClaimEvents events,
      Consumer<String> changed) {
    this.keeper = keeper;
    this.transactions = transactions;
    this.recovery = recovery;
    this.events = events;
    this.changed = changed;
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
    Objects.requireNonNull(claim, "claim");
    return orTakeBackLater(
        claim.metadata().uid(), () -> transactions.prepare(claim, null, Deadline.none()));
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(driver, "driver");
    Objects.requireNonNull(deadline, "deadline");
    return orTakeBackLater(
        claim.metadata().uid(), () -> transactions.prepare(claim, driver, deadline));
  }

  @Override
  public void reserve(String uid, List<ResourceClaimConsumerReference> reservedFor)
      throws ClaimException {
    transactions.reserve(Objects.requireNonNull(uid, "uid"), List.copyOf(reservedFor));
  }

  @Override
  public List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    return transactions.bind(
        Objects.requireNonNull(claim, "claim"),
        Objects.requireNonNull(driver, "driver"),
        Objects.requireNonNull(deadline, "deadline"));
  }

  @Override
  public Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException {
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(sandbox, "sandbox");
    Objects.requireNonNull(deadline, "deadline");
    try {
      return orTakeBackLater(uid, () -> transactions.attach(uid, sandbox, deadline));
    } finally {
      recovery.settleLater(uid); // of another sandbox of the pod, or of a failed call
    }
  }

  @Override
  public void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException {
    Objects.requireNonNull(sandboxId, "sandboxId");
    Objects.requireNonNull(deadline, "deadline");
    orTakeBackLater(
        Objects.requireNonNull(uid, "uid"),
        () -> {
          transactions.detach(uid, sandboxId, deadline);
          return uid;
        });
    recovery.settleLater(uid);
    changed.accept("a claim was detached");
  }

  @Override
  public void unprepare(String uid) throws ClaimException {
    unprepare(uid, () -> uid);
  }

  /** Unprepares a claim with all drivers, and then runs {@code then} before other calls for it. */
  void unprepare(String uid, CallRunner.Call<?> then) throws ClaimException {
    orTakeBackLater(
        Objects.requireNonNull(uid, "uid"),
        () -> {
          transactions.unprepare(uid, null, Deadline.none(), then);
          return uid;
        });
    changed.accept("a claim was unprepared");
  }

  @Override
  public void unprepare(String uid, String driver, Deadline deadline) throws ClaimException {
    Objects.requireNonNull(driver, "driver");
    Objects.requireNonNull(deadline, "deadline");
    orTakeBackLater(
        Objects.requireNonNull(uid, "uid"),
        () -> {
          transactions.unprepare(uid, driver, deadline, () -> uid);
          return uid;
        });
    changed.accept("a claim was unprepared");
  }

  /** Runs a call. If it fails, its undoing is retried, whether or not the caller retries. */
  private <T> T orTakeBackLater(@Nullable String uid, CallRunner.Call<T> call)
      throws ClaimException {
    try {
      return call.run();
    } catch (ClaimException e) {
      if (uid != null) {
        recovery.takeBackLater(uid);
      }
      throw e;
    }
  }

  @Override
  public void forget(String uid, String driver) throws ClaimException {
    transactions.forget(
        Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(driver, "driver"));
    changed.accept("a claim was forgotten");
  }

  @Override
  public List<StoredClaim> claims() {
    return keeper.claims();
  }

  @Override
  public Optional<StoredClaim> find(String uid, String driver) {
    return Optional.ofNullable(
        keeper.find(Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(driver, "driver")));
  }

  @Override
  public boolean isPrepared(StoredClaim claim) {
    return keeper.isPrepared(Objects.requireNonNull(claim, "claim"));
  }

  @Override
  public boolean hasAttach() {
    return transactions.hasAttach();
  }

  @Override
  public boolean isAttachNeeded(StoredClaim claim) {
    return transactions.isAttachNeeded(Objects.requireNonNull(claim, "claim"));
  }

  @Override
  public ContainerEdits editsFor(String uid, @Nullable String request, String sandboxId) {
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(sandboxId, "sandboxId");
    ContainerEdits edits = ContainerEdits.NONE;
    for (StoredClaim claim : keeper.claimsOf(uid)) {
      StoredAttachment attachment = ClaimKeeper.attachmentOf(claim, sandboxId);
      Map<DeviceId, ContainerEdits> changed =
          attachment == null ? Map.of() : attachment.attached().edits();
      for (PreparedDevice device : claim.claim().prepared().devices()) {
        boolean isMeant =
            request == null
                || device.requests().stream()
                    .anyMatch(one -> one.equals(request) || one.startsWith(request + "/"));
        if (isMeant && claim.state() == ClaimState.DONE && !keeper.isOfOtherBoot(claim)) {
          edits = edits.and(changed.getOrDefault(device.device(), device.edits()));
        }
      }
    }
    return edits;
  }

  @Override
  public void addClaimListener(ClaimListener listener) {
    events.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeClaimListener(ClaimListener listener) {
    events.remove(Objects.requireNonNull(listener, "listener"));
  }

  // Sandboxes of a container runtime.

  @Override
  public Synchronization synchronize(List<Sandbox> sandboxes) {
    Map<String, Sandbox> there = new LinkedHashMap<>();
    sandboxes.forEach(one -> there.put(one.id(), one));
    List<Synchronization.Entry> kept = new ArrayList<>();
    List<Synchronization.Entry> attached = new ArrayList<>();
    List<Synchronization.Entry> detached = new ArrayList<>();
    List<ClaimException> failures = new ArrayList<>();
    for (Synchronization.Entry one : attachments()) {
      Sandbox sandbox = there.get(one.sandboxId());
      try {
        if (sandbox == null) {
          detach(one.uid(), one.sandboxId());
          detached.add(one);
        } else {
          attach(one.uid(), sandbox);
          kept.add(one);
        }
      } catch (ClaimException e) {
        failures.add(e);
      }
    }
    for (Sandbox sandbox : there.values()) {
      for (String uid : missing(sandbox, there.keySet())) {
        try {
          attach(uid, sandbox);
          attached.add(new Synchronization.Entry(uid, sandbox.id()));
        } catch (ClaimException e) {
          failures.add(e);
        }
      }
    }
    return new Synchronization(kept, attached, detached, failures);
  }

  /** The attachments to sandboxes of pods. */
  private Set<Synchronization.Entry> attachments() {
    Set<Synchronization.Entry> entries = new LinkedHashSet<>();
    for (StoredClaim claim : keeper.claims()) {
      for (StoredAttachment one : claim.attachments()) {
        if (one.state() == ClaimState.DONE
            && !one.sandbox().podUid().isEmpty()
            && !keeper.isOfOtherBoot(claim)) {
          entries.add(new Synchronization.Entry(claim.uid(), one.sandbox().id()));
        }
      }
    }
    return entries;
  }

  /** The prepared claims of a sandbox's pod that are not attached to any existing sandbox. */
  private Set<String> missing(Sandbox sandbox, Set<String> there) {
    Set<String> missing = new LinkedHashSet<>();
    for (StoredClaim claim : keeper.claims()) {
      boolean isOfPod =
          claim.claim().claimed().reservedFor().stream()
              .anyMatch(one -> !sandbox.podUid().isEmpty() && one.uid().equals(sandbox.podUid()));
      boolean isAttached =
          claim.attachments().stream()
              .anyMatch(
                  one ->
                      one.sandbox().id().equals(sandbox.id())
                          || (one.sandbox().podUid().equals(sandbox.podUid())
                              && there.contains(one.sandbox().id())));
      if (isOfPod
          && !isAttached
          && claim.state() == ClaimState.DONE
          && !keeper.isOfOtherBoot(claim)) {
        missing.add(claim.uid());
      }
    }
    return missing;
  }
}
