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
 * Publishes the devices of one driver on one node as ResourceSlices, and keeps them current. It
 * watches the driver's slices and repairs changes by others, such as the kubelet, which deletes the
 * slices of a driver that is absent for long. {@link SlicePlanner} plans the slices from the ones
 * on the server, so only differences are written, and the generation of a pool changes only if a
 * single write is not enough.
 *
 * <pre>{@code
 * SlicePublisher publisher = SlicePublisher.builder(client, "gpu.example.com", node).start();
 * runtime.addPoolListener((driver, pools) -> publisher.publish(pools));
 * }</pre>
 *
 * <ul>
 *   <li>The Node is the owner of each slice, so the slices are deleted with the Node.
 *   <li>Names in the driver's own domain are published without the domain: {@code model} for {@code
 *       gpu.example.com/model}.
 *   <li>A device that the API server refuses is not published, and a problem names it. The other
 *       devices are published.
 *   <li>Fields that the API server drops because a feature is off are a problem. The slice is not
 *       rewritten for these fields until the driver changes its offer.
 *   <li>A pool that cannot be written is retried later, and does not block other pools.
 * </ul>
 *
 * <p>The publisher has its own threads. Closing it leaves the slices as they are. Thread-safe.
 */
public final class SlicePublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SlicePublisher.class);
  private static final Duration LOOK_AROUND = Duration.ofMinutes(1);
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;

  /** The slices of one watch. Guarded by the lock. */
  private final class Scope implements ResourceFollower.Target {

    private final String nodeName;
    private final ResourceFollower follower;
    private boolean isListed;
    private boolean isFollowed;

    /** Follows the slices of a node; for an empty name, the slices without a node name. */
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
  private boolean isUnfinished; // some pools wait for their next attempt
  private long retryTime; // System.nanoTime(), of the first one
  private boolean isWorking;
  private boolean wasPublished;
  private boolean isChanged; // the offer, since devices were refused or fields dropped
  private boolean isClosed;
  private long creates;
  private long updates;
  private long deletes;

  // Used by the publishing thread only.
  private final Map<String, PoolState> states = new HashMap<>();

  private SlicePublisher(
      ApiServer server, String driver, String node, Consumer<PublishProblem> problemHandler) {
    this.driver = driver;
    this.node = node;
    this.problemHandler = problemHandler;
    this.requests = new SliceRequests(server, node);
    // Most clusters have slices of many nodes, and few without a node: network-attached devices.
    this.scopes = List.of(new Scope(server, node), new Scope(server, ""));
    List<ResourceFollower> followers = scopes.stream().map(scope -> scope.follower).toList();
    followers.forEach(one -> threads.add(new Thread(one, "dra4j-slices-" + driver)));
    threads.add(new Thread(this::publish, "dra4j-publish-" + driver));
    threads.add(new Thread(new Watchdog(followers), "dra4j-publish-watchdog"));
    threads.forEach(thread -> thread.setDaemon(true));
  }

  /**
   * {@return a builder for the publisher of a driver}
   *
   * @param client the connection, which the caller closes after the publisher
   * @param driver the name of the driver
   * @param node the name of the Node that the driver runs on
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
     * Sets the handler of problems. By default, problems are logged.
     *
     * @param handler receives each problem on the publisher's thread; its exceptions are logged
     * @return this builder
     */
    public Builder onProblem(Consumer<PublishProblem> handler) {
      this.problemHandler = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /** {@return the started publisher; it writes nothing before the first {@code publish}} */
    public SlicePublisher start() {
      SlicePublisher publisher =
          new SlicePublisher(new ApiServer(client), driver, node, problemHandler);
      publisher.threads.forEach(Thread::start);
      return publisher;
    }
  }

  /**
   * The number of writes.
   *
   * @param creates the number of created slices
   * @param updates the number of updated slices
   * @param deletes the number of deleted slices
   */
  public record Stats(long creates, long updates, long deletes) {}

  /**
   * Sets the pools to publish. They are written in the background. The slices of a pool that is
   * missing here are deleted. An empty pool differs from a missing one: it has one slice without
   * devices. A pool that is bound by name to another node is rejected, as the API server rejects it
   * for node agents.
   *
   * @param pools all pools of the driver, by name
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
   * Waits until the pools last given to {@link #publish(Map)} are written.
   *
   * @param limit the longest wait
   * @return whether they are written; devices with problems may be missing
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
   * {@return whether all pools were published at least once; devices with problems may be missing}
   * Later changes and outages of the API server do not affect it. Does not block.
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
   * {@return why slices cannot be read or written now: the API server is not reachable, or the
   * credentials lack a permission; empty if the slices are followed and written} The publisher
   * retries, and the reason stays until it succeeds. Does not block.
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
   * {@return the problems that keep devices from being published as offered, the oldest first} A
   * problem stays until a write succeeds, and keeps the time at which it began. Does not block.
   */
  public List<PublishProblem> problems() {
    return List.copyOf(problems.all());
  }

  /** {@return the number of writes since the start} */
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

  /** Applies changes of the slices on the server, by this publisher or by others. */
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

  /** Runs the publishing thread. */
  private void publish() {
    try {
      while (publishNext()) {
        done();
      }
    } catch (InterruptedException e) {
      // the publisher is closed
    }
  }

  /** Waits until there are pools to publish, and publishes them. Returns false when closed. */
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
      publishIfDue(pool, pools.get(pool), now);
    }
    return true;
  }

  /** Ends disputes without a recent repair; there is no other sign of their end. */
  private void endDisputes() {
    states.forEach(
        (pool, state) -> {
          if (!state.isDisputed()) {
            problems.end(Kind.DISPUTED, pool);
          }
        });
  }

  /** The time until there is work to do; zero or less if there is work now. */
  private long pause() {
    if (!isListed()) {
      return Long.MAX_VALUE;
    } else if (isDirty) {
      return 0;
    }
    return isUnfinished ? retryTime - System.nanoTime() : Long.MAX_VALUE;
  }

  /** Publishes a pool, unless its pause after a failure has not passed. */
  private void publishIfDue(String pool, @Nullable DevicePool offer, List<Published> now)
      throws InterruptedException {
    PoolState state = states.computeIfAbsent(pool, name -> new PoolState());
    long pause = state.pauseLeft(System.nanoTime());
    if (pause <= 0) {
      boolean isDone = publish(pool, state, offer, now);
      if (isDone) {
        return;
      }
      state.failed();
      pause = state.pauseLeft(System.nanoTime());
    }
    again(pause);
  }

  /** Schedules the next attempt of a pool. */
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

  /** The offered pools, and pools of this node that are no longer offered. */
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

  /** Publishes a pool. Returns whether it is done for now. */
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
    } catch (
        IllegalArgumentException e) { // no plan, for example because of two devices of one name
      report(Kind.REFUSED, pool, List.of(), String.valueOf(e.getMessage()));
      return true;
    } catch (ClusterException e) {
      writeFailed(pool, state, e);
      return false;
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("pool {} of driver {} could not be published", pool, driver);
      report(Kind.FAILED, pool, List.of(), Printable.line(e.toString()));
      return false;
    }
  }

  private void writeFailed(String pool, PoolState state, ClusterException e) {
    boolean isRace = e.status() == CONFLICT || e.status() == 404;
    if (!isRace) { // the watch will report the other writes
      boolean isDenied = e.status() == 401 || e.status() == 403;
      report(
          isDenied ? Kind.DENIED : Kind.UNAVAILABLE,
          pool,
          List.of(),
          String.valueOf(e.getMessage()));
    } else if (!state.isSettled()) {
      contested(pool, state);
    }
  }

  private void withdraw(List<Published> ofPool) throws ClusterException, InterruptedException {
    for (Published one : ofPool) {
      if (isOfThisNode(one.slice())) {
        delete(one.slice());
      }
    }
  }

  /** Writes the differences of a pool. */
  private void writePool(String pool, PoolState state, DevicePool offer, List<Published> ofPool)
      throws ClusterException, Refusal, InterruptedException {
    Map<String, Published> byName = byName(state, ofPool);
    checkNode(pool, offer.nodeSelection().nodeName());
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
        reportDropped(pool);
      }
    }
  }

  /** The slices of a pool, with the fields that the server has dropped. */
  private static Map<String, Published> byName(PoolState state, List<Published> ofPool) {
    Map<String, Published> byName = new LinkedHashMap<>();
    for (Published one : ofPool) {
      byName.put(
          one.slice().metadata().name(),
          new Published(state.withDropped(one.slice()), one.resourceVersion(), one.isSeen()));
    }
    return byName;
  }

  private void checkNode(String pool, @Nullable String other) {
    if (other != null && !other.equals(node)) {
      throw new IllegalArgumentException(
          "pool %s is bound to node '%s', but this publisher serves node '%s' and cannot read"
                  .formatted(pool, other, node)
              + " slices of other nodes");
    }
  }

  private void reportDropped(String pool) {
    report(
        Kind.DROPPED_FIELDS,
        pool,
        List.of(),
        "the API server has dropped fields of the slices: enable the feature gate that the"
            + " devices need (partitionable devices, consumable capacity, taints, binding"
            + " conditions or list attributes)");
  }

  /** Records that others have changed the pool. */
  private void contested(String pool, PoolState state) {
    if (state.contested()) {
      report(
          Kind.DISPUTED,
          pool,
          List.of(),
          "another writer changes the slices each time they are published: check for a second"
              + " instance of the driver that publishes other devices. Until that ends, the slices"
              + " are published less and less often");
    }
  }

  /** The refusal of a slice by the server. */
  private static final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    final transient ResourceSlice slice;

    Refusal(ResourceSlice slice, ClusterException cause) {
      super(cause.getMessage(), cause);
      this.slice = slice;
    }
  }

  /** Whether a slice needs no write: the plan then has the same object. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isUnchanged(ResourceSlice slice, @Nullable Published known) {
    return known != null && known.slice() == slice;
  }

  /** Writes a slice. Returns the slice as the server has it. */
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

  /** Excludes the devices that the server's message names; if it names none, the pool waits. */
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
    locked(() -> isDirty = true); // immediately, without them
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
      LOG.atError().setCause(e).log("the handler of problems threw an exception");
    }
  }

  /** Ends the watches and the writes. The slices stay as they are. */
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
