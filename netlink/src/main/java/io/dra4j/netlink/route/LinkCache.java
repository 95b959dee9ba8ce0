package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The links of a network namespace, always as they are: subscribes, lists, then applies what it is
 * told; after a loss it lists again. Readers get immutable snapshots without waiting. A burst of
 * changes becomes one snapshot. Thread-safe.
 *
 * <p>It has a thread of its own, which also calls the listeners. Links have no virtual functions
 * here, and statistics as of their last change. Of links that are switched off the kernel does not
 * tell every change: not a new group or alternative name.
 */
public final class LinkCache implements AutoCloseable {

  private static final Duration FOR_LONG = Duration.ofDays(1);

  /** More than fit into the queue of a socket, at a thousand datagrams in each. */
  private static final int QUEUED_BATCHES = 100;

  private final RouteNetlink route;
  private final RouteMonitor monitor;
  private final Thread thread = new Thread(this::run, "links");
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile LinkSnapshot snapshot = LinkSnapshot.of(List.of());
  private volatile @Nullable NetlinkException failure;

  private LinkCache(RouteNetlink route, RouteMonitor monitor) {
    this.route = route;
    this.monitor = monitor;
  }

  /** Hears of changes. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Something has changed. The next change waits until this method returns; an exception that it
     * throws goes to the default handler of uncaught exceptions.
     *
     * @param before the links before
     * @param after the links now
     */
    void changed(LinkSnapshot before, LinkSnapshot after);
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
    RouteMonitor monitor = RouteMonitor.open(namespace, Set.of(RouteEvent.Topic.LINKS));
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

  /**
   * The links.
   *
   * @return all links as they are now
   */
  public LinkSnapshot snapshot() {
    return snapshot;
  }

  /**
   * Asks to hear of changes from now on.
   *
   * @param listener hears of them, on the thread of the cache
   */
  public void listen(Listener listener) {
    listeners.add(listener);
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
   * Why it does not follow any more.
   *
   * @return empty as long as it does, and after it was closed
   */
  public Optional<NetlinkException> failure() {
    return Optional.ofNullable(failure);
  }

  private void run() {
    try {
      while (true) {
        LinkSnapshot before = snapshot;
        LinkSnapshot after = next(before);
        if (after != before) {
          snapshot = after;
          listeners.forEach(listener -> tell(listener, before, after));
        }
      }
    } catch (NetlinkException.Closed e) {
      // the one way to end it
    } catch (NetlinkException e) {
      failure = e;
      route.close();
      monitor.close();
    }
  }

  private LinkSnapshot next(LinkSnapshot before) throws NetlinkException {
    try {
      List<RouteEvent> events = monitor.await(FOR_LONG);
      return events.isEmpty() ? before : before.with(events);
    } catch (NetlinkException.Overrun | NetlinkException.Malformed e) {
      return listAgain();
    }
  }

  /**
   * Links that change too fast to be listed are tried again: their cache has nothing better to do.
   */
  private LinkSnapshot listAgain() throws NetlinkException {
    while (true) {
      dropOlder();
      try {
        return LinkSnapshot.of(route.links().list(LinkQuery.full()));
      } catch (NetlinkException.DumpInterrupted e) {
        Thread.onSpinWait();
      }
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

  private static void tell(Listener listener, LinkSnapshot before, LinkSnapshot after) {
    try {
      listener.changed(before, after);
    } catch (RuntimeException e) {
      Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
      if (handler != null) {
        handler.uncaughtException(Thread.currentThread(), e);
      }
    }
  }

  /** Ends it; the last snapshot stays. */
  @Override
  public void close() {
    monitor.close();
    route.close();
  }
}
