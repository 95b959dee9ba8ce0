package io.dra4j.spi;

import java.io.IOException;

/**
 * Notices that something on the host has changed, so that it is worth reading again. It does not
 * say what the host looks like now: that is for {@linkplain TopologyReader readers}.
 *
 * <p>Watchers are found by {@link java.util.ServiceLoader} and need a public constructor without
 * parameters.
 */
public interface HostWatcher {

  /**
   * Names what it listens to, in one word.
   *
   * @return for example {@code netlink}
   */
  String name();

  /**
   * Begins to watch a host. Every change after this has returned is reported. A captured host does
   * not change: there the watch never reports anything.
   *
   * @param host the host
   * @param listener hears of changes, on a thread of the watch, until the watch is closed
   * @return the watch; close it to end
   * @throws IOException if the host cannot be watched; the message says what, why, and what would
   *     help
   */
  Watch watch(Host host, Listener listener) throws IOException;

  /** A host that is being watched. */
  interface Watch extends AutoCloseable {

    /** Ends watching. The listener is not called after this has returned. Safe to repeat. */
    @Override
    void close();
  }

  /** Hears of changes. Its methods return at once and do not throw. */
  interface Listener {

    /**
     * Something has changed: the host is worth reading again. Watchers report each change and leave
     * it to the listener to wait for quiet.
     *
     * @param what what changed, for logs, for example {@code link eth1}
     */
    void changed(String what);

    /**
     * The watch is over, because it cannot go on. Nothing is reported any more until a caller
     * watches anew; changes since then are unknown, so the host is worth reading.
     *
     * @param why what happened
     */
    void lost(String why);
  }
}
