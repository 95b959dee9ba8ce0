package io.dra4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures what reading links costs in the network namespace that it runs in: elapsed time, and
 * processor time of the whole process, which JMH does not report. Prints one line of JSON, as the
 * Go and C programs beside it do.
 */
public final class LinkTime {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private LinkTime() {}

  /** A measured operation; returns how many links it read. */
  @FunctionalInterface
  private interface Reading {
    int read() throws NetlinkException;
  }

  /**
   * Runs the measurement.
   *
   * @param args the link to read alone, and for how many seconds to do each of the five things
   * @throws NetlinkException if the kernel refuses
   */
  public static void main(String[] args) throws NetlinkException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected LINK SECONDS");
    }
    String name = args[0];
    long seconds = Long.parseLong(args[1]);
    try (RouteNetlink route = RouteNetlink.open()) {
      System.out.printf(
          Locale.ROOT,
          "{\"links\":%d,\"full\":%s,\"lean\":%s,\"byName\":%s,\"fullAlone\":%s,\"byNameAlone\":%s}%n",
          route.links().list().size(),
          measure(seconds, () -> route.links().list().size()),
          measure(seconds, () -> route.links().list(LinkQuery.lean()).size()),
          measure(seconds, () -> route.links().get(name).index()),
          measure(seconds, LinkTime::listAlone),
          measure(seconds, () -> getAlone(name)));
    }
  }

  /** All links, by a socket of its own. */
  private static int listAlone() throws NetlinkException {
    try (RouteNetlink route = RouteNetlink.open()) {
      return route.links().list().size();
    }
  }

  /** One link, by a socket of its own. */
  private static int getAlone(String name) throws NetlinkException {
    try (RouteNetlink route = RouteNetlink.open()) {
      return route.links().get(name).index();
    }
  }

  private static String measure(long seconds, Reading reading) throws NetlinkException {
    long[] elapsed = new long[1 << 20];
    repeat(seconds, reading, elapsed); // to warm up
    long processor = PROCESS.getProcessCpuTime();
    int rounds = repeat(seconds, reading, elapsed);
    processor = PROCESS.getProcessCpuTime() - processor;
    Arrays.sort(elapsed, 0, rounds);
    return "{\"rounds\":%d,\"minNanos\":%d,\"p10Nanos\":%d,\"cpuMeanNanos\":%d}"
        .formatted(rounds, elapsed[0], elapsed[rounds / 10], processor / rounds);
  }

  private static int repeat(long seconds, Reading reading, long[] elapsed) throws NetlinkException {
    long end = System.nanoTime() + seconds * 1_000_000_000;
    int rounds = 0;
    do {
      long before = System.nanoTime();
      if (reading.read() == 0) {
        throw new IllegalStateException("nothing was read");
      }
      elapsed[rounds] = System.nanoTime() - before;
    } while (++rounds < elapsed.length && System.nanoTime() < end);
    return rounds;
  }
}
