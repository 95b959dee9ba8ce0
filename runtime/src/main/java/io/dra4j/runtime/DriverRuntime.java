package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.spi.publish.DevicePool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
 *   runtime.allocate(claim);
 *   runtime.prepare(allocatedClaim);
 *   runtime.attach(uid, Sandbox.of(Path.of("/run/netns/pod")));
 *   …
 *   runtime.release(uid);   // detaches, unprepares, and gives the devices back
 * }
 * }</pre>
 *
 * <p>A claim that a scheduler has allocated is not allocated here: it goes from {@code prepare} to
 * {@code unprepare}.
 *
 * <p>Every call may be repeated: what is done already is answered from the store, what is unknown
 * is nothing to take back. When the runtime is closed, claims stay prepared and attached; the next
 * process with the same store goes on with them. Thread-safe.
 */
public final class DriverRuntime implements ClaimService, PoolService, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DriverRuntime.class);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);
  private static final Duration FOREVER = Duration.ofMinutes(10);

  private final RuntimeOptions options;
  private final List<DriverSlot> slots;
  private final DriverCalls calls;
  private final CallRunner runner = new CallRunner();
  private final ClaimKeeper keeper;
  private final ClaimLocks locks;
  private final ClaimRecovery recovery;
  private final Claims claims;
  private final @Nullable LocalAllocation allocation;
  private final Discovery discovery;
  private final HealthReport report;
  private final PrometheusMeterRegistry prometheus;
  private final Gauges gauges;
  private final ChangeListeners listeners = new ChangeListeners();
  private final PoolNames names;
  private final @Nullable ClaimStore opened;
  private final @Nullable Takeover takeover;
  private @Nullable RuntimeEndpoint endpoint;

  /** With a store, or with the reason why this process has to wait for it. */
  private DriverRuntime(RuntimeOptions options, @Nullable ClaimStore store, String why)
      throws StoreException {
    this.options = options;
    this.opened = store;
    this.prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MeterRegistry given = options.metrics;
    this.gauges = new Gauges(given == null ? prometheus : given);
    this.calls = new DriverCalls(options.callLimit, gauges);
    ClaimEvents events = new ClaimEvents();
    this.keeper = new ClaimKeeper(calls, options.callLimit, events);
    Map<String, DriverSlot> byName = new LinkedHashMap<>();
    options.drivers.forEach(
        (name, driver) -> byName.put(name, new DriverSlot(driver, name, options.node)));
    this.slots = List.copyOf(byName.values());
    this.names = new PoolNames(options.node, byName);
    HeldDevices held = new HeldDevices(names, new DrawnCounters(byName), keeper::claims);
    this.locks = new ClaimLocks(runner, options.patience());
    ClaimTransactions transactions =
        new ClaimTransactions(slots, keeper, held, locks, options.patience());
    this.recovery = new ClaimRecovery(byName, keeper, transactions, runner);
    SelectorCompiler selectors = options.selectors;
    this.allocation =
        selectors == null
            ? null
            : new LocalAllocation(
                Allocator.builder().selectors(selectors).build(),
                options.node,
                options.deviceClasses,
                keeper,
                held);
    this.discovery =
        new Discovery(
            options.host,
            options.readers(),
            options.watchers(),
            slots,
            keeper,
            calls,
            gauges,
            listeners,
            names,
            options.node,
            new Discovery.Times(options.quiet, options.pause, options.period, options.healthPeriod),
            recovery::takeBackLater);
    this.claims = new Claims(keeper, transactions, recovery, events, discovery::request);
    this.report = new HealthReport(slots, calls, runner, keeper, recovery, discovery);
    this.takeover =
        store == null
            ? new Takeover(
                options.storeFile(), options.boot(), why, options.standbyLimit(), this::takeOver)
            : null;
    listeners.slices.add((driver, slices) -> recovery.devicesChanged());
    for (String state : List.of("prepared", "attached", "pending", "damaged")) {
      gauges.add(
          "dra4j.claims",
          Tags.of("state", state),
          keeper,
          one -> one.counts().getOrDefault(state, 0L));
    }
    gauges.add("dra4j.store.quarantined", Tags.empty(), report, one -> one.quarantined().size());
    if (store != null) {
      load(store);
    }
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
   * <p>A runtime that {@linkplain Builder#standby stands by} discovers the devices and is ready;
   * claims are refused until the other process lets go of the store.
   *
   * @throws IllegalStateException if the runtime was started before, or is closed
   */
  public void start() {
    Takeover waiting = takeover;
    if (waiting != null) {
      locks.standBy(waiting.reason());
      report.standingBy(waiting);
      showClaimsOfTheOther();
    }
    runner.start();
    if (opened != null) {
      recover();
    }
    discovery.start(options.callLimit.plus(AFTER_INTERRUPT));
    if (waiting != null) {
      waiting.start();
    }
  }

  /** Devices that the other process has given to pods stay offered. */
  private void showClaimsOfTheOther() {
    try {
      keeper.show(ClaimStore.read(options.storeFile()));
    } catch (StoreException e) {
      LOG.atWarn().log("claims of the process before cannot be seen: {}", e.getMessage());
    }
  }

  /** On the thread that waited for the store. */
  private void takeOver(ClaimStore store) throws StoreException {
    load(store);
    locks.standBy(null);
    recover();
    discovery.request("claims were taken over");
  }

  private void load(ClaimStore store) throws StoreException {
    store.nameNodes(List.of(options.node));
    names.formerNames(store.nodeNames());
    keeper.open(store);
    for (StoredClaim claim : keeper.claims()) {
      if (!keeper.isOfOtherBoot(claim)) { // whose settings are gone with their kernel
        claim.steps().forEach(FileSetting::found);
        claim.attachments().forEach(one -> one.steps().forEach(FileSetting::found));
      }
    }
    if (allocation != null) {
      allocation.restore();
    }
    report.quarantined(store.quarantined());
  }

  private void recover() {
    report
        .quarantined()
        .forEach(entry -> LOG.atError().log("put aside, it could not be understood: {}", entry));
    recovery.recover(options.patience());
    report.recovered();
  }

  /**
   * Names the node that the devices are offered on.
   *
   * @return the name of the node, which is the name of each driver's own pool
   */
  @Override
  public String node() {
    return options.node;
  }

  @Override
  public Set<String> drivers() {
    Set<String> names = new LinkedHashSet<>();
    slots.forEach(slot -> names.add(slot.name()));
    return Collections.unmodifiableSet(names);
  }

  @Override
  public Map<String, DevicePool> pools(String driver) {
    Objects.requireNonNull(driver, "driver");
    for (DriverSlot slot : slots) {
      if (slot.name().equals(driver)) {
        return slot.pools();
      }
    }
    throw new IllegalArgumentException(
        "want one of the drivers %s, got %s".formatted(drivers(), driver));
  }

  /**
   * The slices of all drivers as of the last discovery. Devices that a claim has stay among them
   * while it is prepared, also when they are in a pod and cannot be seen from the host. While it is
   * attached they have the attributes and capacities that they had when it was prepared, and the
   * taints that they have now.
   *
   * @return the slices, driver by driver
   */
  public List<ResourceSlice> slices() {
    return slots.stream().flatMap(slot -> slot.slices().stream()).toList();
  }

  @Override
  public Map<String, List<DeviceHealth>> deviceHealth() {
    Map<String, List<DeviceHealth>> health = new LinkedHashMap<>();
    slots.forEach(slot -> health.put(slot.name(), slot.health()));
    return health;
  }

  /**
   * Adds a listener, which hears of changes from now on.
   *
   * @param listener hears of changed slices
   */
  public void addListener(SliceListener listener) {
    listeners.slices.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addPoolListener(PoolListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"), slots);
  }

  @Override
  public void removePoolListener(PoolListener listener) {
    listeners.pools.remove(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addHealthListener(HealthListener listener) {
    listeners.health.add(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeHealthListener(HealthListener listener) {
    listeners.health.remove(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Reads the host now, rather than when something changes.
   *
   * @param wait how long to wait for the answers of the drivers at most
   * @return whether the host could be read, and they came in time
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean rescan(Duration wait) throws InterruptedException {
    return discovery.scanNow(Objects.requireNonNull(wait, "wait"));
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
    Objects.requireNonNull(claim, "claim");
    LocalAllocation local = allocation;
    if (local == null) {
      throw new IllegalStateException("a runtime without selectors(…) does not allocate");
    }
    return runner.runHere(
        () -> {
          locks.checkNotStandingBy(claim.displayName());
          try {
            return local.allocate(claim, slices());
          } catch (StoreException e) {
            throw ClaimException.ofStore(claim.displayName(), e);
          }
        });
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
    claims.unprepare(
        Objects.requireNonNull(uid, "uid"),
        () -> {
          try {
            if (allocation != null) {
              allocation.release(uid);
            }
            return uid;
          } catch (StoreException e) {
            throw ClaimException.ofStore(uid, e);
          }
        });
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
    return claims.prepare(claim);
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    return claims.prepare(claim, driver, deadline);
  }

  @Override
  public void reserve(String uid, List<ResourceClaimConsumerReference> reservedFor)
      throws ClaimException {
    claims.reserve(uid, reservedFor);
  }

  @Override
  public List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    return claims.bind(claim, driver, deadline);
  }

  @Override
  public Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException {
    return claims.attach(uid, sandbox, deadline);
  }

  @Override
  public void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException {
    claims.detach(uid, sandboxId, deadline);
  }

  @Override
  public Synchronization synchronize(List<Sandbox> sandboxes) {
    return claims.synchronize(sandboxes);
  }

  @Override
  public void unprepare(String uid) throws ClaimException {
    claims.unprepare(uid);
  }

  @Override
  public void unprepare(String uid, String driver, Deadline deadline) throws ClaimException {
    claims.unprepare(uid, driver, deadline);
  }

  @Override
  public void forget(String uid, String driver) throws ClaimException {
    claims.forget(uid, driver);
  }

  @Override
  public List<StoredClaim> claims() {
    return claims.claims();
  }

  @Override
  public Optional<StoredClaim> find(String uid, String driver) {
    return claims.find(uid, driver);
  }

  @Override
  public boolean isAttachNeeded(StoredClaim claim) {
    return claims.isAttachNeeded(claim);
  }

  @Override
  public ContainerEdits editsFor(String uid, @Nullable String request, String sandboxId) {
    return claims.editsFor(uid, request, sandboxId);
  }

  @Override
  public void addClaimListener(ClaimListener listener) {
    claims.addClaimListener(listener);
  }

  @Override
  public void removeClaimListener(ClaimListener listener) {
    claims.removeClaimListener(listener);
  }

  /**
   * Reports how the runtime is. It calls no driver: the work itself notices what is reported, such
   * as a store whose last write failed.
   *
   * @return whether it is live and ready, and what is wrong
   */
  public RuntimeHealth health() {
    return report.health();
  }

  /**
   * Serves {@code /metrics}, {@code /healthz} and {@code /readyz} until the runtime is closed. They
   * say how many claims have a problem, and name none.
   *
   * @param address where to listen; port 0 takes a free one
   * @return where it listens
   * @throws IOException if it cannot listen there
   * @throws IllegalStateException if it serves already, or is closed
   */
  public synchronized InetSocketAddress serve(InetSocketAddress address) throws IOException {
    Objects.requireNonNull(address, "address");
    if (endpoint != null) {
      throw new IllegalStateException("it serves already");
    }
    if (runner.phase() == CallRunner.Phase.STOPPING) {
      throw new IllegalStateException("the runtime is stopping");
    }
    try {
      RuntimeEndpoint made = new RuntimeEndpoint(address, prometheus::scrape, report::publicHealth);
      endpoint = made;
      return made.address();
    } catch (IOException e) {
      throw new IOException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
  }

  /**
   * Stops: refuses new calls, lets those that run end (for as long as {@link Builder#stopLimit}
   * allows), interrupts those that do not, ends watching, and closes the store. Claims stay
   * prepared and attached. A driver that still works then keeps the store in use until it has
   * ended, or the process has: no other process can undo meanwhile what it does. Safe to repeat.
   */
  @Override
  public void close() {
    if (!runner.stop(options.stopLimit)) {
      return;
    }
    if (takeover != null) {
      takeover.close();
    }
    discovery.close(options.stopLimit);
    boolean hasEnded = runner.interrupt(AFTER_INTERRUPT);
    calls.close();
    RuntimeEndpoint serving;
    synchronized (this) {
      serving = endpoint;
    }
    if (serving != null) {
      serving.close();
    }
    gauges.close();
    prometheus.close();
    if (hasEnded) {
      closeStore();
    } else {
      LOG.atWarn().log("a driver still works; the store is in use until it has ended");
      Thread closing =
          new Thread(
              () -> {
                while (!runner.awaitEnd(FOREVER)) {
                  LOG.atWarn().log("a driver still works; the store is in use until it has ended");
                }
                closeStore();
              },
              "dra4j-closing");
      closing.setDaemon(true);
      closing.start();
    }
  }

  private void closeStore() {
    try {
      if (keeper.isOpen()) {
        keeper.store().close();
      } else if (opened != null) {
        opened.close();
      }
    } catch (StoreException e) {
      LOG.atWarn().log("{}", e.getMessage());
    }
  }

  /** Collects what a runtime needs. At least a driver and a store must be given. */
  public static final class Builder {

    private final RuntimeOptions options = new RuntimeOptions();

    private Builder() {}

    /**
     * Adds a driver.
     *
     * @param value the driver; those that are no {@link io.dra4j.spi.PreparingDriver} have nothing
     *     to prepare
     * @return this builder
     * @throws IllegalArgumentException if its name is no DNS subdomain of at most 63 bytes, or that
     *     of another driver of this runtime
     */
    public Builder driver(DeviceDriver value) {
      options.addDriver(Objects.requireNonNull(value, "driver"));
      return this;
    }

    /**
     * Sets which host the readers read; this one by default.
     *
     * @param value the host
     * @return this builder
     */
    public Builder host(Host value) {
      options.host = Objects.requireNonNull(value, "host");
      return this;
    }

    /**
     * Sets the name of the node; {@code localhost} by default.
     *
     * @param value a DNS subdomain
     * @return this builder
     */
    public Builder node(String value) {
      options.setNode(Objects.requireNonNull(value, "node"));
      return this;
    }

    /**
     * Sets what reads the host; all installed readers by default.
     *
     * @param value the readers
     * @return this builder
     */
    public Builder readers(TopologyReaders value) {
      options.readers = Objects.requireNonNull(value, "readers");
      return this;
    }

    /**
     * Sets what watches the host; all installed watchers by default.
     *
     * @param values the watchers; none if it is enough to read the host from time to time
     * @return this builder
     */
    public Builder watchers(List<HostWatcher> values) {
      options.watchers = List.copyOf(values);
      return this;
    }

    /**
     * Sets the file in which claims are remembered; it is made if it is not there.
     *
     * @param file the file, in a folder that exists
     * @return this builder
     */
    public Builder store(Path file) {
      options.store = Objects.requireNonNull(file, "store");
      return this;
    }

    /**
     * Lets the runtime allocate claims by itself.
     *
     * @param value compiles the selectors of requests and classes
     * @return this builder
     */
    public Builder selectors(SelectorCompiler value) {
      options.selectors = Objects.requireNonNull(value, "selectors");
      return this;
    }

    /**
     * Adds classes that claims to be allocated here can name.
     *
     * @param values the classes
     * @return this builder
     * @throws IllegalArgumentException if two different classes of this runtime have one name; no
     *     class is added then
     */
    public Builder deviceClasses(List<DeviceClass> values) {
      options.addClasses(values);
      return this;
    }

    /**
     * Sets where metrics go, instead of {@code /metrics} of the runtime's own endpoint.
     *
     * @param value the registry, which the runtime does not close
     * @return this builder
     */
    public Builder metrics(MeterRegistry value) {
      options.metrics = Objects.requireNonNull(value, "metrics");
      return this;
    }

    /**
     * Sets how long a call of a driver may take before it is interrupted; 30 seconds by default.
     *
     * @param value more than 0
     * @return this builder
     */
    public Builder callLimit(Duration value) {
      options.callLimit = RuntimeOptions.positive("callLimit", value);
      return this;
    }

    /**
     * Sets how long {@link DriverRuntime#close} waits for calls; 30 seconds by default.
     *
     * @param value more than 0
     * @return this builder
     */
    public Builder stopLimit(Duration value) {
      options.stopLimit = RuntimeOptions.positive("stopLimit", value);
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
      options.quiet = RuntimeOptions.positive("quiet", newQuiet);
      options.pause = RuntimeOptions.positive("pause", newPause);
      options.period = RuntimeOptions.positive("period", newPeriod);
      return this;
    }

    /** Sets how often drivers are asked for the health of their devices at least. */
    Builder healthPeriod(Duration value) {
      options.healthPeriod = RuntimeOptions.positive("healthPeriod", value);
      return this;
    }

    /**
     * Lets the runtime stand by while another process has the store, instead of failing: it
     * discovers the devices, is ready, and takes the claims over when the other process lets go.
     * That is how a new release takes the place of the one before without a gap.
     *
     * @param value how long to wait for the store before {@link DriverRuntime#health} says that the
     *     runtime is not live; more than 0
     * @return this builder
     */
    public Builder standby(Duration value) {
      options.standby = RuntimeOptions.positive("standby", value);
      return this;
    }

    /**
     * Sets which boot of the host this is. What was prepared in another boot is undone and prepared
     * again. By default the kernel says it ({@code /proc/sys/kernel/random/boot_id}).
     *
     * @param value a text that is another one after each boot
     * @return this builder
     */
    public Builder bootId(String value) {
      options.bootId = Objects.requireNonNull(value, "bootId");
      return this;
    }

    /**
     * Opens the store and makes the runtime, which does nothing until it is started.
     *
     * @return the runtime
     * @throws StoreException if the store cannot be opened: another process uses it, and {@link
     *     #standby} was not called, for example
     * @throws IllegalStateException if there is no driver or no store
     */
    public DriverRuntime build() throws StoreException {
      RuntimeOptions chosen = options.copy();
      ClaimStore opened;
      try {
        opened = ClaimStore.open(chosen.storeFile(), chosen.boot());
      } catch (StoreException e) {
        if (e.isInUse() && chosen.standby != null) {
          return new DriverRuntime(chosen, null, String.valueOf(e.getMessage()));
        }
        throw e;
      }
      try {
        return new DriverRuntime(chosen, opened, "");
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
