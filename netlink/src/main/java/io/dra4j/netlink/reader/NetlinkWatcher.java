package io.dra4j.netlink.reader;

import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaMonitor;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteEvent;
import io.dra4j.netlink.route.RouteMonitor;
import io.dra4j.netlink.uevent.DeviceEvent;
import io.dra4j.netlink.uevent.DeviceMonitor;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reports changes of this host that the kernel reports: links, addresses and default routes of this
 * process' network namespace; devices of buses and classes that drivers use, and the drivers bound
 * to them; RDMA devices, if the kernel reports them (Linux 6.12).
 *
 * <p>A captured host does not change. On the module path {@link java.util.ServiceLoader} does not
 * find this class; see {@link NetlinkReader}.
 */
@SuppressWarnings("exports") // users of this class have spi; other users must not need it
public final class NetlinkWatcher implements HostWatcher {

  private static final Duration LONG = Duration.ofHours(1);

  /**
   * The watched subsystems; others, such as block, cgroups and queues, change thousands of times.
   */
  private static final Set<String> SUBSYSTEMS =
      Set.of("pci", "net", "infiniband", "infiniband_verbs", "drm", "accel", "nvme", "vfio", "cxl");

  private static final Set<String> ACTIONS = Set.of("add", "remove", "move", "bind", "unbind");

  /** Creates a watcher. */
  public NetlinkWatcher() {}

  @Override
  public String name() {
    return "netlink";
  }

  @Override
  public Watch watch(Host host, Listener listener) throws IOException {
    Watching watching = new Watching(listener);
    if (!host.isLive()) {
      return watching;
    }
    try {
      RouteMonitor routes =
          RouteMonitor.open(Set.of(ObjectKind.LINK, ObjectKind.ADDRESS, ObjectKind.ROUTE));
      watching.follow("route", routes, () -> report(routes.await(LONG), listener));
      DeviceMonitor devices = DeviceMonitor.open();
      watching.follow(
          "uevent", devices, () -> reportDevices(devices.await(LONG, Duration.ZERO), listener));
      try {
        RdmaMonitor rdma = RdmaMonitor.open();
        watching.follow(
            "rdma",
            rdma,
            () ->
                rdma.await(LONG)
                    .forEach(event -> listener.changed("RDMA device " + event.deviceName())));
      } catch (NetlinkException.Unsupported e) {
        // a kernel without RDMA has no RDMA devices
      }
    } catch (NativeUnavailableException e) {
      watching.close();
      throw new IOException("netlink: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      watching.close();
      throw e;
    }
    return watching;
  }

  static void report(List<RouteEvent> events, Listener listener) {
    for (RouteEvent event : events) {
      if (event.object() instanceof Link link) {
        listener.changed("link " + link.name());
      } else if (!(event.object() instanceof Route route)) {
        listener.changed("address");
      } else if (route.isDefault()) {
        listener.changed("default route");
      }
    }
  }

  static void reportDevices(List<DeviceEvent> events, Listener listener) {
    for (DeviceEvent event : events) {
      if (SUBSYSTEMS.contains(event.subsystem()) && ACTIONS.contains(event.action())) {
        listener.changed(event.action() + " " + event.path());
      }
    }
  }

  /** Waits for events and passes them on. */
  private interface Waiting {
    void run() throws NetlinkException;
  }

  /** The monitors of a host, each with a thread that ends when it is closed. */
  private static final class Watching implements Watch {

    private final Listener listener;
    private final List<AutoCloseable> monitors = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    private Watching(Listener listener) {
      this.listener = listener;
    }

    private void follow(String kind, AutoCloseable monitor, Waiting waiting) {
      monitors.add(monitor);
      Thread thread = new Thread(() -> run(kind, waiting), "dra4j-watch-" + kind);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }

    private void run(String kind, Waiting waiting) {
      while (!isClosed) {
        try {
          waiting.run();
        } catch (NetlinkException.Overrun e) {
          listener.changed(kind + " events were lost");
        } catch (NetlinkException | RuntimeException e) {
          if (!isClosed) {
            listener.lost("netlink " + kind + ": " + e.getMessage());
          }
          return;
        }
      }
    }

    @Override
    public void close() {
      isClosed = true;
      boolean interrupted = false;
      for (AutoCloseable monitor : monitors) {
        try {
          monitor.close();
        } catch (Exception e) { // none of them throws
          throw new IllegalStateException(e);
        }
      }
      for (Thread thread : threads) {
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
          try {
            thread.join();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
