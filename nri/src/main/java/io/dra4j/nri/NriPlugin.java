package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import io.dra4j.nri.ttrpc.TtrpcConnection;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that stays connected to a container runtime: it registers, answers calls, and reconnects
 * after the connection has ended, without limit and with increasing pauses.
 *
 * <pre>{@code
 * try (NriPlugin plugin = NriPlugin.builder("example", 10, handler).start()) {
 *   plugin.awaitSynchronized(Duration.ofSeconds(30));
 * }
 * }</pre>
 *
 * <p>Each call is answered within three quarters of the runtime's time for requests, with an error
 * if the handler has not finished. A runtime without an answer would close the connection and let
 * the pod start.
 */
public final class NriPlugin implements AutoCloseable {
  /** The socket of a container runtime by default. */
  public static final Path DEFAULT_SOCKET = Path.of("/var/run/nri/nri.sock");

  private static final int MAX_QUEUED = 1024;
  private static final long REGISTRATION_SECONDS = 15;

  private final Builder options;
  private final String index;
  private final Session.Threads threads;
  private final Thread reader;
  private boolean closed;
  private boolean synced;
  private @Nullable SocketChannel channel;

  private NriPlugin(Builder options) {
    this.options = options;
    this.index = String.format("%02d", options.index);
    String prefix = "nri-" + options.name;
    this.threads =
        new Session.Threads(
            new FairPool(prefix + "-control", 1, 16),
            new FairPool(prefix + "-handler", options.threads, MAX_QUEUED),
            timer(prefix + "-deadlines"),
            timer(prefix + "-watchdog"));
    this.reader = new Thread(this::run, prefix + "-reader");
    reader.setDaemon(true);
  }

  private static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /**
   * {@return a builder of a plugin}
   *
   * @param name the name of the plugin, not empty
   * @param index the position among a runtime's plugins, 0 to 99; lower ones are called first
   * @param handler the handler of events
   * @throws IllegalArgumentException if {@code name} is blank or {@code index} is out of range
   */
  public static Builder builder(String name, int index, NriHandler handler) {
    return new Builder(name, index, handler);
  }

  /** {@return whether the plugin is connected and its handler has processed the runtime's state} */
  public synchronized boolean isSynchronized() {
    return synced;
  }

  /**
   * Waits until the plugin is connected and its handler has processed the state of the runtime.
   *
   * @param timeout the longest wait
   * @return false if the time is over
   * @throws InterruptedException if the thread is interrupted
   */
  public synchronized boolean awaitSynchronized(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (!synced && !closed) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return synced;
  }

  private void run() {
    Duration pause = options.minPause;
    while (!isClosed()) {
      String reason;
      boolean worked = false;
      try {
        connect();
        reason = "the runtime closed the connection to " + options.socket;
      } catch (IOException | RuntimeException e) {
        reason = options.socket + ": " + (e.getMessage() == null ? e : e.getMessage());
      } catch (
          Error e) { // the next connection may work; without a connection the node has no plugin
        reason = options.socket + ": " + e;
      }
      synchronized (this) {
        worked = synced;
        synced = false;
        channel = null;
      }
      if (worked) {
        pause = options.minPause;
      }
      try {
        options.handler.disconnected(reason, isClosed() ? Duration.ZERO : pause);
      } catch (Throwable e) {
        // A handler that fails here must not end the plugin.
      }
      rest(pause);
      pause = pause.multipliedBy(2);
      if (pause.compareTo(options.maxPause) > 0) {
        pause = options.maxPause;
      }
    }
  }

  private void connect() throws IOException {
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      synchronized (this) {
        if (closed) {
          return;
        }
        channel = socket;
      }
      socket.connect(UnixDomainSocketAddress.of(options.socket));
      new Connection(socket).run();
    }
  }

  /** A connection to the runtime, and the reason why the plugin itself has closed it. */
  private final class Connection {

    private final SocketChannel socket;
    private volatile boolean isSilent;
    private volatile @Nullable String refusal;

    Connection(SocketChannel socket) {
      this.socket = socket;
    }

    /** Registers the plugin, and serves calls until the connection ends. */
    void run() throws IOException {
      Future<?> registration =
          threads.watchdog().schedule(this::giveUp, REGISTRATION_SECONDS, TimeUnit.SECONDS);
      TtrpcConnection connection =
          new TtrpcConnection(
              socket,
              socket,
              socket,
              threads.watchdog(),
              new Session(
                  options.handler,
                  threads,
                  () -> {
                    registration.cancel(false);
                    synchronize(socket);
                  }));
      try {
        Session.register(connection, options.name, index, this::refused);
        connection.run();
      } catch (IOException e) {
        throw explained(e);
      } finally {
        registration.cancel(false);
      }
    }

    private void giveUp() {
      isSilent = true;
      closeQuietly(socket);
    }

    private void refused(String error) {
      refusal = "the runtime refused the plugin: " + error;
      closeQuietly(socket);
    }

    private IOException explained(IOException e) {
      if (isSilent) {
        return new IOException(
            "the plugin is not synchronized after " + REGISTRATION_SECONDS + " s", e);
      }
      String reason = refusal;
      return reason == null ? e : new IOException(reason, e);
    }
  }

  private synchronized void synchronize(SocketChannel of) {
    if (channel == of && !closed) {
      synced = true;
      notifyAll();
    }
  }

  private static void closeQuietly(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed nevertheless.
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void rest(Duration pause) {
    long end = System.nanoTime() + pause.toNanos();
    while (!closed) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * Ends the connection and opens a new one, so that the runtime reports all existing pods again:
   * for a handler that misses a sandbox. Does nothing while there is no connection.
   */
  public void reconnect() {
    SocketChannel open;
    synchronized (this) {
      open = closed ? null : channel;
    }
    if (open != null) {
      closeQuietly(open);
    }
  }

  /** Closes the connection permanently. Running handlers continue; waiting calls are dropped. */
  @Override
  public void close() {
    SocketChannel open;
    synchronized (this) {
      closed = true;
      synced = false;
      open = channel;
      notifyAll();
    }
    if (open != null) {
      closeQuietly(open);
    }
    threads.control().close();
    threads.handlers().close();
    threads.deadlines().shutdownNow();
    threads.watchdog().shutdownNow();
  }

  /** Collects the options of a plugin. */
  public static final class Builder {
    private final String name;
    private final int index;
    private final NriHandler handler;
    private Path socket = DEFAULT_SOCKET;
    private int threads = 8;
    private Duration minPause = Duration.ofMillis(100);
    private Duration maxPause = Duration.ofSeconds(5);

    private Builder(String name, int index, NriHandler handler) {
      this.name = requireNonNull(name, "name");
      this.index = index;
      this.handler = requireNonNull(handler, "handler");
      if (name.isBlank()) {
        throw new IllegalArgumentException(
            "name of the plugin: expected a name, found a blank string");
      }
      if (index < 0 || index > 99) {
        throw new IllegalArgumentException(
            "index of plugin " + name + ": expected 0 to 99, found " + index);
      }
    }

    /**
     * Sets the socket of the runtime; {@link NriPlugin#DEFAULT_SOCKET} by default.
     *
     * @param path the path of the socket, at most 107 bytes long
     * @return this builder
     * @throws IllegalArgumentException if the path is too long for a socket
     */
    public Builder socket(Path path) {
      requireNonNull(path, "path");
      int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
      if (length > 107) {
        throw new IllegalArgumentException(
            "socket " + path + ": expected a path of at most 107 bytes, found " + length);
      }
      this.socket = path;
      return this;
    }

    /**
     * Sets the number of pods that are handled at the same time; 8 by default.
     *
     * @param count the number of threads, 1 to 256
     * @return this builder
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public Builder threads(int count) {
      if (count < 1 || count > 256) {
        throw new IllegalArgumentException("threads: expected 1 to 256, found " + count);
      }
      this.threads = count;
      return this;
    }

    /**
     * Sets the pause before the plugin reconnects; 100 ms to 5 s by default. It doubles with each
     * attempt, and starts again once a connection was synchronized.
     *
     * @param min the first pause
     * @param max the longest pause
     * @return this builder
     * @throws IllegalArgumentException if {@code min} is not positive or longer than {@code max}
     */
    public Builder reconnectAfter(Duration min, Duration max) {
      requireNonNull(min, "min");
      requireNonNull(max, "max");
      if (min.isZero() || min.isNegative() || min.compareTo(max) > 0) {
        throw new IllegalArgumentException(
            "pauses: expected 0 < min <= max, found " + min + " and " + max);
      }
      this.minPause = min;
      this.maxPause = max;
      return this;
    }

    /**
     * Starts the plugin: returns once all classes are loaded, and connects in the background.
     *
     * @return the plugin
     */
    public NriPlugin start() {
      NriPlugin plugin = new NriPlugin(this);
      WarmUp.run(plugin.threads);
      plugin.reader.start();
      return plugin;
    }
  }
}
