package io.dra4j.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until another process releases the store, and opens it for this process. */
final class Takeover implements AutoCloseable {

  /** Takes over a store. */
  interface Taking {
    void take(ClaimStore store) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
  private static final long PAUSE_MILLIS = 50;

  private final Path file;
  private final String boot;
  private final Deadline deadline;
  private final Duration limit;
  private final Taking taking;
  private final Thread thread;
  private volatile String why;
  private volatile boolean isOver;

  /**
   * Creates the wait for a store.
   *
   * @param why the reason why it cannot be opened now
   * @param limit the wait after which a problem is reported
   */
  Takeover(Path file, String boot, String why, Duration limit, Taking taking) {
    this.file = file;
    this.boot = boot;
    this.why = why;
    this.limit = limit;
    this.deadline = Deadline.after(limit);
    this.taking = taking;
    this.thread = new Thread(this::run, "dra4j-standby");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!isOver) {
      try {
        take(ClaimStore.open(file, boot));
        return;
      } catch (IOException | RuntimeException e) {
        why = String.valueOf(e.getMessage());
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return; // the takeover is closed
      }
    }
  }

  private void take(ClaimStore store) throws IOException {
    try {
      taking.take(store);
      isOver = true;
      LOG.atInfo().log("end of standby: took over the store {}", file);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The reason why this process is on standby. */
  String reason() {
    return "standby: " + why;
  }

  /** The problem that the other process keeps the store for too long; null before the limit. */
  @Nullable String problem() {
    return isOver || !deadline.hasPassed()
        ? null
        : "standby for more than %d s: %s".formatted(limit.toSeconds(), why);
  }

  @Override
  public void close() {
    isOver = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
