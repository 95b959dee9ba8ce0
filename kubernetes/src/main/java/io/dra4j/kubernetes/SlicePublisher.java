package io.dra4j.kubernetes;

import io.dra4j.kubernetes.PublishProblem.Kind;
import io.dra4j.kubernetes.PublishedSlices.Published;
import io.dra4j.kubernetes.ResourceFollower.Change;
import io.dra4j.kubernetes.ResourceState.Phase;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.publish.DevicePool;
import io.dra4j.spi.publish.SlicePlan;
import io.dra4j.spi.publish.SlicePlanner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
 * SlicePublisher publisher = SlicePublisher.builder(client, "gpu.example.com", node).start();
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
 *       again for that before the driver offers something else.
 *   <li>A pool that cannot be written waits for its next attempt, and holds up no other pool.
 * </ul>
 *
 * <p>It works in threads of its own. Closing it leaves the slices as they are. Thread-safe.
 */
public final class SlicePublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SlicePublisher.class);
  private static final Duration LOOK_AROUND = Duration.ofMinutes(1);
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  /** The slices that are followed by one watch. Guarded by the lock. */
  private final class Scope implements ResourceFollower.Target {

    private final String nodeName;
    private final ResourceFollower follower;
    private boolean isListed;
    private boolean isFollowed;

    /** Follows the slices of a node; for an empty name, those that name no node. */
    Scope(ApiServer server, String nodeName) {
      this.nodeName = nodeName;
      String selector = "spec.driver=%s,spec.nodeName=%s".formatted(driver, nodeName);
      follower =
          new ResourceFollower(
              server, server::document, ClusterResource.RESOURCE_SLICES, selector, this);
    }

    boolean has(ResourceSlice slice) {
      return nodeName.equals(Objects.requireNonNullElse(slice.nodeSelection().nodeName(), ""));
    }

    @Override
    public void apply(ClusterResource resource, List<Change> changes, ResourceState state) {
      SlicePublisher.this.apply(this, changes, state);
    }
  }

  private final String driver;
  private final String node;
  private final SliceRequests requests;
  private final List<Scope> scopes;
  private final List<Thread> threads = new ArrayList<>();
  private final Consumer<PublishProblem> problemHandler;
  private final OpenProblems problems = new OpenProblems();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final PublishedSlices published = new PublishedSlices();
  private @Nullable Map<String, DevicePool> wanted;
  private boolean isDirty;
  private boolean isUnfinished; // pools wait for their next attempt
  private long retryTime; // System.nanoTime(), of the first of them
  private boolean isWorking;
  private boolean wasPublished;
  private boolean isChanged; // the offer, since refused and dropped were found
  private boolean isClosed;
  private long creates;
  private long updates;
  private long deletes;

  // Of the publishing thread.
  private final Map<String, PoolState> states = new HashMap<>();

  private SlicePublisher(
      ApiServer server, String driver, String node, Consumer<PublishProblem> problemHandler) {
    this.driver = driver;
    this.node = node;
    this.problemHandler = problemHandler;
    this.requests = new SliceRequests(server, node);
    // Most clusters have slices of many nodes, and few that name none: devices in the network.
    this.scopes = List.of(new Scope(server, node), new Scope(server, ""));
    List<ResourceFollower> followers = scopes.stream().map(scope -> scope.follower).toList();
    followers.forEach(one -> threads.add(new Thread(one, "dra4j-slices-" + driver)));
    threads.add(new Thread(this::publish, "dra4j-publish-" + driver));
    threads.add(new Thread(new Watchdog(followers), "dra4j-publish-watchdog"));
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
  public static Builder builder(KubernetesClient client, String driver, String node) {
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
      SlicePublisher publisher =
          new SlicePublisher(new ApiServer(client), driver, node, problemHandler);
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
   * without devices. A pool for another node by its name is refused, as the API server refuses it
   * to agents of nodes.
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
      while (isDirty || isUnfinished || isWorking || !isListed()) {
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
   * Says why slices cannot be read or written now: the API server is away, or the credentials lack
   * a right. It is tried again by itself, and the reason stays until that succeeds. Does not block.
   *
   * @return the reason; empty if the slices are followed and written
   */
  public Optional<String> problem() {
    Optional<String> blocking = problems.blocking().map(PublishProblem::message);
    lock.lock();
    try {
      return blocking.isPresent() || isListed()
          ? blocking
          : Optional.of("its ResourceSlices are not listed yet");
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says what keeps devices from being published as they are offered. A problem stays until a
   * success, and keeps the time at which it began. Does not block.
   *
   * @return the problems, the oldest one first; empty if there are none
   */
  public List<PublishProblem> problems() {
    return List.copyOf(problems.all());
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

  private boolean isListed() {
    return scopes.stream().allMatch(scope -> scope.isListed);
  }

  /** The slices on the server have changed, by this publisher or by others. */
  private void apply(Scope scope, List<Change> changes, ResourceState state) {
    lock.lock();
    try {
      published.apply(changes, scope::has, state.resourceVersion());
      boolean isFirst = !scope.isListed && state.isSynced();
      scope.isListed |= state.isSynced();
      if (state.phase() == Phase.WATCHING) {
        scope.isFollowed = true;
      } else if (!state.message().isEmpty()) {
        scope.isFollowed = false;
      }
      if (scopes.stream().allMatch(one -> one.isFollowed)) {
        problems.end(Kind.UNAVAILABLE, "");
      }
      if (isFirst || !changes.isEmpty()) {
        isDirty |= wanted != null;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (state.phase() == Phase.DENIED || state.phase() == Phase.NOT_SERVED) {
      report(Kind.DENIED, "", List.of(), state.message());
    } else if (state.phase() == Phase.RETRYING) {
      report(Kind.UNAVAILABLE, "", List.of(), state.message());
    }
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
      for (long pause = pause(); !isClosed && pause > 0; pause = pause()) {
        endDisputes();
        changed.awaitNanos(Math.min(pause, LOOK_AROUND.toNanos()));
      }
      if (isClosed) {
        return false;
      }
      if (isChanged) {
        states.values().forEach(PoolState::offerChanged);
        isChanged = false;
      }
      pools = wanted == null ? Map.of() : wanted;
      now = published.all();
      isDirty = false;
      isUnfinished = false;
      isWorking = true;
    } finally {
      lock.unlock();
    }
    Set<String> names = names(pools, now);
    states.keySet().stream().filter(pool -> !names.contains(pool)).forEach(problems::end);
    states.keySet().retainAll(names);
    for (String pool : names) {
      PoolState state = states.computeIfAbsent(pool, name -> new PoolState());
      long pause = state.pauseLeft(System.nanoTime());
      if (pause <= 0) {
        boolean isDone = publish(pool, state, pools.get(pool), now);
        if (isDone) {
          continue;
        }
        state.failed();
        pause = state.pauseLeft(System.nanoTime());
      }
      again(pause);
    }
    return true;
  }

  /** Ends disputes without a repair for long: nothing else says that they are over. */
  private void endDisputes() {
    states.forEach(
        (pool, state) -> {
          if (!state.isDisputed()) {
            problems.end(Kind.DISPUTED, pool);
          }
        });
  }

  /** How long nothing is to be done from now on; zero or less if there is. */
  private long pause() {
    if (!isListed()) {
      return Long.MAX_VALUE;
    } else if (isDirty) {
      return 0;
    }
    return isUnfinished ? retryTime - System.nanoTime() : Long.MAX_VALUE;
  }

  /** A pool waits for its next attempt. */
  private void again(long pause) {
    long time = System.nanoTime() + pause;
    locked(
        () -> {
          retryTime = isUnfinished ? retryTime + Math.min(0, time - retryTime) : time;
          isUnfinished = true;
        });
  }

  private void done() {
    locked(
        () -> {
          isWorking = false;
          wasPublished |= wanted != null && !isDirty && !isUnfinished;
          changed.signalAll();
        });
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
  private boolean publish(
      String pool, PoolState state, @Nullable DevicePool offer, List<Published> now)
      throws InterruptedException {
    List<Published> ofPool =
        now.stream().filter(one -> one.slice().pool().name().equals(pool)).toList();
    try {
      if (offer == null) {
        withdraw(ofPool);
        states.remove(pool);
        problems.end(pool);
        return true;
      }
      writePool(pool, state, offer, ofPool);
      state.published();
      problems.end(Kind.UNAVAILABLE, pool);
      if (state.refused().isEmpty()) {
        problems.end(Kind.REFUSED, pool);
      }
      if (!state.hasDropped()) {
        problems.end(Kind.DROPPED_FIELDS, pool);
      }
      return true;
    } catch (Refusal e) {
      return leaveOut(pool, state, e);
    } catch (IllegalArgumentException e) { // no plan: two devices of one name, for example
      report(Kind.REFUSED, pool, List.of(), String.valueOf(e.getMessage()));
      return true;
    } catch (ClusterException e) {
      boolean isRace = e.status() == CONFLICT || e.status() == 404;
      if (!isRace) { // the watch brings what others have written
        boolean isDenied = e.status() == 401 || e.status() == 403;
        report(
            isDenied ? Kind.DENIED : Kind.UNAVAILABLE,
            pool,
            List.of(),
            String.valueOf(e.getMessage()));
      } else if (!state.isSettled()) {
        contested(pool, state);
      }
      return false;
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("pool {} of {} is not published", pool, driver);
      report(Kind.FAILED, pool, List.of(), Printable.line(e.toString()));
      return false;
    }
  }

  private void withdraw(List<Published> ofPool) throws ClusterException, InterruptedException {
    for (Published one : ofPool) {
      if (isOfThisNode(one.slice())) {
        delete(one.slice());
      }
    }
  }

  /** Writes what differs of a pool. */
  private void writePool(String pool, PoolState state, DevicePool offer, List<Published> ofPool)
      throws ClusterException, Refusal, InterruptedException {
    Map<String, Published> byName = new LinkedHashMap<>();
    for (Published one : ofPool) {
      byName.put(
          one.slice().metadata().name(),
          new Published(state.withDropped(one.slice()), one.resourceVersion(), one.isSeen()));
    }
    String other = offer.nodeSelection().nodeName();
    if (other != null && !other.equals(node)) {
      throw new IllegalArgumentException(
          "its devices are for node '%s': a publisher on node '%s' does not see slices of others"
              .formatted(other, node));
    }
    DevicePool publishable = without(state.refused(), new OwnNames(driver).shorten(offer));
    SlicePlanner planner = SlicePlanner.forPool(driver, node, pool);
    SlicePlan plan =
        planner.plan(publishable, byName.values().stream().map(Published::slice).toList());
    if (plan.isEmpty()) {
      return;
    }
    if (state.isSettled()) {
      contested(pool, state);
    }
    boolean hadDropped = state.hasDropped();
    List<ResourceSlice> slices = new ArrayList<>();
    List<ResourceSlice> answers = new ArrayList<>();
    for (ResourceSlice slice : plan.slices()) {
      Published known = byName.get(slice.metadata().name());
      if (isUnchanged(slice, known)) {
        slices.add(slice);
      } else {
        ResourceSlice answer = write(slice, known);
        state.written(answer);
        slices.add(answer);
        answers.add(answer);
      }
    }
    for (ResourceSlice slice : plan.deletes()) {
      delete(slice);
    }
    SlicePlan rest = planner.plan(publishable, slices);
    if (!rest.isEmpty()) {
      state.fieldsDropped(answers, rest);
      if (!hadDropped) {
        report(
            Kind.DROPPED_FIELDS,
            pool,
            List.of(),
            "the API server has dropped fields of the slices: a feature gate is off there that the"
                + " devices need (partitionable devices, consumable capacity, taints, binding"
                + " conditions or list attributes)");
      }
    }
  }

  /** Others have changed the pool. */
  private void contested(String pool, PoolState state) {
    if (state.contested()) {
      report(
          Kind.DISPUTED,
          pool,
          List.of(),
          "its slices are changed by another writer as often as they are published: does a second"
              + " instance of the driver publish other devices? They are published less and less"
              + " often until that ends");
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

  /** A plan keeps a slice that is not to be written as the same object. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isUnchanged(ResourceSlice slice, @Nullable Published known) {
    return known != null && known.slice() == slice;
  }

  /** Writes a slice; returns it as the server has it. */
  private ResourceSlice write(ResourceSlice slice, @Nullable Published known)
      throws ClusterException, Refusal, InterruptedException {
    locked(() -> published.beginWrite(slice.metadata().name()));
    try {
      SliceRequests.Written answer =
          known == null ? requests.create(slice) : requests.update(slice, known.resourceVersion());
      locked(
          () -> {
            creates += known == null ? 1 : 0;
            updates += known == null ? 0 : 1;
            published.endWrite(answer.slice(), answer.resourceVersion());
          });
      return answer.slice();
    } catch (ClusterException e) {
      if (e.status() == INVALID) {
        throw new Refusal(slice, e);
      }
      throw e;
    } finally {
      locked(published::endWrite);
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private void delete(ResourceSlice slice) throws ClusterException, InterruptedException {
    requests.delete(slice.metadata().name());
    locked(
        () -> {
          deletes++;
          published.remove(slice.metadata().name());
        });
  }

  /** Leaves out the devices that the server's message names; without one, the pool waits. */
  private boolean leaveOut(String pool, PoolState state, Refusal refusal) {
    List<String> devices = new ArrayList<>();
    for (int index : SliceRequests.devicesIn(String.valueOf(refusal.getMessage()))) {
      if (index < refusal.slice.devices().size()) {
        devices.add(refusal.slice.devices().get(index).name());
      }
    }
    report(Kind.REFUSED, pool, devices, String.valueOf(refusal.getMessage()));
    if (!state.refuse(devices)) {
      return false;
    }
    locked(() -> isDirty = true); // at once, without them
    return true;
  }

  private static DevicePool without(Set<String> devices, DevicePool pool) {
    return devices.isEmpty()
        ? pool
        : pool.toBuilder()
            .devices(pool.devices().stream().filter(one -> !devices.contains(one.name())).toList())
            .build();
  }

  private void report(Kind kind, String pool, List<String> devices, String message) {
    PublishProblem problem = problems.add(kind, pool, devices, message);
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
    scopes.forEach(scope -> scope.follower.close());
    threads.forEach(Thread::interrupt);
  }
}
