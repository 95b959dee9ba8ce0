package io.dra4j.node;

import io.dra4j.kubelet.DeviceHealth;
import io.dra4j.kubelet.KubeletPaths;
import io.dra4j.kubelet.KubeletPlugin;
import io.dra4j.kubelet.RegistrationState;
import io.dra4j.kubernetes.ClaimReader;
import io.dra4j.kubernetes.ClaimStatusWriter;
import io.dra4j.kubernetes.ClusterException;
import io.dra4j.kubernetes.SlicePublisher;
import io.dra4j.nri.NriHandler;
import io.dra4j.nri.NriPlugin;
import io.dra4j.runtime.ClaimListener;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.HealthListener;
import io.dra4j.runtime.PoolListener;
import io.dra4j.runtime.RuntimeHealth;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the drivers of a {@link DriverRuntime} to the node of a cluster. The agent publishes
 * their devices, prepares claims for the kubelet, attaches claims when the container runtime starts
 * the sandbox of a pod, and writes the status of claims. The probes of the runtime report whether
 * the agent is ready.
 *
 * <pre>{@code
 * try (KubernetesClient client = new KubernetesClientBuilder().build();
 *     DriverRuntime runtime = DriverRuntime.builder().driver(driver).node(node).store(file).build();
 *     NodeAgent agent = NodeAgent.builder(runtime, client).start()) {
 *   Thread.currentThread().join();
 * }
 * }</pre>
 *
 * <p>No container of a pod is created before the claims of the pod are attached, even if the
 * container runtime has started the sandbox without calling the agent. Closing the agent leaves
 * claims as they are. Thread-safe.
 */
public final class NodeAgent implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);
  private static final int POOL_THREADS = 8;
  private static final int MAX_WAITING = 4096;
  private static final Duration WATCHDOG_PERIOD = Duration.ofMillis(500);
  private static final Duration RECONCILE_PERIOD = Duration.ofMinutes(1);

  private final DriverRuntime runtime;
  private final Map<String, ClaimFiles> files = new LinkedHashMap<>();
  private final Map<String, KubeletPlugin> plugins = new ConcurrentSkipListMap<>();
  private final Map<String, SlicePublisher> publishers = new ConcurrentSkipListMap<>();
  private final Deque<Runnable> closing = new ArrayDeque<>(); // the last one is closed first
  private final List<NriPlugin> connections = new CopyOnWriteArrayList<>();
  private volatile boolean isStarted;
  private volatile boolean hasStore; // false while this process is on standby
  private boolean isClosed;

  /** Starts all parts. If one fails to start, the parts already started are closed. */
  NodeAgent(NodeOptions options) throws IOException {
    this.runtime = options.runtime;
    Supplier<RuntimeHealth> health = this::health;
    runtime.addHealth(health);
    closing.push(() -> runtime.removeHealth(health));
    try {
      for (String driver : runtime.drivers()) {
        files.put(
            driver,
            ClaimFiles.open(
                options.cdiDirectory,
                KubeletPaths.below(options.kubeletRoot, driver).pluginDirectory(),
                driver));
      }
      ApiNotices notices =
          new ApiNotices(
              options.client, runtime.node(), options.nriName, options.attachFailedReason);
      closing.push(notices::close);
      AttachGate gate = gate(options.client, notices);
      CallMeter meter = new CallMeter(options.calls, gate::hasClaims);
      addStatuses(options.client);
      listen(new Recovery(gate));
      runtime.start();
      publish(options.client);
      Runnable reconnect = connect(options, gate, meter);
      register(options, gate, meter, notices);
      watch(options.client, gate, reconnect);
      isStarted = true;
    } finally {
      if (!isStarted) {
        close();
      }
    }
  }

  /**
   * {@return the options of an agent that connects drivers to their node; all have defaults}
   *
   * @param runtime the drivers' runtime, not started yet. The caller closes it, after the agent
   * @param client the connection to the API server. The caller closes it, after the agent
   */
  public static NodeOptions builder(DriverRuntime runtime, KubernetesClient client) {
    return new NodeOptions(runtime, client);
  }

  private AttachGate gate(KubernetesClient client, PodNotices notices) {
    AttachGate.Threads threads = new AttachGate.Threads(pool("dra4j-attach"), pool("dra4j-detach"));
    NodePods pods = NodePods.follow(client, runtime.node());
    closing.push(pods::close);
    return new AttachGate(
        runtime,
        new SandboxClaims(runtime, pods),
        files,
        new ClaimReservations(runtime, ClaimReader.of(client)),
        notices,
        threads);
  }

  private ThreadPoolExecutor pool(String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            POOL_THREADS,
            POOL_THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MAX_WAITING),
            named(name));
    pool.allowCoreThreadTimeOut(true);
    closing.push(pool::shutdown);
    return pool;
  }

  private void addStatuses(KubernetesClient client) {
    Map<String, ClaimStatuses.Writer> writers = new LinkedHashMap<>();
    for (String driver : runtime.drivers()) {
      ClaimStatusWriter writer = ClaimStatusWriter.start(client, driver);
      writers.put(driver, writer::write);
      closing.push(writer::close);
    }
    listen(new ClaimStatuses(runtime, writers));
  }

  private void listen(ClaimListener listener) {
    runtime.addClaimListener(listener);
    closing.push(() -> runtime.removeClaimListener(listener));
  }

  /** The work after this process got the store: at its start, or at the end of a standby. */
  private final class Recovery implements ClaimListener {

    private final AttachGate gate;

    Recovery(AttachGate gate) {
      this.gate = gate;
    }

    @Override
    public void recovered() {
      try {
        gate.restore();
      } catch (IOException e) {
        LOG.atError().log("cannot synchronize the CDI files with the store: {}", e.getMessage());
      }
      connections.forEach(NriPlugin::reconnect); // for sandboxes that the earlier process missed
      hasStore = true;
      try {
        registerAll();
      } catch (IOException e) {
        LOG.atError().log("cannot register the drivers with the kubelet: {}", e.getMessage());
      }
    }
  }

  private void publish(KubernetesClient client) {
    for (String driver : runtime.drivers()) {
      SlicePublisher publisher = SlicePublisher.builder(client, driver, runtime.node()).start();
      publishers.put(driver, publisher);
      closing.push(publisher::close);
    }
    PoolListener listener =
        (driver, pools) -> {
          SlicePublisher publisher = publishers.get(driver);
          if (publisher != null) {
            publisher.publish(pools);
          }
        };
    runtime.addPoolListener(listener);
    closing.push(() -> runtime.removePoolListener(listener));
  }

  /** Connects to the container runtime if needed. The result makes it list all sandboxes. */
  private Runnable connect(NodeOptions options, AttachGate gate, CallMeter meter) {
    if (!runtime.hasAttach()) {
      return () -> {};
    }
    connect(options, options.nriName + "-guard", meter.of(new ContainerGuard(gate)));
    return connect(options, options.nriName, meter.of(new SandboxHandler(gate)))::reconnect;
  }

  private NriPlugin connect(NodeOptions options, String name, NriHandler handler) {
    NriPlugin plugin =
        NriPlugin.builder(name, options.nriIndex, handler).socket(options.nriSocket).start();
    connections.add(plugin);
    closing.push(plugin::close);
    return plugin;
  }

  private void register(
      NodeOptions options, AttachGate gate, CallMeter meter, ClaimHandler.Notices notices)
      throws IOException {
    ClaimReader reader = ClaimReader.of(options.client);
    DeviceReleases releases = new DeviceReleases();
    listen(releases);
    named("dra4j-warm-up").newThread(() -> warmUp(reader)).start();
    for (Map.Entry<String, ClaimFiles> one : files.entrySet()) {
      String driver = one.getKey();
      KubeletPlugin.Builder builder =
          KubeletPlugin.builder(
                  driver,
                  meter.of(
                      new ClaimHandler(
                          runtime, driver, reader::read, gate, one.getValue(), releases, notices)))
              .paths(KubeletPaths.below(options.kubeletRoot, driver))
              .health(() -> health(driver));
      String podUid = options.podUid;
      if (podUid != null) {
        builder.rollingUpdate(podUid);
      }
      KubeletPlugin plugin = builder.registerLater().start();
      plugins.put(driver, plugin);
      closing.push(plugin::close);
    }
    registerAll();
    HealthListener listener =
        (driver, health) -> {
          KubeletPlugin plugin = plugins.get(driver);
          if (plugin != null) {
            plugin.healthChanged();
          }
        };
    runtime.addHealthListener(listener);
    closing.push(() -> runtime.removeHealthListener(listener));
  }

  /** Registers the drivers with the kubelet once this process, not another one, has the store. */
  private void registerAll() throws IOException {
    if (!hasStore) {
      return;
    }
    for (KubeletPlugin plugin : plugins.values()) {
      try {
        plugin.register();
      } catch (IllegalStateException e) {
        LOG.atInfo().log("a driver is not registered: {}", e.getMessage()); // the agent is closing
      }
    }
  }

  /** Sends a first request, which loads the classes of the client and takes up to a second. */
  private static void warmUp(ClaimReader reader) {
    try {
      boolean isThere = reader.read(new ClaimReference("default", "none", "none")).isPresent();
      LOG.atDebug().log(
          "the API server responds; it has a claim of the warm-up request: {}", isThere);
    } catch (ClusterException e) {
      LOG.atInfo().log("cannot read claims from the API server yet: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<DeviceHealth> health(String driver) {
    List<DeviceHealth> devices = new ArrayList<>();
    for (io.dra4j.spi.DeviceHealth one : runtime.deviceHealth().getOrDefault(driver, List.of())) {
      Duration timeout = one.timeout();
      devices.add(
          new DeviceHealth(
              one.pool(),
              one.device(),
              DeviceHealth.Status.valueOf(one.status().name()),
              one.message(),
              timeout == null ? Duration.ZERO : timeout));
    }
    return devices;
  }

  private void watch(KubernetesClient client, AttachGate gate, Runnable reconnect) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(2, named("dra4j-node"));
    closing.push(timer::shutdownNow);
    AttachWatchdog watchdog = new AttachWatchdog(runtime, gate, reconnect);
    schedule(timer, WATCHDOG_PERIOD, () -> watchdog.look(System.nanoTime()));
    ClaimReconciler reconciler =
        new ClaimReconciler(runtime, ClaimReconciler.by(ClaimReader.of(client)), gate);
    schedule(
        timer,
        RECONCILE_PERIOD,
        () -> {
          try {
            reconciler.look();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a check handles its own failures
  private static void schedule(ScheduledThreadPoolExecutor timer, Duration period, Runnable look) {
    timer.scheduleWithFixedDelay(
        () -> {
          try {
            look.run();
          } catch (RuntimeException e) { // after a failure, further checks must run
            LOG.atWarn().setCause(e).log("the regular check of the claims failed");
          }
        },
        period.toMillis(),
        period.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** {@return the name of the Node that the drivers run on} */
  public String node() {
    return runtime.node();
  }

  /**
   * {@return the problems, for people, that keep pods of the node from getting devices now: a
   * driver that the kubelet has not registered, devices that are not published, or a container
   * runtime or API server that is not reachable; empty if there are none} A process on standby is
   * not registered, which is not a problem. Does not block.
   */
  public List<String> problems() {
    List<String> problems = missing();
    unreachable().ifPresent(reason -> problems.add("ResourceSlices are not published: " + reason));
    return problems;
  }

  /**
   * The health of the agent for the probes of the runtime. The agent is ready while the kubelet and
   * the container runtime can call it, once the devices have been published. If the API server
   * becomes unreachable later, that is a problem, but the agent stays ready and live. The messages
   * of the API server contain user names, so they are not included.
   */
  private RuntimeHealth health() {
    List<String> missing = missing();
    List<String> problems = new ArrayList<>(missing);
    if (unreachable().isPresent()) {
      problems.add("ResourceSlices are not published; see the log for the reason");
    }
    return new RuntimeHealth(true, missing.isEmpty(), problems);
  }

  /** The reasons why pods cannot get devices yet. */
  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!isStarted) {
      missing.add("the node agent is starting");
    }
    plugins.forEach(
        (driver, plugin) -> {
          if (hasStore && plugin.registration() != RegistrationState.REGISTERED) {
            missing.add(
                "driver %s is not registered: %s"
                    .formatted(
                        driver,
                        plugin.registration() == RegistrationState.REFUSED
                            ? "the kubelet refused it; see the log for the reason"
                            : "the kubelet has not called it at " + plugin.registrarSocket()));
          }
        });
    if (!connections.stream().allMatch(NriPlugin::isSynchronized)) {
      missing.add("the container runtime is not connected (NRI)");
    }
    publishers.forEach(
        (driver, publisher) -> {
          if (!publisher.wasPublished()) {
            missing.add("the devices of driver %s are not published yet".formatted(driver));
          }
        });
    return missing;
  }

  /** The reason why the API server does not respond; all publishers use the same server. */
  private Optional<String> unreachable() {
    return publishers.values().stream().flatMap(one -> one.problem().stream()).findFirst();
  }

  /**
   * Waits until the kubelet has registered all drivers, the devices are published and, if a driver
   * attaches claims, the container runtime has listed its sandboxes. A process on standby does not
   * wait for the registration.
   *
   * @param limit the longest wait
   * @return whether all this happened in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean awaitReady(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    for (KubeletPlugin plugin : plugins.values()) {
      if (hasStore && plugin.awaitRegistration(left(end)) != RegistrationState.REGISTERED) {
        return false;
      }
    }
    for (NriPlugin connection : connections) {
      if (!connection.awaitSynchronized(left(end))) {
        return false;
      }
    }
    for (SlicePublisher publisher : publishers.values()) {
      if (!publisher.awaitPublished(left(end))) {
        return false;
      }
    }
    return true;
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /**
   * Closes the connections: first to the kubelet, so that no more claims are prepared, then to the
   * container runtime. Claims stay prepared and attached, and slices stay published. The runtime
   * keeps running. A second call does nothing.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    closing.forEach(
        one -> {
          try {
            one.run();
          } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("closing a part of the agent failed");
          }
        });
  }
}
