package io.dra4j.benchmarks.netlink;

import com.sun.management.ThreadMXBean;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteEvent;
import io.dra4j.netlink.route.RouteMonitor;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Lists the links of a namespace, in turns with a program in Go and one in C: whoever else uses the
 * machine slows all three. Every figure is the best of its turns.
 */
public final class LinkComparison {

  private static final int TURNS = 12;
  private static final int WARM_UP = 3;
  private static final int SINGLES = 500;

  private final String floor;
  private final String go;
  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private LinkComparison(String floor, String go, NetworkNamespace namespace, RouteNetlink route) {
    this.floor = floor;
    this.go = go;
    this.namespace = namespace;
    this.route = route;
  }

  /**
   * Compares.
   *
   * @param arguments the program in C, the program in Go, then numbers of links
   * @throws IOException if the kernel refuses
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println(
        "| Links | What | C floor | Go | dra4j | dra4j / C | Go / dra4j | B per link |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (String links : Arrays.asList(arguments).subList(2, arguments.length)) {
      try (NetworkNamespace namespace = NetworkNamespace.create();
          RouteNetlink route = RouteNetlink.open(namespace)) {
        int count = Integer.parseInt(links);
        for (int i = 0; i < count / 2; i++) {
          route.links().create(NewLink.veth("va" + i, "vb" + i));
        }
        new LinkComparison(arguments[0], arguments[1], namespace, route).compare(count);
      }
    }
    namespaces();
    notifications();
  }

  private void compare(int links) throws IOException {
    int rounds = Math.max(60, 60_000 / links);
    Turn full = new Turn();
    Turn lean = new Turn();
    Turn one = new Turn();
    double goFull = Double.MAX_VALUE;
    double goOne = Double.MAX_VALUE;
    double floorFull = Double.MAX_VALUE;
    double floorLean = Double.MAX_VALUE;
    for (int turn = 0; turn < TURNS; turn++) {
      floorFull = Math.min(floorFull, run(floor, rounds, "1"));
      floorLean = Math.min(floorLean, run(floor, rounds, "8"));
      goFull = Math.min(goFull, run(go, rounds, "full"));
      goOne = Math.min(goOne, run(go, SINGLES, "one"));
      boolean counts = turn >= WARM_UP;
      full.take(rounds, counts, () -> route.links().list(LinkQuery.full()));
      lean.take(rounds, counts, () -> route.links().list(LinkQuery.lean()));
      one.take(SINGLES, counts, () -> route.links().get("lo"));
    }
    print(links, "all, full", floorFull, goFull, full.best, full.bytes / links);
    print(links, "all, lean", floorLean, goFull, lean.best, lean.bytes / links);
    print(links, "one by name", 0, goOne, one.best, one.bytes);
  }

  private static void print(
      int links, String what, double c, double other, double mine, double bytes) {
    System.out.printf(
        Locale.ROOT,
        "| %d | %s | %s | %.1f µs | %.1f µs | %s | %.2f | %.0f |%n",
        links,
        what,
        c > 0 ? String.format(Locale.ROOT, "%.1f µs", c) : "",
        other,
        mine,
        c > 0 ? String.format(Locale.ROOT, "%.2f", mine / c) : "",
        other / mine,
        bytes);
  }

  /** The minimum that a program prints. */
  private double run(String program, int rounds, String what) throws IOException {
    return namespace.call(
        () -> {
          Process process =
              new ProcessBuilder(program, Integer.toString(rounds), what)
                  .redirectError(ProcessBuilder.Redirect.INHERIT)
                  .start();
          String output =
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          if (process.waitFor() != 0) {
            throw new IOException(program + " failed");
          }
          return Double.parseDouble(output.split(" ", -1)[0]);
        });
  }

  /** Opening a namespace, a socket in it, and closing both. */
  private static void namespaces() throws IOException {
    long[] times = new long[2_000];
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      String path = "/proc/self/fd/" + namespace.descriptor().number();
      for (int i = 0; i < times.length; i++) {
        long start = System.nanoTime();
        try (NetworkNamespace opened = NetworkNamespace.open(Path.of(path));
            NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE, opened)) {
          times[i] = socket.hashCode(); // used
        }
        times[i] = System.nanoTime() - start;
      }
    }
    percentiles("namespace and socket, open and close", times);
  }

  /** From the request of a change to the return of the monitor that waited for it. */
  private static void notifications() throws IOException {
    long[] times = new long[3_000];
    try (NetworkNamespace namespace = NetworkNamespace.create();
        RouteNetlink route = RouteNetlink.open(namespace);
        RouteMonitor monitor = RouteMonitor.open(namespace, Set.of(RouteEvent.Topic.LINKS))) {
      Thread changes =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < times.length + 10; i++) {
                    Thread.sleep(1);
                    times[Math.min(i, times.length - 1)] = System.nanoTime();
                    route
                        .links()
                        .change(
                            1,
                            (i & 1) == 0 ? LinkSettings.none().up() : LinkSettings.none().down());
                  }
                } catch (IOException | InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      changes.setDaemon(true);
      changes.start();
      long[] taken = new long[times.length - 1];
      int seen = 0;
      while (seen < taken.length) {
        int events = monitor.await(Duration.ofSeconds(5)).size();
        long now = System.nanoTime();
        for (int i = 0; i < events && seen < taken.length; i++, seen++) {
          taken[seen] = now - times[seen];
        }
        if (events == 0) {
          throw new IOException("no notification");
        }
      }
      percentiles("change to notification", Arrays.copyOfRange(taken, 500, taken.length));
    }
  }

  private static void percentiles(String what, long[] times) {
    Arrays.sort(times);
    System.out.printf(
        Locale.ROOT,
        "%n%s: min %.0f µs, p50 %.0f µs, p99 %.0f µs%n",
        what,
        times[0] / 1e3,
        times[times.length / 2] / 1e3,
        times[times.length * 99 / 100] / 1e3);
  }

  /** Work that may fail. */
  @FunctionalInterface
  private interface Work {
    Object run() throws IOException;
  }

  /** What has been measured so far. */
  private final class Turn {

    private double best = Double.MAX_VALUE;
    private double bytes;

    void take(int rounds, boolean counts, Work work) throws IOException {
      long before = thread.getCurrentThreadAllocatedBytes();
      int sum = 0;
      for (int i = 0; i < rounds; i++) {
        long start = System.nanoTime();
        sum += System.identityHashCode(work.run()) & 1; // so that it is not left out
        long time = System.nanoTime() - start;
        if (counts) {
          best = Math.min(best, time / 1e3);
        }
      }
      bytes = (double) (thread.getCurrentThreadAllocatedBytes() - before) / rounds;
      if (sum < 0) {
        throw new IllegalStateException();
      }
    }
  }
}
