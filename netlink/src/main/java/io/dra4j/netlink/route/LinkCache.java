package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An up-to-date cache of the links of a network namespace. It subscribes to changes, lists the
 * links, then applies the changes; after a loss it lists the links again. Readers get immutable
 * snapshots without waiting. A burst of changes becomes one snapshot. Thread-safe.
 *
 * <pre>{@code
 * try (LinkCache cache = LinkCache.follow(namespace)) {
 *   cache.listen((before, now) -> System.out.println(now.changesSince(before)));
 *   Optional<Link> link = cache.snapshot().find("eth0");
 *   ...
 * }
 * }</pre>
 *
 * <p>Failures are reported by {@link #failure} and to {@link Listener#failed}, and then:
 *
 * <table>
 * <caption>Behaviour of the cache after failures</caption>
 * <tr><th>Failure<th>Behaviour of the cache
 * <tr><td>a listener throws, even an {@link Error}<td>continues, and calls the other listeners
 * <tr><td>listing the links again fails, or they change faster than they can be listed<td>continues: tries again after 10 ms, then after twice the time, up to 5 s, without end; until it succeeds, the snapshot is the last complete one
 * <tr><td>one of its two sockets fails, or the cache itself by an error<td>ends: the last snapshot
 *     stays, {@link #isFollowing} is false
 * </table>
 *
 * <p>It has its own thread, which also calls the listeners. Links have no virtual functions here,
 * and have the statistics of their last change. The kernel does not report every change of links
 * that are switched off, for example not a new group or alternative name.
 */
public final class LinkCache implements AutoCloseable {

  private static final Duration FOR_LONG = Duration.ofDays(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** The most batches, of a thousand datagrams each: more than fit into a socket's queue. */
  private static final int QUEUED_BATCHES = 100;

  private final RouteNetlink route;
  private final RouteMonitor monitor;
  private final Thread thread = new Thread(this::run, "links");
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile LinkSnapshot snapshot = LinkSnapshot.of(List.of());
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;
  private volatile boolean ended;

  private LinkCache(RouteNetlink route, RouteMonitor monitor) {
    this.route = route;
    this.monitor = monitor;
  }

  /** Is notified of changes. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called when links have changed. The next change waits until this method returns. An exception
     * does not end the cache: {@link LinkCache#failure} and {@link #failed} report it.
     *
     * @param before the links before
     * @param after the links now
     */
    void changed(LinkSnapshot before, LinkSnapshot after);

    /**
     * Called after a failure: the links could not be listed after a loss, a listener threw, or the
     * cache has ended. The default does nothing.
     *
     * @param failure the failure
     * @param following whether the cache continues; false if this is the last call of listeners
     */
    default void failed(Throwable failure, boolean following) {}
  }

  /**
   * {@return a cache that follows the calling thread's network namespace and has all links already}
   *
   * @throws IOException if the kernel refuses
   */
  public static LinkCache follow() throws IOException {
    try (NetworkNamespace here = NetworkNamespace.current()) {
      return follow(here);
    }
  }

  /**
   * {@return a cache that follows the links of a network namespace and has all links already}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or the kernel refuses
   */
  public static LinkCache follow(NetworkNamespace namespace) throws IOException {
    RouteMonitor monitor = RouteMonitor.open(namespace, Set.of(ObjectKind.LINK));
    try {
      return follow(RouteNetlink.open(namespace), monitor);
    } catch (IOException | RuntimeException | Error e) {
      monitor.close();
      throw e;
    }
  }

  /**
   * Follows links with a monitor that is open already, so that no change before the list is missed.
   */
  static LinkCache follow(RouteNetlink route, RouteMonitor monitor) throws NetlinkException {
    try {
      LinkCache cache = new LinkCache(route, monitor);
      cache.snapshot = LinkSnapshot.of(route.links().list(LinkQuery.full()));
      cache.thread.setDaemon(true);
      cache.thread.start();
      return cache;
    } catch (NetlinkException | RuntimeException | Error e) {
      route.close();
      throw e;
    }
  }

  /** {@return all links as they are now} */
  public LinkSnapshot snapshot() {
    return snapshot;
  }

  /**
   * Adds a listener.
   *
   * @param listener is called on the thread of the cache
   */
  public void listen(Listener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Removes a listener.
   *
   * @param listener the listener
   */
  public void unlisten(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * {@return why the cache has ended or could not list the links in the last attempt, or a
   * listener's exception for the last change; empty if there is none, or the cache was closed}
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** {@return whether the cache follows the links, not closed nor ended by a {@link #failure}} */
  public boolean isFollowing() {
    return !ended && !isClosed();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void run() {
    try {
      while (!isClosed()) {
        applyNext();
      }
    } catch (Throwable e) { // users of the cache must learn about any failure
      if (!isClosed()) {
        ended = true;
        fail(e, false);
      }
    } finally {
      route.close();
      monitor.close();
    }
  }

  private void applyNext() throws NetlinkException {
    LinkSnapshot before = snapshot;
    LinkSnapshot after;
    try {
      List<RouteEvent> events = monitor.await(FOR_LONG);
      after = events.isEmpty() ? before : before.with(events);
    } catch (NetlinkException.Overrun | NetlinkException.Malformed e) {
      after = listAgain();
    } catch (
        NetlinkException.Interrupted e) { // by a listener: no other code can interrupt this thread
      Thread.interrupted();
      after = before;
    }
    if (after == before || isClosed()) {
      return;
    }
    snapshot = after;
    failure = null;
    for (Listener listener : listeners) {
      report(listener, before, after);
    }
  }

  /** Lists the links again. Returns the old snapshot only if the cache was closed meanwhile. */
  private LinkSnapshot listAgain() throws NetlinkException {
    Duration pause = FIRST_PAUSE;
    while (!isClosed()) {
      dropOlder();
      try {
        return LinkSnapshot.of(route.links().list(LinkQuery.full()));
      } catch (NetlinkException.Closed
          | NetlinkException.TimedOut
          | NetlinkException.TransportFailed e) {
        throw e;
      } catch (NetlinkException.Interrupted e) {
        Thread.interrupted();
      } catch (NetlinkException e) {
        fail(e, true);
        pause(pause);
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
      }
    }
    return snapshot;
  }

  private void pause(Duration pause) {
    try {
      if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      // by a listener; then the next attempt comes earlier
    }
  }

  /**
   * Drops the changes that the kernel queued before the loss: they are older than the next list,
   * and could bring back removed links. Reads at most the capacity of the queue, not all later
   * changes.
   */
  private void dropOlder() throws NetlinkException {
    boolean more = true;
    for (int i = 0; more && i < QUEUED_BATCHES; i++) {
      try {
        more = !monitor.await(Duration.ZERO).isEmpty();
      } catch (NetlinkException.Overrun | NetlinkException.Malformed e) {
        // goes as well
      }
    }
  }

  /** Calls a listener, unless the cache was closed. */
  private void report(Listener listener, LinkSnapshot before, LinkSnapshot after) {
    if (isClosed()) {
      return;
    }
    try {
      listener.changed(before, after);
    } catch (Throwable e) {
      fail(e, true);
    }
  }

  private void fail(Throwable e, boolean following) {
    failure = e;
    for (Listener listener : listeners) {
      if (!isClosed()) {
        report(listener, e, following);
      }
    }
  }

  private static void report(Listener listener, Throwable failure, boolean following) {
    try {
      listener.failed(failure, following);
    } catch (Throwable e) { // no listener is left
      failure.addSuppressed(e);
    }
  }

  /**
   * Ends the cache and waits until its thread has ended, so that no listener is called afterwards.
   * It therefore also waits for a running listener, unless that listener closes the cache. If the
   * calling thread is interrupted, it does not wait, and stays interrupted. The last snapshot
   * stays. Further calls do nothing.
   */
  @Override
  public void close() {
    closed.countDown();
    monitor.close();
    route.close();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
