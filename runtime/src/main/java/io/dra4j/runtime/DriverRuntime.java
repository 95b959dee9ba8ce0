package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.HostWatchers;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.TopologyReaders;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs drivers on this host, in this process. It reads the host when something changes and keeps
 * what the drivers offer as ResourceSlices; it prepares claims and attaches them to sandboxes, each
 * as a transaction that is undone when it fails, and after a crash; and it allocates claims on this
 * host by itself where there is no cluster.
 *
 * <pre>{@code
 * try (DriverRuntime runtime =
 *     DriverRuntime.builder().driver(new FpgaDriver()).store(path).selectors(CelSelectors.create()).build()) {
 *   runtime.start();
 *   runtime.allocate(claim);                                  // or allocated by a scheduler
 *   runtime.prepare(allocatedClaim);
 *   runtime.attach(uid, Sandbox.of(Path.of("/run/netns/pod")));
 *   …
 *   runtime.unprepare(uid);                                   // detaches first
 * }
 * }</pre>
 *
 * <p>Every call may be repeated: what is done already is answered from the store, what is unknown
 * is nothing to take back. When the runtime is closed, claims stay prepared and attached; the next
 * process with the same store goes on with them. Thread-safe.
 */
public final class DriverRuntime implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DriverRuntime.class);

  private enum Phase {
    NEW,
    STARTED,
    STOPPING,
    STOPPED
  }

  private final String node;
  private final Map<String, DriverSlot> slots = new LinkedHashMap<>();
  private final ClaimStore store;
  private final DriverCalls calls;
  private final ClaimKeeper keeper;
  private final @Nullable LocalAllocation allocation;
  private final Discovery discovery;
  private final PrometheusMeterRegistry prometheus;
  private final MeterRegistry metrics;
  private final Duration stopLimit;
  private final KeyedLocks locks = new KeyedLocks();
  private final ExecutorService workers = Executors.newCachedThreadPool(DriverRuntime::worker);
  private final List<SliceListener> listeners = new CopyOnWriteArrayList<>();
  private final List<QuarantinedEntry> quarantined;
  private @Nullable RuntimeEndpoint endpoint;
  private Phase phase = Phase.NEW;
  private int running;
  private volatile boolean hasRecovered;

  private DriverRuntime(Builder builder, ClaimStore store) throws StoreException {
    this.store = store;
    this.node = builder.node;
    this.stopLimit = builder.stopLimit;
    this.prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MeterRegistry given = builder.metrics;
    this.metrics = given == null ? prometheus : given;
    this.calls = new DriverCalls(builder.callLimit, metrics);
    this.keeper = new ClaimKeeper(store, calls);
    this.quarantined = store.quarantined();
    for (DeviceDriver driver : builder.drivers) {
      slots.put(driver.name(), new DriverSlot(driver, node));
    }
    SelectorCompiler selectors = builder.selectors;
    this.allocation =
        selectors == null
            ? null
            : new LocalAllocation(
                Allocator.builder().selectors(selectors).build(),
                node,
                builder.deviceClasses,
                store);
    this.discovery =
        new Discovery(
            builder.host,
            builder.readers == null ? TopologyReaders.installed() : builder.readers,
            builder.watchers == null ? HostWatchers.installed() : builder.watchers,
            List.copyOf(slots.values()),
            keeper,
            metrics,
            listeners,
            new Discovery.Times(builder.quiet, builder.pause, builder.period),
            this::takeBackWhatIsLeft);
    for (String state : List.of("prepared", "attached", "pending")) {
      metrics.gauge(
          "dra4j.claims", List.of(Tag.of("state", state)), keeper, one -> one.counts().get(state));
    }
    metrics.gauge("dra4j.store.quarantined", quarantined, List::size);
  }

  private static Thread worker(Runnable work) {
    Thread thread = new Thread(work, "dra4j-call");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts a runtime for this host.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Takes back what an earlier process began and did not end, discovers the devices, and begins to
   * watch the host. When this returns, the runtime serves claims. What could not be taken back does
   * not keep it from starting: it is tried again, and {@link #health} tells of it.
   *
   * @throws IllegalStateException if the runtime was started before
   */
  public void start() {
    synchronized (this) {
      if (phase != Phase.NEW) {
        throw new IllegalStateException("the runtime was started before");
      }
      phase = Phase.STARTED;
    }
    quarantined.forEach(
        entry -> LOG.atError().log("put aside, it could not be understood: {}", entry));
    recover();
    hasRecovered = true;
    discovery.start();
  }

  private void recover() {
    for (StoredClaim claim : keeper.claims()) {
      DriverSlot slot = slots.get(claim.driver());
      if (slot == null) {
        LOG.atWarn()
            .addKeyValue("claim", claim.claim().claim())
            .addKeyValue("driver", claim.driver())
            .log("a claim of a driver that does not run is left as it is");
        continue;
      }
      for (StoredAttachment attachment : claim.attachments()) {
        if (attachment.state() == ClaimState.DONE) {
          resume(slot, claim, attachment);
        }
      }
    }
    takeBackWhatIsLeft();
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
  private void takeBackWhatIsLeft() {
    for (StoredClaim claim : keeper.claims()) {
      DriverSlot slot = slots.get(claim.driver());
      if (slot != null && isLeft(claim)) {
        String uid = claim.claim().claim().uid();
        try {
          locked(uid, claim.claim().claim().toString(), () -> takeBack(slot, uid));
        } catch (ClaimException e) {
          LOG.atWarn().log("not taken back yet: {}", e.getMessage());
        } catch (IllegalStateException e) {
          return; // it is stopping; the next process goes on with it
        }
      }
    }
  }

  private static boolean isLeft(StoredClaim claim) {
    return claim.state() != ClaimState.DONE
        || claim.attachments().stream().anyMatch(one -> one.state() != ClaimState.DONE);
  }

  private Void takeBack(DriverSlot slot, String uid) throws ClaimException {
    StoredClaim claim = keeper.find(uid, slot.name());
    if (claim == null) {
      return done();
    }
    try {
      if (claim.state() != ClaimState.DONE) {
        keeper.unprepare(slot, claim);
      } else {
        for (StoredAttachment attachment : claim.attachments()) {
          if (attachment.state() != ClaimState.DONE) {
            keeper.detach(slot, claim, attachment);
          }
        }
      }
      return done();
    } catch (DriverException e) {
      throw ClaimException.of(claim.claim().claim(), slot.name(), e);
    }
  }

  @SuppressWarnings("NullAway") // Void has no other value
  private static Void done() {
    return null;
  }

  /**
   * Names the node that the devices are offered on.
   *
   * @return the name of the node, which is the name of each driver's pool
   */
  public String node() {
    return node;
  }

  /**
   * The slices of all drivers as of the last discovery. Devices that a claim has stay among them
   * while it is prepared, also when they are in a pod and cannot be seen from the host; while it is
   * attached they look as they did when it was prepared.
   *
   * @return the slices, driver by driver
   */
  public List<ResourceSlice> slices() {
    return slots.values().stream().flatMap(slot -> slot.slices().stream()).toList();
  }

  /**
   * The health of devices as of the last discovery.
   *
   * @return what each driver said, by its name
   */
  public Map<String, List<DeviceHealth>> deviceHealth() {
    Map<String, List<DeviceHealth>> health = new LinkedHashMap<>();
    slots.values().forEach(slot -> health.put(slot.name(), slot.health()));
    return health;
  }

  /**
   * Adds a listener, which hears of changes from now on.
   *
   * @param listener hears of changed slices
   */
  public void addListener(SliceListener listener) {
    listeners.add(listener);
  }

  /**
   * Reads the host now, rather than when something changes.
   *
   * @param wait how long to wait for the answers of the drivers at most
   * @return whether they came in time
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean rescan(Duration wait) throws InterruptedException {
    return discovery.scanNow(wait);
  }

  /**
   * Allocates a claim on this host, from what the drivers offer and other claims of this store do
   * not hold. What is allocated is in the store when this returns. The same claim again gets the
   * same devices. A claim without unique id gets one that follows from its namespace and name.
   *
   * @param claim a claim without allocation
   * @return the devices, or why there are none
   * @throws ClaimException if the store cannot be written
   * @throws IllegalStateException if the runtime has no {@link Builder#selectors}, or does not run
   */
  public AllocationOutcome allocate(ResourceClaim claim) throws ClaimException {
    LocalAllocation local = allocation;
    if (local == null) {
      throw new IllegalStateException("a runtime without selectors(…) does not allocate");
    }
    enter();
    try {
      return local.allocate(claim, slices());
    } catch (StoreException e) {
      throw storeFailure(claim.displayName(), e);
    } finally {
      leave();
    }
  }

  /**
   * The claims that were allocated on this host.
   *
   * @return claims with allocation; empty for a runtime that does not allocate
   */
  public List<ResourceClaim> allocated() {
    LocalAllocation local = allocation;
    return local == null ? List.of() : local.allocated();
  }

  /**
   * Unprepares a claim and gives its devices back to {@link #allocate}.
   *
   * @param uid the unique id of the claim
   * @throws ClaimException if it cannot be unprepared; its devices stay allocated
   * @throws IllegalStateException if the runtime does not run
   */
  public void release(String uid) throws ClaimException {
    unprepare(uid);
    LocalAllocation local = allocation;
    if (local != null) {
      try {
        local.release(uid);
      } catch (StoreException e) {
        throw storeFailure(uid, e);
      }
    }
  }

  /**
   * Prepares an allocated claim with all drivers of this runtime that have devices in it. When this
   * returns, what the drivers said is in the store.
   *
   * @param claim a claim with unique id and allocation
   * @return the prepared devices, driver by driver; empty if no driver of this runtime has any
   * @throws ClaimException if a driver cannot prepare it; what this driver had done is taken back
   * @throws IllegalStateException if the runtime does not run
   */
  public List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
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
    return locked(
        uid,
        claim.displayName(),
        () -> {
          List<PreparedDevice> devices = new ArrayList<>();
          for (DriverSlot slot : slots.values()) {
            if (drivers.contains(slot.name())) {
              devices.addAll(prepare(slot, claim, uid));
            }
          }
          return List.copyOf(devices);
        });
  }

  private List<PreparedDevice> prepare(DriverSlot slot, ResourceClaim claim, String uid)
      throws ClaimException {
    StoredClaim known = keeper.find(uid, slot.name());
    try {
      ClaimedDevices claimed =
          ClaimedDevices.of(
              claim,
              slot.name(),
              id -> {
                if (known != null) { // as it was when it was prepared first
                  for (var device : known.claim().claimed().devices()) {
                    if (device.id().equals(id)) {
                      return device.device();
                    }
                  }
                }
                return slot.device(id);
              });
      return keeper.prepare(slot, claimed).devices();
    } catch (DriverException e) {
      throw ClaimException.of(claim.displayName(), slot.name(), e);
    }
  }

  /**
   * Attaches a prepared claim to a sandbox, with all drivers that prepared it: all of them, or
   * none. If the claim is attached to another sandbox of the same pod, it is detached from that
   * first.
   *
   * @param uid the unique id of the claim
   * @param sandbox where its containers will run
   * @return what is to be written in {@code status.devices} of the claim
   * @throws ClaimException if it is not prepared, or a driver cannot attach it; nothing is attached
   *     then
   * @throws IllegalStateException if the runtime does not run
   */
  public List<AllocatedDeviceStatus> attach(String uid, Sandbox sandbox) throws ClaimException {
    return locked(
        uid,
        uid,
        () ->
            withLock(
                "sandbox " + sandbox.id(),
                uid,
                () -> {
                  List<StoredClaim> claims = keeper.claimsOf(uid);
                  if (claims.isEmpty()) {
                    throw new ClaimException(
                        uid, null, Kind.UNAVAILABLE, "it is not prepared", null);
                  }
                  return attach(claims, sandbox);
                }));
  }

  private List<AllocatedDeviceStatus> attach(List<StoredClaim> claims, Sandbox sandbox)
      throws ClaimException {
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    List<StoredClaim> attached = new ArrayList<>();
    for (StoredClaim claim : claims) {
      DriverSlot slot = slotOf(claim);
      try {
        for (StoredAttachment other : claim.attachments()) {
          if (!sandbox.podUid().isEmpty()
              && other.sandbox().podUid().equals(sandbox.podUid())
              && !other.sandbox().id().equals(sandbox.id())) {
            keeper.detach(slot, claim, other);
          }
        }
        boolean isNew = ClaimKeeper.attachmentOf(claim, sandbox.id()) == null;
        statuses.addAll(keeper.attach(slot, claim, sandbox));
        if (isNew) {
          attached.add(claim);
        }
      } catch (DriverException e) {
        ClaimException failure = ClaimException.of(claim.claim().claim(), claim.driver(), e);
        for (StoredClaim one : attached) {
          try {
            detach(slotOf(one), one, sandbox.id());
          } catch (ClaimException suppressed) {
            failure.addSuppressed(suppressed);
          }
        }
        throw failure;
      }
    }
    return List.copyOf(statuses);
  }

  /**
   * Detaches a claim from a sandbox: its devices are on the host again, as they were.
   *
   * @param uid the unique id of the claim
   * @param sandboxId the id of the sandbox, which may be gone; one that the claim is not attached
   *     to is nothing to do
   * @throws ClaimException if a driver cannot detach it; that is tried again, also by itself
   * @throws IllegalStateException if the runtime does not run
   */
  public void detach(String uid, String sandboxId) throws ClaimException {
    locked(
        uid,
        uid,
        () ->
            withLock(
                "sandbox " + sandboxId,
                uid,
                () -> {
                  ClaimException failure = null;
                  for (StoredClaim claim : keeper.claimsOf(uid)) {
                    try {
                      detach(slotOf(claim), claim, sandboxId);
                    } catch (ClaimException e) {
                      failure = joined(failure, e);
                    }
                  }
                  return thrown(failure);
                }));
  }

  private void detach(DriverSlot slot, StoredClaim claim, String sandboxId) throws ClaimException {
    StoredClaim now = keeper.find(claim.claim().claim().uid(), claim.driver());
    StoredAttachment attachment = now == null ? null : ClaimKeeper.attachmentOf(now, sandboxId);
    if (now == null || attachment == null) {
      return;
    }
    try {
      keeper.detach(slot, now, attachment);
    } catch (DriverException e) {
      throw ClaimException.of(now.claim().claim(), now.driver(), e);
    }
  }

  /**
   * Unprepares a claim with all drivers, after it was detached from every sandbox.
   *
   * @param uid the unique id of the claim; one that is not known is nothing to do
   * @throws ClaimException if a driver cannot unprepare it; that is tried again, also by itself
   * @throws IllegalStateException if the runtime does not run
   */
  public void unprepare(String uid) throws ClaimException {
    locked(
        uid,
        uid,
        () -> {
          ClaimException failure = null;
          for (StoredClaim claim : keeper.claimsOf(uid)) {
            try {
              keeper.unprepare(slotOf(claim), claim);
            } catch (DriverException e) {
              failure =
                  joined(failure, ClaimException.of(claim.claim().claim(), claim.driver(), e));
            }
          }
          return thrown(failure);
        });
  }

  private static ClaimException joined(@Nullable ClaimException first, ClaimException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  private static Void thrown(@Nullable ClaimException failure) throws ClaimException {
    if (failure != null) {
      throw failure;
    }
    return done();
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
    return slot;
  }

  /**
   * What a container gets that uses a prepared claim, or one request of it.
   *
   * @param uid the unique id of the claim
   * @param request the name of a request; null for the whole claim. Devices of its alternatives
   *     belong to it.
   * @return the edits; {@link ContainerEdits#NONE} if the claim is not prepared or has no such
   *     request
   */
  public ContainerEdits editsFor(String uid, @Nullable String request) {
    ContainerEdits edits = ContainerEdits.NONE;
    for (StoredClaim claim : keeper.claimsOf(uid)) {
      for (PreparedDevice device : claim.claim().prepared().devices()) {
        boolean isMeant =
            request == null
                || device.requests().stream()
                    .anyMatch(one -> one.equals(request) || one.startsWith(request + "/"));
        if (claim.state() == ClaimState.DONE && isMeant) {
          edits = edits.and(device.edits());
        }
      }
    }
    return edits;
  }

  /**
   * The claims that are prepared, or wait for being taken back, as the store has them.
   *
   * @return the claims by driver
   */
  public List<StoredClaim> claims() {
    return keeper.claims();
  }

  /**
   * Tells how the runtime is. It asks nobody: what it tells was noticed by the work itself, such as
   * a store whose last write failed.
   *
   * @return whether it is live and ready, and what is wrong
   */
  public RuntimeHealth health() {
    Phase now;
    synchronized (this) {
      now = phase;
    }
    List<String> fatal = new ArrayList<>(calls.stuck());
    List<String> unready = new ArrayList<>();
    if (now == Phase.STARTED && hasRecovered) {
      String problem = discovery.problem();
      if (problem != null) {
        fatal.add(problem);
      }
    } else {
      unready.add(now == Phase.NEW || now == Phase.STARTED ? "it is starting" : "it is stopping");
    }
    for (DriverSlot slot : slots.values()) {
      if (!slot.hasDiscovered()) {
        unready.add("driver %s has not discovered its devices".formatted(slot.name()));
      }
    }
    String storeProblem = store.problem();
    if (storeProblem != null) {
      unready.add(storeProblem);
    }
    List<String> problems = new ArrayList<>(fatal);
    problems.addAll(unready);
    for (DriverSlot slot : slots.values()) {
      String problem = slot.problem();
      if (problem != null) {
        problems.add("driver %s could not discover: %s".formatted(slot.name(), problem));
      }
    }
    keeper.claims().stream()
        .filter(DriverRuntime::isLeft)
        .forEach(
            claim ->
                problems.add(
                    "claim %s of driver %s is not taken back yet"
                        .formatted(claim.claim().claim(), claim.driver())));
    quarantined.forEach(entry -> problems.add("put aside: " + entry));
    return new RuntimeHealth(fatal.isEmpty(), fatal.isEmpty() && unready.isEmpty(), problems);
  }

  /**
   * Serves {@code /metrics}, {@code /healthz} and {@code /readyz} until the runtime is closed.
   *
   * @param address where to listen; port 0 takes a free one
   * @return where it listens
   * @throws IOException if it cannot listen there
   * @throws IllegalStateException if it serves already
   */
  public synchronized InetSocketAddress serve(InetSocketAddress address) throws IOException {
    if (endpoint != null) {
      throw new IllegalStateException("it serves already");
    }
    try {
      RuntimeEndpoint made = new RuntimeEndpoint(address, prometheus::scrape, this::health);
      endpoint = made;
      return made.address();
    } catch (IOException e) {
      throw new IOException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  // Calls.

  private interface Work<T> {
    T run() throws ClaimException;
  }

  /**
   * Works on a platform thread of the runtime, whoever calls: drivers change namespaces on threads
   * that they make of it, and no caller that goes away leaves a call without end.
   */
  private <T> T locked(String key, String claim, Work<T> work) throws ClaimException {
    enter();
    Future<T> answer;
    try {
      answer =
          workers.submit(
              () -> {
                try {
                  return withLock(key, claim, work);
                } finally {
                  leave();
                }
              });
    } catch (RejectedExecutionException e) {
      leave();
      throw new ClaimException(claim, null, Kind.UNAVAILABLE, "the runtime is stopping", e);
    }
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new ClaimException(claim, null, Kind.FAILED, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClaimException known) {
        throw known;
      }
      throw new IllegalStateException("a bug of the runtime", e.getCause());
    }
  }

  /** Runs with the lock of a key, so that calls for it do not overlap. */
  private <T> T withLock(String key, String claim, Work<T> work) throws ClaimException {
    try (KeyedLocks.Held held = locks.take(key, calls.limit().multipliedBy(2))) {
      if (held == null) {
        throw new ClaimException(
            claim, null, Kind.UNAVAILABLE, "another call for it does not end", null);
      }
      return work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClaimException(claim, null, Kind.FAILED, "interrupted", e);
    }
  }

  private synchronized void enter() {
    if (phase != Phase.STARTED) {
      throw new IllegalStateException("the runtime does not run");
    }
    running++;
  }

  private synchronized void leave() {
    running--;
    notifyAll();
  }

  private static ClaimException storeFailure(String claim, StoreException e) {
    return new ClaimException(claim, null, Kind.FAILED, String.valueOf(e.getMessage()), e);
  }

  /**
   * Stops: refuses new calls, lets those that run end (for as long as {@link Builder#stopLimit}
   * allows), ends watching, and closes the store. Claims stay prepared and attached. Safe to
   * repeat.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (phase == Phase.STOPPING || phase == Phase.STOPPED) {
        return;
      }
      boolean wasStarted = phase == Phase.STARTED;
      phase = Phase.STOPPING;
      if (wasStarted) {
        awaitCalls();
      }
    }
    discovery.close();
    workers.shutdownNow();
    calls.close();
    RuntimeEndpoint serving;
    synchronized (this) {
      serving = endpoint;
      phase = Phase.STOPPED;
    }
    if (serving != null) {
      serving.close();
    }
    try {
      store.close();
    } catch (StoreException e) {
      LOG.atWarn().log("{}", e.getMessage());
    }
    prometheus.close();
  }

  private synchronized void awaitCalls() {
    long end = System.nanoTime() + stopLimit.toNanos();
    boolean interrupted = false;
    while (running > 0) {
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (millis <= 0) {
        LOG.atWarn().log("{} calls did not end in time", running);
        break;
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        interrupted = true;
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Collects what a runtime needs. At least a driver and a store must be given. */
  public static final class Builder {

    private final List<DeviceDriver> drivers = new ArrayList<>();
    private final List<DeviceClass> deviceClasses = new ArrayList<>();
    private Host host = Host.live();
    private String node = "localhost";
    private @Nullable TopologyReaders readers;
    private @Nullable List<HostWatcher> watchers;
    private @Nullable Path store;
    private @Nullable SelectorCompiler selectors;
    private @Nullable MeterRegistry metrics;
    private Duration callLimit = Duration.ofSeconds(30);
    private Duration stopLimit = Duration.ofSeconds(30);
    private Duration quiet = Duration.ofMillis(50);
    private Duration pause = Duration.ofSeconds(1);
    private Duration period = Duration.ofMinutes(1);

    private Builder() {}

    /**
     * Adds a driver.
     *
     * @param value the driver; those that are no {@link io.dra4j.spi.PreparingDriver} have nothing
     *     to prepare
     * @return this builder
     */
    public Builder driver(DeviceDriver value) {
      drivers.add(Objects.requireNonNull(value, "driver"));
      return this;
    }

    /**
     * Sets which host the readers read; this one by default.
     *
     * @param value the host
     * @return this builder
     */
    public Builder host(Host value) {
      this.host = value;
      return this;
    }

    /**
     * Sets the name of the node; {@code localhost} by default.
     *
     * @param value a DNS subdomain
     * @return this builder
     */
    public Builder node(String value) {
      this.node = value;
      return this;
    }

    /**
     * Sets what reads the host; all installed readers by default.
     *
     * @param value the readers
     * @return this builder
     */
    public Builder readers(TopologyReaders value) {
      this.readers = value;
      return this;
    }

    /**
     * Sets what watches the host; all installed watchers by default.
     *
     * @param values the watchers; none if it is enough to read the host from time to time
     * @return this builder
     */
    public Builder watchers(List<HostWatcher> values) {
      this.watchers = List.copyOf(values);
      return this;
    }

    /**
     * Sets the file in which claims are remembered; it is made if it is not there.
     *
     * @param file the file, in a folder that exists
     * @return this builder
     */
    public Builder store(Path file) {
      this.store = file;
      return this;
    }

    /**
     * Lets the runtime allocate claims by itself.
     *
     * @param value compiles the selectors of requests and classes
     * @return this builder
     */
    public Builder selectors(SelectorCompiler value) {
      this.selectors = value;
      return this;
    }

    /**
     * Adds classes that claims to be allocated here can name.
     *
     * @param values the classes
     * @return this builder
     */
    public Builder deviceClasses(List<DeviceClass> values) {
      deviceClasses.addAll(values);
      return this;
    }

    /**
     * Sets where metrics go, instead of {@code /metrics} of the runtime's own endpoint.
     *
     * @param value the registry, which the runtime does not close
     * @return this builder
     */
    public Builder metrics(MeterRegistry value) {
      this.metrics = value;
      return this;
    }

    /**
     * Sets how long a call of a driver may take before it is interrupted; 30 seconds by default.
     *
     * @param value more than 0
     * @return this builder
     */
    public Builder callLimit(Duration value) {
      this.callLimit = positive("callLimit", value);
      return this;
    }

    /**
     * Sets how long {@link DriverRuntime#close} waits for calls; 30 seconds by default.
     *
     * @param value more than 0
     * @return this builder
     */
    public Builder stopLimit(Duration value) {
      this.stopLimit = positive("stopLimit", value);
      return this;
    }

    /**
     * Sets when the host is read.
     *
     * @param newQuiet how long nothing must have changed, so that one burst of changes is one
     *     reading; 50 milliseconds by default. A host that never rests is read after ten times as
     *     long.
     * @param newPause how long after a reading the next one begins at the earliest; 1 second by
     *     default
     * @param newPeriod how long after a reading the next one begins at the latest; 1 minute by
     *     default
     * @return this builder
     */
    public Builder discovery(Duration newQuiet, Duration newPause, Duration newPeriod) {
      this.quiet = positive("quiet", newQuiet);
      this.pause = positive("pause", newPause);
      this.period = positive("period", newPeriod);
      return this;
    }

    private static Duration positive(String name, Duration value) {
      if (value.isZero() || value.isNegative()) {
        throw new IllegalArgumentException(name + ": want more than 0, got " + value);
      }
      return value;
    }

    /**
     * Opens the store and makes the runtime, which does nothing until it is started.
     *
     * @return the runtime
     * @throws StoreException if the store cannot be opened: another process uses it, for example
     * @throws IllegalStateException if there is no driver or no store, or if two drivers have the
     *     same name
     */
    public DriverRuntime build() throws StoreException {
      Path file = store;
      if (file == null || drivers.isEmpty()) {
        throw new IllegalStateException("a runtime needs at least one driver(…), and a store(…)");
      }
      Map<String, DeviceDriver> names = new HashMap<>();
      for (DeviceDriver driver : drivers) {
        if (names.put(driver.name(), driver) != null) {
          throw new IllegalStateException("two drivers are called " + driver.name());
        }
      }
      ClaimStore opened = ClaimStore.open(file);
      try {
        return new DriverRuntime(this, opened);
      } catch (StoreException | RuntimeException e) {
        try {
          opened.close();
        } catch (StoreException suppressed) {
          e.addSuppressed(suppressed);
        }
        throw e;
      }
    }
  }
}
