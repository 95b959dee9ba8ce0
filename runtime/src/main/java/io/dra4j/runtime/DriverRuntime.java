package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SliceLimits;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException.Kind;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.HostWatchers;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
public final class DriverRuntime implements PoolService, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DriverRuntime.class);
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);
  private static final int SHOWN_CLAIMS = 16;

  private final String node;
  private final List<DriverSlot> slots;
  private final ClaimStore store;
  private final DriverCalls calls;
  private final ClaimKeeper keeper;
  private final CallRunner runner = new CallRunner();
  private final ClaimTransactions claims;
  private final @Nullable LocalAllocation allocation;
  private final Discovery discovery;
  private final PrometheusMeterRegistry prometheus;
  private final Gauges gauges;
  private final Duration stopLimit;
  private final Duration callLimit;
  private final Duration patience;
  private final ChangeListeners listeners = new ChangeListeners();
  private final List<QuarantinedEntry> quarantined;
  private @Nullable RuntimeEndpoint endpoint;
  private volatile boolean hasRecovered;

  private DriverRuntime(Builder builder, ClaimStore store) throws StoreException {
    this.store = store;
    this.node = builder.node;
    this.stopLimit = builder.stopLimit;
    this.prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MeterRegistry given = builder.metrics;
    this.gauges = new Gauges(given == null ? prometheus : given);
    this.calls = new DriverCalls(builder.callLimit, gauges);
    this.keeper = new ClaimKeeper(store, calls);
    this.quarantined = store.quarantined();
    this.callLimit = builder.callLimit;
    List<DriverSlot> made = new ArrayList<>();
    builder.drivers.forEach((name, driver) -> made.add(new DriverSlot(driver, name, node)));
    this.slots = List.copyOf(made);
    Map<String, DriverSlot> byName = new LinkedHashMap<>();
    slots.forEach(slot -> byName.put(slot.name(), slot));
    PoolNames names = new PoolNames(node, byName);
    HeldDevices held = new HeldDevices(names, keeper::claims);
    this.patience = builder.callLimit.multipliedBy(2);
    this.claims = new ClaimTransactions(slots, keeper, held, runner, patience);
    SelectorCompiler selectors = builder.selectors;
    this.allocation =
        selectors == null
            ? null
            : new LocalAllocation(
                Allocator.builder().selectors(selectors).build(),
                node,
                builder.deviceClasses,
                store,
                keeper,
                held);
    this.discovery =
        new Discovery(
            builder.host,
            builder.readers == null ? TopologyReaders.installed() : builder.readers,
            builder.watchers == null ? HostWatchers.installed() : builder.watchers,
            slots,
            keeper,
            calls,
            gauges,
            listeners,
            names,
            node,
            new Discovery.Times(builder.quiet, builder.pause, builder.period, builder.healthPeriod),
            claims::takeBackLater);
    for (String state : List.of("prepared", "attached", "pending")) {
      gauges.add(
          "dra4j.claims",
          Tags.of("state", state),
          keeper,
          one -> one.counts().getOrDefault(state, 0L));
    }
    gauges.add("dra4j.store.quarantined", Tags.empty(), quarantined, List::size);
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
   * @throws IllegalStateException if the runtime was started before, or is closed
   */
  public void start() {
    runner.start();
    quarantined.forEach(
        entry -> LOG.atError().log("put aside, it could not be understood: {}", entry));
    for (StoredClaim claim : keeper.claims()) {
      claim.steps().forEach(FileSetting::found);
      claim.attachments().forEach(one -> one.steps().forEach(FileSetting::found));
    }
    claims.recover(patience);
    hasRecovered = true;
    discovery.start(callLimit.plus(AFTER_INTERRUPT));
  }

  /**
   * Names the node that the devices are offered on.
   *
   * @return the name of the node, which is the name of each driver's own pool
   */
  @Override
  public String node() {
    return node;
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
          try {
            return local.allocate(claim, slices());
          } catch (StoreException e) {
            throw storeFailure(claim.displayName(), e);
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
            throw storeFailure(uid, e);
          }
        });
    discovery.request("a claim was released");
  }

  /**
   * Prepares an allocated claim with all drivers of this runtime that have devices in it. When this
   * returns, what the drivers said is in the store.
   *
   * @param claim a claim with unique id and allocation
   * @return the prepared devices, driver by driver; empty if no driver of this runtime has any
   * @throws ClaimException if a driver cannot prepare it; what this driver had done is taken back.
   *     Also if the allocation is not current: another claim has one of its devices, since this one
   *     was released, for example
   * @throws IllegalStateException if the runtime does not run
   */
  public List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
    return claims.prepare(Objects.requireNonNull(claim, "claim"));
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
    return claims.attach(
        Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(sandbox, "sandbox"));
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
    claims.detach(
        Objects.requireNonNull(uid, "uid"), Objects.requireNonNull(sandboxId, "sandboxId"));
    discovery.request("a claim was detached");
  }

  /**
   * Unprepares a claim with all drivers, after it was detached from every sandbox.
   *
   * @param uid the unique id of the claim; one that is not known is nothing to do
   * @throws ClaimException if a driver cannot unprepare it; that is tried again, also by itself
   * @throws IllegalStateException if the runtime does not run
   */
  public void unprepare(String uid) throws ClaimException {
    claims.unprepare(Objects.requireNonNull(uid, "uid"), () -> uid);
    discovery.request("a claim was unprepared");
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
    Objects.requireNonNull(uid, "uid");
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
    List<String> fatal = new ArrayList<>(calls.stuck());
    List<String> unready = new ArrayList<>();
    CallRunner.Phase phase = runner.phase();
    if (phase == CallRunner.Phase.STOPPING) {
      unready.add("it is stopping");
    } else if (!hasRecovered) {
      unready.add("it is starting");
    } else {
      String problem = discovery.problem();
      if (problem != null) {
        fatal.add(problem);
      }
    }
    for (DriverSlot slot : slots) {
      if (!slot.hasDiscovered()) {
        unready.add("driver %s has not discovered its devices".formatted(slot.name()));
      }
      if (hasRecovered && !slot.hasTakenUp()) {
        unready.add(
            "driver %s is still taking up what an earlier process left".formatted(slot.name()));
      }
    }
    String storeProblem = store.problem();
    if (storeProblem != null) {
      unready.add(storeProblem);
    }
    List<String> problems = new ArrayList<>(fatal);
    problems.addAll(unready);
    for (DriverSlot slot : slots) {
      problems.addAll(slot.problems());
    }
    problems.addAll(discovery.warnings());
    List<String> left = new ArrayList<>();
    List<StoredClaim> abandoned = claims.abandoned();
    for (StoredClaim claim : claims.left()) {
      if (!abandoned.contains(claim)) {
        left.add(
            "claim %s of driver %s is not taken back yet"
                .formatted(claim.claim().claim(), claim.driver()));
      }
    }
    for (StoredClaim claim : abandoned) {
      left.add(
          "claim %s has devices of driver %s, which does not run in this process"
              .formatted(claim.claim().claim(), claim.driver()));
    }
    problems.addAll(left.subList(0, Math.min(SHOWN_CLAIMS, left.size())));
    if (left.size() > SHOWN_CLAIMS) {
      problems.add("%d more claims are not taken back".formatted(left.size() - SHOWN_CLAIMS));
    }
    quarantined.forEach(entry -> problems.add("put aside: " + entry));
    return new RuntimeHealth(fatal.isEmpty(), fatal.isEmpty() && unready.isEmpty(), problems);
  }

  /**
   * Serves {@code /metrics}, {@code /healthz} and {@code /readyz} until the runtime is closed.
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
      RuntimeEndpoint made = new RuntimeEndpoint(address, prometheus::scrape, this::health);
      endpoint = made;
      return made.address();
    } catch (IOException e) {
      throw new IOException("cannot listen on %s: %s".formatted(address, e.getMessage()), e);
    }
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
    if (!runner.stop(stopLimit)) {
      return;
    }
    discovery.close(stopLimit);
    runner.interrupt();
    calls.close();
    RuntimeEndpoint serving;
    synchronized (this) {
      serving = endpoint;
    }
    if (serving != null) {
      serving.close();
    }
    try {
      store.close();
    } catch (StoreException e) {
      LOG.atWarn().log("{}", e.getMessage());
    }
    gauges.close();
    prometheus.close();
  }

  /** Collects what a runtime needs. At least a driver and a store must be given. */
  public static final class Builder {

    private final Map<String, DeviceDriver> drivers = new LinkedHashMap<>();
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
    private Duration healthPeriod = Duration.ofSeconds(20); // the kubelet forgets after 30

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
      String name = Objects.requireNonNull(value, "driver").name();
      if (name == null || !SliceLimits.isDriverName(name)) {
        throw new IllegalArgumentException(
            "%s has a bug: want as its name a DNS subdomain of at most %d bytes, got %s"
                .formatted(value.getClass().getName(), SliceLimits.MAX_DOMAIN_BYTES, name));
      }
      if (drivers.putIfAbsent(name, value) != null) {
        throw new IllegalArgumentException("two drivers are called " + name);
      }
      return this;
    }

    /**
     * Sets which host the readers read; this one by default.
     *
     * @param value the host
     * @return this builder
     */
    public Builder host(Host value) {
      this.host = Objects.requireNonNull(value, "host");
      return this;
    }

    /**
     * Sets the name of the node; {@code localhost} by default.
     *
     * @param value a DNS subdomain
     * @return this builder
     */
    public Builder node(String value) {
      this.node = Objects.requireNonNull(value, "node");
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
     * @throws IllegalArgumentException if two classes of this runtime have one name; no class is
     *     added then
     */
    public Builder deviceClasses(List<DeviceClass> values) {
      List<DeviceClass> all = new ArrayList<>(deviceClasses);
      all.addAll(values);
      Map<String, Integer> places = new HashMap<>();
      for (int i = 0; i < all.size(); i++) {
        String name = all.get(i).metadata().name();
        Integer first = places.putIfAbsent(name, i);
        if (first != null) {
          throw new IllegalArgumentException(
              "deviceClasses: number %d and number %d are both called %s; want each name once"
                  .formatted(first + 1, i + 1, name));
        }
      }
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

    /** Sets how often drivers are asked for the health of their devices at least. */
    Builder healthPeriod(Duration value) {
      this.healthPeriod = positive("healthPeriod", value);
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
     * @throws IllegalStateException if there is no driver or no store
     */
    public DriverRuntime build() throws StoreException {
      Path file = store;
      if (file == null || drivers.isEmpty()) {
        throw new IllegalStateException("a runtime needs at least one driver(…), and a store(…)");
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
