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
 * Lets no container of a pod be created before the claims of the pod are attached. The CDI file of
 * a claim is the gate: it is written when the claim is attached, and removed before it is detached.
 * A container without the file fails at its creation, and the kubelet tries again under every
 * restart policy. Containers that do not use the claim are held by {@link #admit}.
 *
 * <p>Claims are attached on threads of their own, and no wait for them cancels them. A sandbox that
 * is attached late has its pod looked at again by the kubelet. Thread-safe.
 */
final class AttachGate {

  private static final Logger LOG = LoggerFactory.getLogger(AttachGate.class);

  /** How long claims of sandboxes that are gone may keep those of others waiting. */
  private static final Duration DETACH_FIRST = Duration.ofSeconds(10);

  /** What is known of a sandbox. */
  private static final class Known {
    private Sandbox sandbox;
    private boolean isStopped;
    private @Nullable CompletableFuture<Void> attaching;
    private boolean isAwaited; // by RunPodSandbox, whose answer needs no kick

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

  /**
   * Makes the gate.
   *
   * @param files the CDI files by driver
   * @param threads where claims are attached and detached
   */
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

  /** Where claims are attached, and where they are detached: neither waits for the other. */
  record Threads(Executor attaching, Executor detaching) {}

  /** Learns for which pods a claim is that another pod had prepared. */
  @FunctionalInterface
  interface Reservations {

    /** Reserves a claim for those for which it is reserved now. */
    void renew(StoredClaim claim) throws ClaimException;
  }

  /**
   * Brings the files in line with the store: those that a process before left behind are removed,
   * and those of claims that are attached are there. Not before this process has the store.
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
      prepared(claim); // also one that was attached meanwhile
    }
  }

  /** A driver has prepared a claim: containers can be created if nothing has to be attached. */
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

  /** Lets no container with a claim be created any more. */
  void close(String uid, String driver) throws IOException {
    ClaimFiles file = files.get(driver);
    if (file != null) {
      file.remove(uid);
    }
  }

  /** A claim is unprepared: its files are gone, also those that were written meanwhile. */
  void forgetClaim(String uid, String driver) throws IOException {
    ClaimFiles file = files.get(driver);
    if (file != null) {
      file.forget(uid);
    }
  }

  /**
   * Attaches the claims of a sandbox, and waits for it. What is not attached then is attached
   * later: the gate is closed until it is.
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
        LOG.atWarn().log("sandbox {}: its containers wait until its claims are attached", sandbox);
        notices.attachLate(
            sandbox,
            "devices are not attached after %d ms: no container is created until they are"
                .formatted(wait.toMillis()));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClaimException failure) {
        throw failure;
      }
      throw new IllegalStateException("sandbox " + sandbox + ": " + e.getCause(), e.getCause());
    }
  }

  /** Whether a sandbox that was started, and is not forgotten, has claims. */
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

  /** Begins to attach, unless that is being done. */
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
        LOG.atInfo().log("sandbox {}: its claims are attached late", sandbox);
        notices.kick(sandbox);
      }
    } catch (ClaimException | IOException | RuntimeException | Error e) {
      LOG.atWarn().log("sandbox {}: {}", sandbox, e.getMessage());
      fail(known, sandbox, end, e);
    }
  }

  /** A sandbox that is refused in time is not used: what is attached to it is detached. */
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

  /** Attaches a claim; returns whether that opened the gate. */
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
    if (isStopped(known)) { // meanwhile: the stop found nothing to detach
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
   * Whether the file of a claim is that of this sandbox, or of a sandbox of another pod: it must
   * not be that of a sandbox that this one takes the place of.
   */
  private static boolean isOpenForOthers(StoredClaim claim, Sandbox sandbox) {
    return attachment(claim, sandbox.id()) != null
        || claim.attachments().stream()
            .anyMatch(
                one ->
                    one.state() == ClaimState.DONE
                        && !one.sandbox().podUid().equals(sandbox.podUid()));
  }

  /** Writes the file of an attached claim, unless it is there. */
  private boolean open(Known known, Sandbox sandbox, StoredClaim claim) throws IOException {
    ClaimFiles file = files.get(claim.driver());
    return file != null && !file.has(claim.uid()) && write(file, known, sandbox, claim);
  }

  /** Writes the file of an attached claim, unless the claim is detached meanwhile. */
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

  /** The attachment of a claim to a sandbox, or to any; null if there is none. */
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

  /**
   * Says whether a container of a sandbox may be created. If not, the claims are being attached
   * when this returns.
   *
   * @return why it may not; empty if it may
   */
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
            "claim %s: driver %s has not attached it to the sandbox yet"
                .formatted(claim.claim().claim(), claim.driver()));
      }
    }
    return Optional.empty();
  }

  /** The sandbox ends: its claims are detached, and are for no container any more. */
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
   * Makes the file of a claim that of another sandbox, whose containers do not wait until the claim
   * is detached from this one; or closes the gate if there is no other sandbox.
   */
  private void handOver(StoredClaim claim, String sandboxId) throws IOException {
    ClaimFiles file = files.get(claim.driver());
    Sandbox other = otherSandbox(claim, sandboxId);
    if (file == null || other == null || !write(file, known(other), other, claim)) {
      close(claim.uid(), claim.driver());
    }
  }

  /** The claim may be attached to sandboxes of other pods, whose containers can be created. */
  private void openForOthers(String uid, String sandboxId) throws IOException {
    for (StoredClaim claim : of(uid)) {
      Sandbox other = otherSandbox(claim, sandboxId);
      if (other != null) {
        open(known(other), other, claim);
      }
    }
  }

  /** Another sandbox to which a claim is attached, and which has not ended; null if none is. */
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

  /** The sandbox is gone. */
  void forget(String sandboxId) {
    sandboxes.remove(sandboxId);
  }

  /**
   * Takes over all sandboxes: claims of others are detached, and those that were missed attached.
   *
   * @param all the sandboxes of the container runtime
   * @param runs whether claims can be attached to a sandbox: it has not ended
   */
  void synchronize(List<Sandbox> all, Predicate<Sandbox> runs) {
    Set<String> there = new HashSet<>();
    all.forEach(one -> there.add(one.id()));
    Set<String> gone = new LinkedHashSet<>();
    for (StoredClaim claim : service.claims()) {
      if (!service.isPrepared(claim)) {
        continue; // the runtime or another process takes it back
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
        markStopped(id); // an attach that is under way takes back what it did
        sandboxes.remove(id);
      }
    }
    synchronizations.incrementAndGet();
    List<CompletableFuture<Void>> detached = new ArrayList<>();
    for (String id : gone) {
      LOG.atInfo().log("sandbox {} is gone, its claims are detached", id);
      detached.add(CompletableFuture.runAsync(() -> detachAll(id), threads.detaching()));
    }
    List<Sandbox> missed =
        all.stream().filter(one -> !claims.of(one).isEmpty() && runs.test(one)).toList();
    missed.forEach(this::known);
    CompletableFuture<Void> attaching =
        CompletableFuture.allOf(detached.toArray(CompletableFuture[]::new))
            .completeOnTimeout(null, DETACH_FIRST.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((none, failure) -> missed.forEach(this::attachIfThere));
    LOG.atDebug().log("{} sandboxes are attached after {} are detached", missed.size(), attaching);
  }

  private void attachIfThere(Sandbox sandbox) {
    Known known = sandboxes.get(sandbox.id());
    if (known != null && !isStopped(known)) {
      attachLater(sandbox);
    }
  }

  /** How many times the container runtime has listed its sandboxes. */
  int synchronizations() {
    return synchronizations.get();
  }

  /** A sandbox that runs and to which a claim should be attached. */
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
  void attachLater(Sandbox sandbox) {
    CompletableFuture<Void> attaching = start(known(sandbox), false);
    LOG.atDebug().log("sandbox {}: {}", sandbox, attaching);
  }

  /** Writes again the file of a claim that needs no attaching, if it was removed. */
  void repair(StoredClaim claim) throws IOException {
    if (!service.isAttachNeeded(claim)) {
      prepared(claim);
    }
  }

  /** Whether containers with a claim wait. */
  boolean isWaiting(StoredClaim claim) {
    ClaimFiles file = files.get(claim.driver());
    return service.isPrepared(claim)
        && service.isAttachNeeded(claim)
        && (attachment(claim, null) == null || file == null || !file.has(claim.uid()));
  }
}
