package io.dra4j.rdma.health;

import io.dra4j.netlink.NetlinkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Signals that one of several sources has reported a change. Thread-safe. */
final class ChangeSignal implements AutoCloseable {

  /** Reports changes. Closing it ends a wait. */
  interface Source extends AutoCloseable {

    /** Waits for a change, at most for the timeout. Returns whether there was one. */
    boolean await(Duration timeout) throws NetlinkException;

    @Override
    void close();
  }

  /** Waits for a change, at most for the timeout. Returns whether there was one. */
  interface Waiting {
    boolean await(Duration timeout) throws NetlinkException;
  }

  /** Makes a source from a waiting operation and the action that ends it. */
  static Source source(Waiting waiting, Runnable closing) {
    return new Source() {
      @Override
      public boolean await(Duration timeout) throws NetlinkException {
        return waiting.await(timeout);
      }

      @Override
      public void close() {
        closing.run();
      }
    };
  }

  /** Starts a source. */
  interface Opener {

    /** Opens the source, or throws the reason why it cannot be opened. */
    Source open() throws NetlinkException;
  }

  private static final Duration LONG = Duration.ofMinutes(10);

  private final Semaphore signals = new Semaphore(0);
  private final List<Source> sources = new ArrayList<>();

  /** Listens to a source on a separate thread. The source is closed with this object. */
  void listen(String name, Source source, Consumer<String> warnings) {
    sources.add(source);
    Thread thread = new Thread(() -> listen(source, name, warnings), "dra4j-rdma-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Listens to a source that the kernel may not support or not allow. */
  void listenIfAllowed(String name, Opener opener, Consumer<String> warnings)
      throws NetlinkException {
    try {
      listen(name, opener.open(), warnings);
    } catch (NetlinkException.Unsupported e) { // there are no changes to report
    } catch (NetlinkException.PermissionDenied e) {
      warnings.accept(byPolling(name, e));
    }
  }

  private void listen(Source source, String name, Consumer<String> warnings) {
    while (true) {
      try {
        if (source.await(LONG)) {
          signals.release();
        }
      } catch (NetlinkException.Overrun e) { // events were lost, so there was a change
        signals.release();
      } catch (NetlinkException.Closed e) {
        return;
      } catch (NetlinkException e) {
        warnings.accept(byPolling(name, e));
        return;
      }
    }
  }

  private static String byPolling(String name, NetlinkException e) {
    return "changes of " + name + " are detected by polling only: " + e.getMessage();
  }

  /** Waits for a signal. Returns whether there was one. */
  boolean await(Duration timeout) throws InterruptedException {
    return signals.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Discards the signals so far. */
  void clear() {
    signals.drainPermits();
  }

  /** Signals a change that no source has reported. */
  void signal() {
    signals.release();
  }

  @Override
  public void close() {
    sources.forEach(Source::close);
  }
}
