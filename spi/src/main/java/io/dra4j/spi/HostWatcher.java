package io.dra4j.spi;

import java.io.IOException;

/**
 * Reports that something on a host has changed, so that the host should be read again. It does not
 * report the new state: {@linkplain TopologyReader readers} do that.
 *
 * <p>Watchers are found by {@link java.util.ServiceLoader} and need a public constructor without
 * parameters.
 */
public interface HostWatcher {

  /** {@return the name of the source that it watches, in one word, for example {@code netlink}} */
  String name();

  /**
   * Starts to watch a host. Every change after this method has returned is reported. A captured
   * host does not change, so its watch never reports anything.
   *
   * @param host the host
   * @param listener is notified of changes, on a thread of the watch, until the watch is closed
   * @return the watch; close it to stop
   * @throws IOException if watching fails; the message states the problem, the reason and a remedy
   */
  Watch watch(Host host, Listener listener) throws IOException;

  /** A host that is being watched. */
  interface Watch extends AutoCloseable {

    /** Stops watching. The listener is not called after this returns. Further calls do nothing. */
    @Override
    void close();
  }

  /** Is notified of changes. Its methods must return at once and must not throw. */
  interface Listener {

    /**
     * Called if something has changed, so that the host should be read again. Watchers report each
     * change; the listener decides how long to wait for further changes.
     *
     * @param what the object that changed, for logs, for example {@code link eth1}
     */
    void changed(String what);

    /**
     * Called if the watch has failed. It reports no further changes. Changes may have been missed,
     * so the host should be read after a new watch was started.
     *
     * @param why the reason
     */
    void lost(String why);
  }
}
