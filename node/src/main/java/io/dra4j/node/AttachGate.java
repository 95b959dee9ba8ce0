package io.dra4j.node;

import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.ClaimState;
import io.dra4j.runtime.Deadline;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents the creation of containers of a pod before the claims of the pod are attached. The CDI
 * file of a claim is the gate: it is written when the claim is attached, and removed before it is
 * detached. Without the file, the creation of a container that uses the claim fails, and the
 * kubelet retries it under every restart policy. {@link #admit} holds back containers that do not
 * use the claim.
 *
 * <p>Claims are attached on separate threads; the end of a wait does not cancel the attaching. If a
 * sandbox is attached late, the kubelet is notified to retry its pod. Thread-safe.
 */
final class AttachGate {

  private static final Logger LOG = LoggerFactory.getLogger(AttachGate.class);

  /** The longest wait for claims to be detached from sandboxes that no longer exist. */
  private static final Duration DETACH_FIRST = Duration.ofSeconds(10);

  /** The state of a sandbox. */
  private static final class Known {
    private Sandbox sandbox;
    private boolean isStopped;
    private @Nullable CompletableFuture<Void> attaching;
    private boolean isAwaited; // by RunPodSandbox, whose answer makes a kick unnecessary

    Known(Sandbox sandbox) {
      this.sandbox = sandbox;
    }
  }

  private final ClaimService service;
  private final SandboxClaims claims;
  private final Map<String, ClaimFiles> files;
  private final Reservations reservations;
  private final PodNotices notices;
  private final Threads threads;
  private final Map<String, Known> sandboxes = new ConcurrentHashMap<>();
  private final AtomicInteger synchronizations = new AtomicInteger();

  /** Creates the gate, with CDI files by driver, and threads that attach and detach claims. */
  AttachGate(
      ClaimService service,
      SandboxClaims claims,
      Map<String, ClaimFiles> files,
      Reservations reservations,
      PodNotices notices,
      Threads threads) {
    this.service = service;
    this.claims = claims;
    this.files = Map.copyOf(files);
    this.reservations = reservations;
    this.notices = notices;
    this.threads = threads;
  }

  /** Separate threads for attaching and detaching, so that neither waits for the other. */
  record Threads(Executor attaching, Executor detaching) {}

  /** Updates the reservations of a claim that was prepared for another pod. */
  @FunctionalInterface
  interface Reservations {

    /** Reads the current reservations of a claim and stores them. */
    void renew(StoredClaim claim) throws ClaimException;
  }

  /**
   * Synchronizes the files with the store: removes files that an earlier process left behind, and
   * writes the files of attached claims. Must not be called before this process owns the store.
   */
  void restore() throws IOException {
    for (Map.Entry<String, ClaimFiles> one : files.entrySet()) {
      Set<String> open = new HashSet<>();
      Set<String> known = new HashSet<>();
      for (StoredClaim claim : service.claims()) {
        if (!claim.driver().equals(one.getKey())) {
          continue;
        }
        known.add(claim.uid());
        if (service.isPrepared(claim)
            && (!service.isAttachNeeded(claim) || attachment(claim, null) != null)) {
          open.add(claim.uid());
        }
      }
      one.getValue().retain(open, known);
    }
    for (StoredClaim claim : service.claims()) {
      prepared(claim); // also a claim that was attached in the meantime
    }
  }

  /** Handles a prepared claim: opens the gate if the claim needs no attaching. */
  void prepared(StoredClaim claim) throws IOException {
    ClaimFiles file = files.get(claim.driver());
    if (file == null || file.has(claim.uid()) || !service.isPrepared(claim)) {
      return;
    }
    StoredAttachment attachment = attachment(claim, null);
    if (attachment != null || !service.isAttachNeeded(claim)) {
      file.write(claim, attachment);
    }
  }

  /** Closes the gate: no container with the claim can be created any more. */
  void close(String uid, String driver) throws IOException {
    ClaimFiles file = files.get(driver);
    if (file != null) {
      file.remove(uid);
    }
  }

  /** Removes all files of an unprepared claim, also files that were written in the meantime. */
  void forgetClaim(String uid, String driver) throws IOException {
    ClaimFiles file = files.get(driver);
    if (file != null) {
      file.forget(uid);
    }
  }

  /**
   * Attaches the claims of a sandbox, and waits for that. Claims that are not attached within the
   * wait are attached later; the gate stays closed until then.
   *
   * @throws ClaimException if a claim cannot be attached; the sandbox must not be used
   */
  void run(Sandbox sandbox, Duration wait) throws ClaimException, InterruptedException {
    if (claims.of(sandbox).isEmpty()) {
      return;
    }
    Known known = known(sandbox);
    CompletableFuture<Void> attaching = start(known, true);
    try {
      attaching.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      synchronized (known) {
        known.isAwaited = false;
      }
      if (!attaching.isDone()) {
        LOG.atWarn()
            .log(
                "sandbox {}: containers cannot start until the claims of the pod are attached",
                sandbox);
        notices.attachLate(
            sandbox,
            "devices are not attached after %d ms: containers are created when they are attached"
                .formatted(wait.toMillis()));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClaimException failure) {
        throw failure;
      }
      throw new IllegalStateException("sandbox " + sandbox + ": " + e.getCause(), e.getCause());
    }
  }

  /** Whether a sandbox that was started and not removed has claims. */
  boolean hasClaims(String sandboxId) {
    return sandboxes.containsKey(sandboxId);
  }

  private Known known(Sandbox sandbox) {
    return sandboxes.compute(
        sandbox.id(),
        (id, before) -> {
          if (before == null) {
            return new Known(sandbox);
          }
          synchronized (before) {
            before.sandbox = before.sandbox.merge(sandbox);
          }
          return before;
        });
  }

  /** Starts attaching, unless it is running already. */
  private CompletableFuture<Void> start(Known known, boolean isAwaited) {
    CompletableFuture<Void> begun;
    synchronized (known) {
      CompletableFuture<Void> running = known.attaching;
      if (running != null && !running.isDone()) {
        return running;
      }
      begun = new CompletableFuture<>();
      known.attaching = begun;
      known.isAwaited = isAwaited;
    }
    try {
      threads.attaching().execute(() -> attachAll(known, begun));
    } catch (RejectedExecutionException e) {
      begun.completeExceptionally(
          new IllegalStateException("too many sandboxes wait to be attached", e));
    }
    return begun;
  }

  private void attachAll(Known known, CompletableFuture<Void> end) {
    Sandbox sandbox;
    synchronized (known) {
      sandbox = known.sandbox;
    }
    boolean isChanged = false;
    try {
      Set<String> uids = new LinkedHashSet<>();
      claims.of(sandbox).forEach(one -> uids.add(one.uid()));
      for (String uid : uids) {
        isChanged |= attach(known, sandbox, uid);
      }
      boolean isLate;
      synchronized (known) {
        isLate = !known.isAwaited;
        end.complete(null);
      }
      if (isChanged && isLate && !isStopped(known)) {
        LOG.atInfo().log("sandbox {}: its claims are attached now, after a delay", sandbox);
        notices.kick(sandbox);
      }
    } catch (ClaimException | IOException | RuntimeException | Error e) {
      LOG.atWarn().log("sandbox {}: {}", sandbox, e.getMessage());
      fail(known, sandbox, end, e);
    }
  }

  /** Fails a sandbox. If it is refused in time, it is not used, and its claims are detached. */
  private void fail(Known known, Sandbox sandbox, CompletableFuture<Void> end, Throwable why) {
    notices.attachFailed(sandbox, why);
    boolean isRefused;
    synchronized (known) {
      isRefused = known.isAwaited;
      known.isStopped |= isRefused;
      end.completeExceptionally(why);
    }
    if (isRefused) {
      detachAll(sandbox.id());
    }
  }

  /** Attaches a claim. Returns whether that opened the gate. */
  private boolean attach(Known known, Sandbox sandbox, String uid)
      throws ClaimException, IOException {
    if (isStopped(known)) {
      return false;
    }
    for (StoredClaim claim : of(uid)) {
      if (service.isAttachNeeded(claim) && !isOpenForOthers(claim, sandbox)) {
        close(uid, claim.driver());
      }
      if (!SandboxClaims.isReserved(claim, sandbox.podUid())) {
        reservations.renew(claim);
      }
    }
    service.attach(uid, sandbox, Deadline.none());
    if (isStopped(known)) { // stopped in the meantime, with nothing to detach yet
      service.detach(uid, sandbox.id(), Deadline.none());
      return false;
    }
    boolean isOpened = false;
    for (StoredClaim claim : of(uid)) {
      isOpened |= open(known, sandbox, claim);
    }
    return isOpened;
  }

  /**
   * Whether the file of a claim belongs to this sandbox, or to a sandbox of another pod. It must
   * not belong to a sandbox that this one replaces.
   */
  private static boolean isOpenForOthers(StoredClaim claim, Sandbox sandbox) {
    return attachment(claim, sandbox.id()) != null
        || claim.attachments().stream()
            .anyMatch(
                one ->
                    one.state() == ClaimState.DONE
                        && !one.sandbox().podUid().equals(sandbox.podUid()));
  }

  /** Writes the file of an attached claim, unless the file exists. */
  private boolean open(Known known, Sandbox sandbox, StoredClaim claim) throws IOException {
    ClaimFiles file = files.get(claim.driver());
    return file != null && !file.has(claim.uid()) && write(file, known, sandbox, claim);
  }

  /** Writes the file of an attached claim, unless the claim is being detached. */
  private boolean write(ClaimFiles file, Known known, Sandbox sandbox, StoredClaim claim)
      throws IOException {
    StoredAttachment attachment = attachment(claim, sandbox.id());
    if (attachment == null) {
      return false;
    }
    boolean isNeeded = service.isAttachNeeded(claim);
    file.write(claim, isNeeded ? attachment : null);
    Optional<StoredClaim> now = service.find(claim.uid(), claim.driver());
    boolean isPrepared = now.isPresent() && service.isPrepared(now.get());
    boolean isAttached = isPrepared && attachment(now.get(), sandbox.id()) != null;
    if (isStopped(known) ? isNeeded || !isPrepared : !isAttached) {
      file.remove(claim.uid());
      return false;
    }
    return true;
  }

  private List<StoredClaim> of(String uid) {
    return service.claims().stream().filter(one -> one.uid().equals(uid)).toList();
  }

  private static boolean isStopped(Known known) {
    synchronized (known) {
      return known.isStopped;
    }
  }

  /** The attachment of a claim to a sandbox, or to any sandbox; null if there is none. */
  private static @Nullable StoredAttachment attachment(
      StoredClaim claim, @Nullable String sandboxId) {
    for (StoredAttachment one : claim.attachments()) {
      if (one.state() == ClaimState.DONE
          && (sandboxId == null || one.sandbox().id().equals(sandboxId))) {
        return one;
      }
    }
    return null;
  }

  /** Returns why a container may not be created; empty if it may; else starts attaching claims. */
  Optional<String> admit(Sandbox sandbox) {
    for (StoredClaim claim : claims.of(sandbox)) {
      ClaimFiles file = files.get(claim.driver());
      boolean isMissing =
          service.isAttachNeeded(claim)
              && (attachment(claim, sandbox.id()) == null
                  || file == null
                  || !file.has(claim.uid()));
      if (isMissing) {
        attachLater(sandbox);
        return Optional.of(
            "claim %s: driver %s has not attached the claim to the sandbox yet"
                .formatted(claim.claim().claim(), claim.driver()));
      }
    }
    return Optional.empty();
  }

  /** Detaches the claims of an ending sandbox; its containers cannot be created any more. */
  void stop(String sandboxId, Duration wait) throws InterruptedException {
    markStopped(sandboxId);
    CompletableFuture<Void> end = new CompletableFuture<>();
    threads
        .detaching()
        .execute(
            () -> {
              detachAll(sandboxId);
              end.complete(null);
            });
    try {
      end.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.atInfo().log("sandbox {}: its claims are still being detached", sandboxId);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void markStopped(String sandboxId) {
    Known known = sandboxes.get(sandboxId);
    if (known != null) {
      synchronized (known) {
        known.isStopped = true;
      }
    }
  }

  private void detachAll(String sandboxId) {
    Set<String> done = new HashSet<>();
    for (StoredClaim claim : service.claims()) {
      if (!service.isPrepared(claim)
          || claim.attachments().stream().noneMatch(one -> one.sandbox().id().equals(sandboxId))) {
        continue;
      }
      try {
        if (service.isAttachNeeded(claim)) {
          handOver(claim, sandboxId);
        }
        if (done.add(claim.uid())) {
          service.detach(claim.uid(), sandboxId, Deadline.none());
          openForOthers(claim.uid(), sandboxId);
        }
      } catch (ClaimException | IOException | RuntimeException e) {
        LOG.atWarn().log("sandbox {}: {}", sandboxId, e.getMessage());
      }
    }
  }

  /**
   * Assigns the file of a claim to another sandbox, so that its containers need not wait until the
   * claim is detached from this sandbox. Closes the gate if there is no other sandbox.
   */
  private void handOver(StoredClaim claim, String sandboxId) throws IOException {
    ClaimFiles file = files.get(claim.driver());
    Sandbox other = otherSandbox(claim, sandboxId);
    if (file == null || other == null || !write(file, known(other), other, claim)) {
      close(claim.uid(), claim.driver());
    }
  }

  /** Opens the gate for other pods to whose sandboxes the claim is attached. */
  private void openForOthers(String uid, String sandboxId) throws IOException {
    for (StoredClaim claim : of(uid)) {
      Sandbox other = otherSandbox(claim, sandboxId);
      if (other != null) {
        open(known(other), other, claim);
      }
    }
  }

  /** Another running sandbox to which a claim is attached; null if there is none. */
  private @Nullable Sandbox otherSandbox(StoredClaim claim, String sandboxId) {
    for (StoredAttachment one : claim.attachments()) {
      Known known = sandboxes.get(one.sandbox().id());
      if (one.state() == ClaimState.DONE
          && !one.sandbox().id().equals(sandboxId)
          && (known == null || !isStopped(known))) {
        return one.sandbox();
      }
    }
    return null;
  }

  /** Forgets a removed sandbox. */
  void forget(String sandboxId) {
    sandboxes.remove(sandboxId);
  }

  /**
   * Synchronizes with the sandboxes of the container runtime: detaches claims from sandboxes that
   * no longer exist, and attaches claims of sandboxes whose start was missed.
   *
   * @param all the sandboxes of the container runtime
   * @param runs whether a sandbox has not ended, so that claims can be attached to it
   */
  @SuppressWarnings("FutureReturnValueIgnored") // attaching and detaching log their failures
  void synchronize(List<Sandbox> all, Predicate<Sandbox> runs) {
    Set<String> there = new HashSet<>();
    all.forEach(one -> there.add(one.id()));
    Set<String> gone = new LinkedHashSet<>();
    for (StoredClaim claim : service.claims()) {
      if (!service.isPrepared(claim)) {
        continue; // the runtime or another process undoes it
      }
      for (StoredAttachment one : claim.attachments()) {
        String id = one.sandbox().id();
        if (!one.sandbox().podUid().isEmpty() && !there.contains(id)) {
          gone.add(id);
        }
      }
    }
    for (String id : List.copyOf(sandboxes.keySet())) {
      if (!there.contains(id)) {
        markStopped(id); // a running attach will undo its changes
        sandboxes.remove(id);
      }
    }
    synchronizations.incrementAndGet();
    List<CompletableFuture<Void>> detached = new ArrayList<>();
    for (String id : gone) {
      LOG.atInfo().log("sandbox {} no longer exists: its claims are being detached", id);
      detached.add(CompletableFuture.runAsync(() -> detachAll(id), threads.detaching()));
    }
    List<Sandbox> missed =
        all.stream().filter(one -> !claims.of(one).isEmpty() && runs.test(one)).toList();
    missed.forEach(this::known);
    LOG.atDebug().log("attaching {} sandboxes after detaching {}", missed.size(), gone.size());
    CompletableFuture.allOf(detached.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, DETACH_FIRST.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((none, failure) -> missed.forEach(this::attachIfThere));
  }

  private void attachIfThere(Sandbox sandbox) {
    Known known = sandboxes.get(sandbox.id());
    if (known != null && !isStopped(known)) {
      attachLater(sandbox);
    }
  }

  /** The number of times that the container runtime has listed its sandboxes. */
  int synchronizations() {
    return synchronizations.get();
  }

  /** A running sandbox to which a claim should be attached. */
  Optional<Sandbox> sandboxFor(StoredClaim claim) {
    for (Known known : new ArrayList<>(sandboxes.values())) {
      Sandbox sandbox;
      synchronized (known) {
        sandbox = known.sandbox;
        if (known.isStopped) {
          continue;
        }
      }
      if (claims.of(sandbox).stream().anyMatch(one -> one.uid().equals(claim.uid()))) {
        return Optional.of(sandbox);
      }
    }
    return Optional.empty();
  }

  /** Attaches the claims of a sandbox in the background. */
  @SuppressWarnings("FutureReturnValueIgnored") // attaching logs its failures
  void attachLater(Sandbox sandbox) {
    LOG.atDebug().log("sandbox {}: attaching its claims in the background", sandbox);
    start(known(sandbox), false);
  }

  /** Rewrites the file of a claim that needs no attaching, if the file was removed. */
  void repair(StoredClaim claim) throws IOException {
    if (!service.isAttachNeeded(claim)) {
      prepared(claim);
    }
  }

  /** Whether containers with a claim wait for it to be attached. */
  boolean isWaiting(StoredClaim claim) {
    ClaimFiles file = files.get(claim.driver());
    return service.isPrepared(claim)
        && service.isAttachNeeded(claim)
        && (attachment(claim, null) == null || file == null || !file.has(claim.uid()));
  }
}
