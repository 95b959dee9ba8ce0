package io.dra4j.dranet;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteEvent;
import io.dra4j.netlink.route.RouteMonitor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the links of a claim in the network namespace of its pod, on a thread of its own. It
 * reports that a link has changed, for example lost its carrier, but not its new state: {@link
 * NetworkHealth} reads that. Links that the pod creates itself are ignored.
 */
final class PodWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);
  private static final Duration LONG = Duration.ofHours(1);

  private final PodNamespaces.Attachment attachment;
  private final NetworkNamespace namespace;
  private final Consumer<String> changed;
  private final Thread thread;
  private volatile boolean isClosed;

  private PodWatch(
      PodNamespaces.Attachment attachment, NetworkNamespace namespace, Consumer<String> changed) {
    this.attachment = attachment;
    this.namespace = namespace;
    this.changed = changed;
    this.thread = new Thread(this::run, "dra4j-watch-pod");
    thread.setDaemon(true);
  }

  /**
   * Starts a thread that watches, and returns at once: attaching does not wait for a socket. The
   * thread reports once when it begins, to cover changes before that.
   *
   * @param changed receives descriptions of the changes, for logs
   * @throws LinuxException if the process has no file descriptor left
   */
  static PodWatch open(PodNamespaces.Attachment attachment, Consumer<String> changed)
      throws LinuxException {
    PodWatch watch = new PodWatch(attachment, attachment.namespace().duplicate(), changed);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try (namespace;
        RouteMonitor monitor = RouteMonitor.open(namespace, Set.of(ObjectKind.LINK))) {
      namespace.close(); // the socket keeps the namespace alive
      changed.accept("watching the links of pod %s".formatted(attachment.sandbox()));
      while (!isClosed) {
        try {
          report(monitor.await(LONG));
        } catch (NetlinkException.Overrun e) {
          changed.accept("link events of pod %s were lost".formatted(attachment.sandbox()));
        }
      }
    } catch (IOException | RuntimeException e) {
      if (!isClosed) {
        LOG.warn(
            "cannot watch the network interfaces of pod {}; changes are detected by polling"
                + " only: {}",
            attachment.sandbox(),
            e.getMessage());
      }
    }
  }

  private void report(List<RouteEvent> events) {
    for (RouteEvent event : events) {
      if (event.object() instanceof Link link && isOfClaim(link)) {
        changed.accept("link %s in pod %s".formatted(link.name(), attachment.sandbox()));
        return; // one report is enough for all
      }
    }
  }

  /** Returns whether the link is of the claim: it has the planned name or is (renamed) hardware. */
  private boolean isOfClaim(Link link) {
    return !link.parentDevice().isEmpty()
        || attachment.devices().stream().anyMatch(one -> one.podName().equals(link.name()));
  }

  /** Ends watching soon after it returns: detaching does not wait for the socket to close. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
