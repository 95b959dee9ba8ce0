package io.dra4j.kubernetes;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.kubernetes.ResourceFollower.Change;
import io.dra4j.kubernetes.ResourceState.Phase;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inventory of a live cluster. Nodes, ResourceSlices, DeviceClasses, ResourceClaims and
 * DeviceTaintRules are listed in pages and watched, each by a separate thread. A watch that ends is
 * resumed where it ended. If the API server no longer has that version (410), the resource is
 * listed again.
 *
 * <pre>{@code
 * try (KubernetesClient client = ClusterConnection.open();
 *     ClusterInventory cluster = ClusterInventory.follow(client)) {
 *   DeviceInventory inventory = cluster.awaitSynced(Duration.ofSeconds(30)).inventory();
 *   …
 * }
 * }</pre>
 *
 * <p>A view never changes. While the API server is not reachable, the last view stays, and its
 * {@linkplain ClusterView#resources states} report since when. Objects that cannot be read are not
 * in the inventory; the states name them. Thread-safe.
 */
public final class ClusterInventory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterInventory.class);

  private static final List<ClusterResource> FOLLOWED =
      List.of(
          ClusterResource.NODES,
          ClusterResource.DEVICE_CLASSES,
          ClusterResource.RESOURCE_SLICES,
          ClusterResource.RESOURCE_CLAIMS,
          ClusterResource.DEVICE_TAINT_RULES);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<ClusterResource, ResourceState> states = new EnumMap<>(ClusterResource.class);
  private final List<Consumer<ClusterView>> listeners = new CopyOnWriteArrayList<>();
  private final List<ResourceFollower> followers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean hasNewListener; // guarded by the lock
  private volatile ClusterView view;
  private volatile boolean isClosed;

  private ClusterInventory(KubernetesClient client, Supplier<Backoff> backoffs) {
    for (ClusterResource resource : FOLLOWED) {
      states.put(resource, new ResourceState(Phase.LISTING, "", Instant.now(), "", List.of()));
    }
    view = new ClusterView(DeviceInventory.empty(), states);
    ApiServer server = new ApiServer(client);
    Discovery discovery = new Discovery(server);
    for (ClusterResource resource : FOLLOWED) {
      ResourceFollower follower =
          new ResourceFollower(server, discovery, resource, "", this::apply, backoffs.get());
      followers.add(follower);
      threads.add(thread("dra4j-follow-" + resource.plural(), follower));
    }
    threads.add(thread("dra4j-follow-listeners", this::notifyListeners));
    threads.add(thread("dra4j-follow-watchdog", new Watchdog(followers)));
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Follows a cluster from now on.
   *
   * @param client the connection; the caller closes it, after the inventory
   * @return the inventory, which is empty until the first lists have arrived
   */
  public static ClusterInventory follow(KubernetesClient client) {
    return follow(client, Backoff::new);
  }

  /** Follows a cluster, with other pauses after failures. */
  static ClusterInventory follow(KubernetesClient client, Supplier<Backoff> backoffs) {
    ClusterInventory cluster =
        new ClusterInventory(Objects.requireNonNull(client, "client"), backoffs);
    cluster.threads.forEach(Thread::start);
    return cluster;
  }

  /** {@return the newest view of the cluster} */
  public ClusterView view() {
    return view;
  }

  /**
   * Waits until all resources have been listed once.
   *
   * @param limit the longest wait
   * @return the first complete view, or a newer one
   * @throws ClusterException if the limit is reached first; the message names the missing resources
   * @throws InterruptedException if the calling thread is interrupted
   */
  public ClusterView awaitSynced(Duration limit) throws ClusterException, InterruptedException {
    return await(ClusterView::isSynced, limit);
  }

  /**
   * Waits for a view. Views that follow each other quickly may be skipped without evaluation.
   *
   * @param condition the condition that the view must meet
   * @param limit the longest wait
   * @return the view
   * @throws ClusterException if the limit is reached first, or the inventory is closed
   * @throws InterruptedException if the calling thread is interrupted
   */
  public ClusterView await(Predicate<ClusterView> condition, Duration limit)
      throws ClusterException, InterruptedException {
    Objects.requireNonNull(condition, "condition");
    long left = limit.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        ClusterView now = view;
        if (condition.test(now)) {
          return now;
        }
        if (left <= 0 || isClosed) {
          throw new ClusterException(unfulfilled(now, limit), ClusterException.NO_ANSWER, null);
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private String unfulfilled(ClusterView now, Duration limit) {
    if (isClosed) {
      return "the inventory of the cluster is closed";
    }
    List<String> missing =
        now.resources().entrySet().stream()
            .filter(one -> !one.getValue().isSynced())
            .map(one -> one.getKey() + " (" + one.getValue().phase() + ")")
            .sorted()
            .toList();
    return "the cluster did not reach the expected state within %d ms%s%s"
        .formatted(
            limit.toMillis(),
            missing.isEmpty() ? "" : "; not listed yet: " + String.join(", ", missing),
            now.problems().isEmpty() ? "" : "\n" + now.problems());
  }

  /**
   * Adds a listener. A thread of the inventory calls it with the current view, and with the newest
   * view after each change. Changes during a call are combined into the next call. The listener may
   * receive the same view twice. Its exceptions are logged.
   *
   * @param listener receives the views
   */
  public void addListener(Consumer<ClusterView> listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    lock.lock();
    try {
      hasNewListener = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void apply(ClusterResource resource, List<Change> changes, ResourceState state) {
    lock.lock();
    try {
      ResourceState before = states.put(resource, state);
      if (before != null && !before.message().equals(state.message())) {
        if (state.message().isEmpty()) {
          LOG.atInfo().log("{}: {}", resource, state.phase());
        } else {
          LOG.atWarn().log("{}: {}", resource, state.message());
        }
      }
      DeviceInventory inventory = view.inventory();
      List<InventoryEvent> events = changes.stream().map(Change::event).toList();
      view = new ClusterView(events.isEmpty() ? inventory : inventory.apply(events), states);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // each change creates a view
  private void notifyListeners() {
    ClusterView last = null;
    while (!isClosed) {
      ClusterView now;
      lock.lock();
      try {
        while (view == last && !hasNewListener && !isClosed) {
          changed.awaitUninterruptibly();
        }
        hasNewListener = false;
        now = view;
      } finally {
        lock.unlock();
      }
      last = now;
      for (Consumer<ClusterView> listener : listeners) {
        try {
          listener.accept(now);
        } catch (RuntimeException e) {
          LOG.atError().setCause(e).log("a listener of the cluster inventory threw an exception");
        }
      }
    }
  }

  /** Ends all watches. The last view stays. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    followers.forEach(ResourceFollower::close);
    threads.forEach(Thread::interrupt);
  }
}
