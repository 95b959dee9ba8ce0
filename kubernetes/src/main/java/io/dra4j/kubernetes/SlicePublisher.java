package io.dra4j.kubernetes;

import io.dra4j.inventory.InventoryEvent;
import io.dra4j.kubernetes.PublishProblem.Kind;
import io.dra4j.kubernetes.ResourceFollower.Change;
import io.dra4j.kubernetes.ResourceState.Phase;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.publish.DevicePool;
import io.dra4j.spi.publish.SlicePlan;
import io.dra4j.spi.publish.SlicePlanner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the ResourceSlices of one driver on one node as the driver offers its devices. It watches
 * the driver's slices: what others delete or change, as the kubelet does when a driver is away for
 * long, is made again. Slices are planned by {@link SlicePlanner} from those of the server, so that
 * only what differs is written, and devices keep their generation for as long as one write is
 * enough.
 *
 * <pre>{@code
 * SlicePublisher publisher = SlicePublisher.of(client, "gpu.example.com", node).start();
 * runtime.addPoolListener((driver, pools) -> publisher.publish(pools));
 * }</pre>
 *
 * <ul>
 *   <li>A slice gets the Node as its owner, so that it goes with the Node.
 *   <li>Names of the driver's own domain are published without it: {@code model} for {@code
 *       gpu.example.com/model}.
 *   <li>A device that the API server refuses is left out, and named as a problem. The others are
 *       published.
 *   <li>What the API server drops, because a feature is off there, is a problem, and is not written
 *       again before the driver offers something else.
 * </ul>
 *
 * <p>It works in threads of its own. Closing it leaves the slices as they are. Thread-safe.
 */
public final class SlicePublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SlicePublisher.class);
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  /** A published slice and its version on the server. */
  private record Published(ResourceSlice slice, String resourceVersion) {}

  private final String driver;
  private final String node;
  private final SliceRequests requests;
  private final ResourceFollower follower;
  private final List<Thread> threads = new ArrayList<>();
  private final Consumer<PublishProblem> problemHandler;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Backoff backoff = new Backoff();

  // Guarded by the lock.
  private final Map<String, Published> published = new LinkedHashMap<>();
  private @Nullable Map<String, DevicePool> wanted;
  private boolean isListed;
  private boolean isDirty;
  private boolean isWorking;
  private boolean wasPublished;
  private boolean isChanged; // the offer, since refused and dropped were found
  private boolean isClosed;
  private @Nullable String unreachable = "its ResourceSlices are not listed yet";
  private long creates;
  private long updates;
  private long deletes;

  // Of the publishing thread.
  private final Dispute dispute = new Dispute();
  private final Set<String> settled = new HashSet<>(); // pools that were published as offered
  private final Map<String, Set<String>> refused = new HashMap<>(); // devices, by pool
  private final Set<String> dropped = new HashSet<>(); // pools

  private SlicePublisher(
      KubernetesClient client,
      String driver,
      String node,
      Consumer<PublishProblem> problemHandler) {
    this.driver = driver;
    this.node = node;
    this.problemHandler = problemHandler;
    ApiServer server = new ApiServer(client);
    this.requests = new SliceRequests(server, node);
    this.follower =
        new ResourceFollower(
            server,
            server::document,
            ClusterResource.RESOURCE_SLICES,
            "spec.driver=" + driver,
            this::apply);
    threads.add(new Thread(follower, "dra4j-slices-" + driver));
    threads.add(new Thread(this::publish, "dra4j-publish-" + driver));
    threads.add(new Thread(new Watchdog(List.of(follower)), "dra4j-publish-watchdog"));
    threads.forEach(thread -> thread.setDaemon(true));
  }

  /**
   * Describes the publisher of a driver.
   *
   * @param client the connection, which the caller closes after the publisher
   * @param driver the name of the driver
   * @param node the name of the Node that the driver runs on
   * @return a builder
   */
  public static Builder of(KubernetesClient client, String driver, String node) {
    return new Builder(client, driver, node);
  }

  /** Collects the options of a publisher. */
  public static final class Builder {

    private final KubernetesClient client;
    private final String driver;
    private final String node;
    private Consumer<PublishProblem> problemHandler = problem -> LOG.atWarn().log("{}", problem);

    private Builder(KubernetesClient client, String driver, String node) {
      this.client = Objects.requireNonNull(client, "client");
      this.driver = Objects.requireNonNull(driver, "driver");
      this.node = Objects.requireNonNull(node, "node");
    }

    /**
     * Sets who hears of problems. By default they are logged.
     *
     * @param handler takes each problem on the publisher's thread; an exception of it is logged
     * @return this builder
     */
    public Builder onProblem(Consumer<PublishProblem> handler) {
      this.problemHandler = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * Starts the publisher. Nothing is written before {@link SlicePublisher#publish(Map)} is
     * called.
     *
     * @return the publisher
     */
    public SlicePublisher start() {
      SlicePublisher publisher = new SlicePublisher(client, driver, node, problemHandler);
      publisher.threads.forEach(Thread::start);
      return publisher;
    }
  }

  /**
   * How much was written.
   *
   * @param creates the slices that were created
   * @param updates the slices that were updated
   * @param deletes the slices that were deleted
   */
  public record Stats(long creates, long updates, long deletes) {}

  /**
   * Sets what is to be published. It is written soon, in the background. A pool that is missing is
   * withdrawn: its slices are deleted. An empty pool is not the same as no pool: it has one slice
   * without devices.
   *
   * @param pools everything that the driver offers, by the name of the pool
   */
  public void publish(Map<String, DevicePool> pools) {
    Map<String, DevicePool> copy = Map.copyOf(pools);
    lock.lock();
    try {
      wanted = copy;
      isDirty = true;
      isChanged = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until what was set last is published.
   *
   * @param limit how long to wait at most
   * @return whether it is; problems may have left out devices
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean awaitPublished(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lockInterruptibly();
    try {
      while (isDirty || isWorking || !isListed) {
        if (left <= 0 || isClosed) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says whether all that was set to be published has been published at least once. Later changes,
   * and an API server that is away, make no difference. Does not block.
   *
   * @return whether it has been; problems may have left out devices
   */
  public boolean wasPublished() {
    lock.lock();
    try {
      return wasPublished;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says why the API server cannot be asked for the slices of the driver now: it is away, or the
   * credentials lack a right. It is asked again by itself. Does not block.
   *
   * @return the reason; empty if the slices are followed
   */
  public Optional<String> problem() {
    lock.lock();
    try {
      return Optional.ofNullable(unreachable);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts the writes since the start.
   *
   * @return the counts
   */
  public Stats stats() {
    lock.lock();
    try {
      return new Stats(creates, updates, deletes);
    } finally {
      lock.unlock();
    }
  }

  /** The slices on the server have changed, by this publisher or by others. */
  private void apply(ClusterResource resource, List<Change> changes, ResourceState state) {
    lock.lock();
    try {
      for (Change change : changes) {
        Published known = published.get(change.name());
        if (known != null && isOlder(change.resourceVersion(), known.resourceVersion())) {
          continue; // the answer to a write came before the watch
        }
        if (change.event() instanceof InventoryEvent.SlicePut put) {
          published.put(change.name(), new Published(put.slice(), change.resourceVersion()));
        } else {
          published.remove(change.name());
        }
      }
      boolean isFirst = !isListed && state.isSynced();
      isListed |= state.isSynced();
      if (state.phase() == Phase.WATCHING) {
        unreachable = null;
      } else if (!state.message().isEmpty()) {
        unreachable = state.message();
      }
      if (isFirst || !changes.isEmpty()) {
        isDirty |= wanted != null;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (state.phase() == Phase.DENIED || state.phase() == Phase.NOT_SERVED) {
      report(new PublishProblem(Kind.DENIED, "", List.of(), state.message()));
    } else if (state.phase() == Phase.RETRYING) {
      report(new PublishProblem(Kind.UNAVAILABLE, "", List.of(), state.message()));
    }
  }

  /** Versions grow, and can be compared as numbers (KEP-5504); others are taken as newer. */
  private static boolean isOlder(String version, String than) {
    return version.matches("[0-9]{1,18}")
        && than.matches("[0-9]{1,18}")
        && Long.parseLong(version) < Long.parseLong(than);
  }

  /** The publishing thread. */
  private void publish() {
    try {
      while (publishNext()) {
        done();
      }
    } catch (InterruptedException e) {
      // it is closed
    }
  }

  /** Waits until something is to be published, and publishes it; returns false when closed. */
  private boolean publishNext() throws InterruptedException {
    Map<String, DevicePool> pools;
    List<Published> now;
    lock.lock();
    try {
      while (!isClosed && (!isListed || !isDirty)) {
        changed.awaitUninterruptibly();
      }
      await(dispute.pause());
      if (isClosed) {
        return false;
      }
      if (isChanged) {
        refused.clear();
        dropped.clear();
        settled.clear();
        dispute.end();
        isChanged = false;
      }
      pools = wanted == null ? Map.of() : wanted;
      now = List.copyOf(published.values());
      isDirty = false;
      isWorking = true;
    } finally {
      lock.unlock();
    }
    boolean isComplete = true;
    for (String pool : names(pools, now)) {
      isComplete &= publish(pool, pools.get(pool), now);
    }
    if (isComplete) {
      backoff.reset();
    } else {
      again();
    }
    return true;
  }

  private void again() throws InterruptedException {
    lock.lock();
    try {
      isDirty = true;
      await(backoff.pause());
    } finally {
      lock.unlock();
    }
  }

  /** Waits with the lock held, until the driver offers something else at most. */
  private void await(Duration pause) throws InterruptedException {
    long left = pause.toNanos();
    while (left > 0 && !isClosed && !isChanged) {
      left = changed.awaitNanos(left);
    }
  }

  private void done() {
    lock.lock();
    try {
      isWorking = false;
      wasPublished |= wanted != null && !isDirty;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The pools that are wanted, and those of this node that are not wanted any more. */
  private Set<String> names(Map<String, DevicePool> pools, List<Published> now) {
    Set<String> names = new TreeSet<>(pools.keySet());
    for (Published one : now) {
      if (isOfThisNode(one.slice())) {
        names.add(one.slice().pool().name());
      }
    }
    return names;
  }

  private boolean isOfThisNode(ResourceSlice slice) {
    return node.equals(slice.nodeSelection().nodeName())
        || slice.metadata().ownerReferences().stream()
            .anyMatch(one -> one.kind().equals("Node") && one.name().equals(node));
  }

  /** Publishes a pool; returns whether nothing is left to do now. */
  private boolean publish(String pool, @Nullable DevicePool offer, List<Published> now)
      throws InterruptedException {
    List<Published> ofPool =
        now.stream().filter(one -> one.slice().pool().name().equals(pool)).toList();
    Map<String, Published> byName = new HashMap<>();
    ofPool.forEach(one -> byName.put(one.slice().metadata().name(), one));
    try {
      if (offer == null) {
        for (Published one : ofPool) {
          if (isOfThisNode(one.slice())) {
            delete(one.slice());
          }
        }
        return true;
      }
      DevicePool publishable = without(refused.getOrDefault(pool, Set.of()), ownNames(offer));
      SlicePlanner planner = SlicePlanner.forPool(driver, node, pool);
      SlicePlan plan = planner.plan(publishable, ofPool.stream().map(Published::slice).toList());
      if (plan.isEmpty() || dropped.contains(pool)) {
        settled.add(pool);
        return true;
      }
      if (settled.contains(pool) && dispute.repair()) {
        report(
            new PublishProblem(
                Kind.DISPUTED,
                pool,
                List.of(),
                "its slices are changed by another writer as often as they are published: does a"
                    + " second instance of the driver publish other devices? They are published"
                    + " less and less often until that ends"));
      }
      List<ResourceSlice> written = new ArrayList<>();
      for (ResourceSlice slice : plan.slices()) {
        written.add(write(slice, byName.get(slice.metadata().name())));
      }
      for (ResourceSlice slice : plan.deletes()) {
        delete(slice);
      }
      if (!planner.plan(publishable, written).isEmpty()) {
        dropped.add(pool);
        report(
            new PublishProblem(
                Kind.DROPPED_FIELDS,
                pool,
                List.of(),
                "the API server has dropped fields of the slices: a feature gate is off there that"
                    + " the devices need (partitionable devices, consumable capacity, taints, binding"
                    + " conditions or list attributes)"));
      }
      settled.add(pool);
      return true;
    } catch (Refusal e) {
      return leaveOut(pool, e);
    } catch (IllegalArgumentException e) { // no plan: two devices of one name, for example
      report(new PublishProblem(Kind.REFUSED, pool, List.of(), String.valueOf(e.getMessage())));
      return true;
    } catch (ClusterException e) {
      boolean isRace = e.status() == CONFLICT || e.status() == 404;
      if (!isRace) { // the watch brings what others have written
        report(
            new PublishProblem(
                e.status() == 401 || e.status() == 403 ? Kind.DENIED : Kind.UNAVAILABLE,
                pool,
                List.of(),
                String.valueOf(e.getMessage())));
      }
      return false;
    }
  }

  /** A slice that the server refuses. */
  private static final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    final transient ResourceSlice slice;

    Refusal(ResourceSlice slice, ClusterException cause) {
      super(cause.getMessage(), cause);
      this.slice = slice;
    }
  }

  /** Writes a slice, unless it is the published one, which a plan keeps as the same object. */
  @SuppressWarnings("ReferenceEquality")
  private ResourceSlice write(ResourceSlice slice, @Nullable Published known)
      throws ClusterException, Refusal, InterruptedException {
    if (known != null && known.slice() == slice) {
      return slice;
    }
    Published written;
    try {
      SliceRequests.Written answer =
          known == null ? requests.create(slice) : requests.update(slice, known.resourceVersion());
      written = new Published(answer.slice(), answer.resourceVersion());
    } catch (ClusterException e) {
      if (e.status() == INVALID) {
        throw new Refusal(slice, e);
      }
      throw e;
    }
    lock.lock();
    try {
      creates += known == null ? 1 : 0;
      updates += known == null ? 0 : 1;
      published.put(slice.metadata().name(), written);
    } finally {
      lock.unlock();
    }
    return written.slice();
  }

  private void delete(ResourceSlice slice) throws ClusterException, InterruptedException {
    requests.delete(slice.metadata().name());
    lock.lock();
    try {
      deletes++;
      published.remove(slice.metadata().name());
    } finally {
      lock.unlock();
    }
  }

  /** Leaves out the devices that the server's message names; without one, the pool waits. */
  private boolean leaveOut(String pool, Refusal refusal) {
    List<String> devices = new ArrayList<>();
    for (int index : SliceRequests.devicesIn(String.valueOf(refusal.getMessage()))) {
      if (index < refusal.slice.devices().size()) {
        devices.add(refusal.slice.devices().get(index).name());
      }
    }
    boolean isNewlyRefused = refused.computeIfAbsent(pool, name -> new HashSet<>()).addAll(devices);
    report(new PublishProblem(Kind.REFUSED, pool, devices, String.valueOf(refusal.getMessage())));
    if (isNewlyRefused) {
      backoff.reset();
      lock.lock();
      try {
        isDirty = true; // at once, without them
      } finally {
        lock.unlock();
      }
      return true;
    }
    return false;
  }

  private static DevicePool without(Set<String> devices, DevicePool pool) {
    return devices.isEmpty()
        ? pool
        : pool.toBuilder()
            .devices(pool.devices().stream().filter(one -> !devices.contains(one.name())).toList())
            .build();
  }

  /** The pool, in which names of the driver's own domain are short. */
  private DevicePool ownNames(DevicePool pool) {
    return pool.toBuilder().devices(pool.devices().stream().map(this::ownNames).toList()).build();
  }

  private Device ownNames(Device device) {
    if (device.attributes().keySet().stream().noneMatch(this::isOwn)
        && device.capacity().keySet().stream().noneMatch(this::isOwn)) {
      return device;
    }
    return device.toBuilder()
        .attributes(shortNames(device.attributes()))
        .capacity(shortNames(device.capacity()))
        .build();
  }

  private boolean isOwn(String name) {
    return name.startsWith(driver + "/");
  }

  private <V> Map<String, V> shortNames(Map<String, V> values) {
    Map<String, V> names = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            names.put(isOwn(name) ? name.substring(driver.length() + 1) : name, value));
    return names;
  }

  private void report(PublishProblem problem) {
    try {
      problemHandler.accept(problem);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("the handler of problems failed");
    }
  }

  /** Ends the watch and the writes. The slices stay as they are. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    follower.close();
    threads.forEach(Thread::interrupt);
  }
}
