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
 * The links of a network namespace, always as they are: subscribes, lists, then applies what it is
 * reported; after a loss it lists again. Readers get immutable snapshots without waiting. A burst
 * of changes becomes one snapshot. Thread-safe.
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
 * <caption>How the cache goes on</caption>
 * <tr><th>What goes wrong<th>The cache
 * <tr><td>a listener throws, even an {@link Error}<td>goes on, and calls the other listeners
 * <tr><td>listing the links anew fails, or they change faster than they can be listed<td>goes on:
 *     tries again after 10 ms, then after twice as long each time, 5 s at most, for ever; until it
 *     succeeds, the snapshot is the last one that was whole
 * <tr><td>one of its two sockets fails, or the cache itself by an error<td>ends: the last snapshot
 *     stays, {@link #isFollowing} is false
 * </table>
 *
 * <p>It has a thread of its own, which also calls the listeners. Links have no virtual functions
 * here, and statistics as of their last change. Of links that are switched off the kernel does not
 * report every change: not a new group or alternative name.
 */
public final class LinkCache implements AutoCloseable {

  private static final Duration FOR_LONG = Duration.ofDays(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** More than fit into the queue of a socket, at a thousand datagrams in each. */
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

  /** Hears of changes. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called when links have changed. The next change waits until this method returns. What it
     * throws does not end the cache: {@link LinkCache#failure} and {@link #failed} report it.
     *
     * @param before the links before
     * @param after the links now
     */
    void changed(LinkSnapshot before, LinkSnapshot after);

    /**
     * Called when something went wrong: the links could not be listed after a loss, a listener
     * threw, or the cache has ended. Does nothing unless it is overridden.
     *
     * @param failure what went wrong
     * @param following whether the cache goes on; false if this is the last that listeners hear
     */
    default void failed(Throwable failure, boolean following) {}
  }

  /**
   * Follows the links of the network namespace of the calling thread.
   *
   * @return knows all links already
   * @throws IOException if the kernel refuses
   */
  public static LinkCache follow() throws IOException {
    try (NetworkNamespace here = NetworkNamespace.current()) {
      return follow(here);
    }
  }

  /**
   * Follows the links of a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return knows all links already
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

  /** The monitor listens already, so that nothing is missed between listing and listening. */
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
   * Asks to hear of changes from now on.
   *
   * @param listener hears of them, on the thread of the cache
   */
  public void listen(Listener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Asks to hear of no more changes.
   *
   * @param listener heard of them so far
   */
  public void unlisten(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * Returns what is wrong: why the cache has ended, why the links could not be listed the last time
   * it tried, or what a listener threw at the last change.
   *
   * @return empty if all is well, and if the cache has only been closed
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Returns whether the cache goes on to follow the links.
   *
   * @return false after it was closed, and after it has ended by a {@link #failure}
   */
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
    } catch (Throwable e) { // whatever it is, those who rely on the cache have to hear of it
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
    } catch (NetlinkException.Interrupted e) { // by a listener: no other code has this thread
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

  /** Gives the old snapshot only if the cache was closed meanwhile. */
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
      // by a listener; it tries again earlier
    }
  }

  /**
   * What the kernel had queued before the loss is older than what is listed next: it would bring
   * back links that have gone. All it can queue is taken, not all that may come meanwhile.
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

  /** Who has closed the cache hears no more of it. */
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
   * Ends the cache and waits until its thread has ended, so that no listener is called afterwards;
   * so it also waits for a listener that is being called, unless that is who closes the cache. If
   * the calling thread is interrupted it does not wait, and stays interrupted. The last snapshot
   * stays. Once is enough; more does no harm.
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
