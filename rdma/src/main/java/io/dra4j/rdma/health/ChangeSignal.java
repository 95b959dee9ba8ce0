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

  /** What reports changes, and ends waiting when it is closed. */
  interface Source extends AutoCloseable {

    /** Waits until something changes; whether something has. */
    boolean await(Duration timeout) throws NetlinkException;

    @Override
    void close();
  }

  /** Waits until something changes; whether something has. */
  interface Waiting {
    boolean await(Duration timeout) throws NetlinkException;
  }

  /** A source of what waits for changes, and what ends that. */
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

    /** Opens it, or throws why it cannot be. */
    Source open() throws NetlinkException;
  }

  private static final Duration LONG = Duration.ofMinutes(10);

  private final Semaphore signals = new Semaphore(0);
  private final List<Source> sources = new ArrayList<>();

  /** Listens to a source, which is closed with this object, on a thread of its own. */
  void listen(String name, Source source, Consumer<String> warnings) {
    sources.add(source);
    Thread thread = new Thread(() -> listen(source, name, warnings), "dra4j-rdma-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Listens to an optional source: the kernel may not have it, or not allow it. */
  void listenIfAllowed(String name, Opener opener, Consumer<String> warnings)
      throws NetlinkException {
    try {
      listen(name, opener.open(), warnings);
    } catch (NetlinkException.Unsupported e) { // there is nothing to report yet
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
      } catch (NetlinkException.Overrun e) { // something was lost, so something has changed
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
    return "changes of " + name + " are seen by polling only: " + e.getMessage();
  }

  /** Waits for a signal; whether there was one. */
  boolean await(Duration timeout) throws InterruptedException {
    return signals.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Forgets the signals so far. */
  void clear() {
    signals.drainPermits();
  }

  /** Signals without a source. */
  void signal() {
    signals.release();
  }

  @Override
  public void close() {
    sources.forEach(Source::close);
  }
}
