package io.dra4j.kubernetes;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes watches that the API server should have ended: their connections were lost without notice.
 * It also finds which watches are healthy.
 */
final class Watchdog implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final long INTERVAL_MILLIS = 1000;

  private final List<ResourceFollower> followers;

  Watchdog(List<ResourceFollower> followers) {
    this.followers = List.copyOf(followers);
  }

  /** Checks the watches each second until the thread is interrupted. */
  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(INTERVAL_MILLIS);
        for (ResourceFollower one : followers) {
          try {
            one.look(System.nanoTime());
          } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("checking a watch failed");
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
