package io.dra4j.benchmarks;

import com.sun.management.ThreadMXBean;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures the processor time of reading links in the network namespace that it runs in, where JMH
 * tells elapsed time, which other work on the machine makes longer. Prints one line of JSON, as the
 * Go and C programs beside it do.
 */
public final class LinkTime {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private LinkTime() {}

  /** Something to measure; tells how many links it read. */
  @FunctionalInterface
  private interface Reading {
    int read() throws NetlinkException;
  }

  /**
   * Runs the measurement.
   *
   * @param args the link to read alone, and for how many seconds to do each of the three things
   * @throws NetlinkException if the kernel refuses
   */
  public static void main(String[] args) throws NetlinkException {
    if (args.length != 2) {
      throw new IllegalArgumentException("want LINK SECONDS");
    }
    String name = args[0];
    long seconds = Long.parseLong(args[1]);
    try (RouteNetlink route = RouteNetlink.open()) {
      System.out.printf(
          Locale.ROOT,
          "{\"links\":%d,\"full\":%s,\"lean\":%s,\"byName\":%s}%n",
          route.links().list().size(),
          measure(seconds, () -> route.links().list().size()),
          measure(seconds, () -> route.links().list(LinkQuery.lean()).size()),
          measure(seconds, () -> route.links().get(name).index()));
    }
  }

  private static String measure(long seconds, Reading reading) throws NetlinkException {
    repeat(seconds, reading, new long[1 << 20]); // to warm up
    long[] processor = new long[1 << 20];
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    int rounds = repeat(seconds, reading, processor);
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    Arrays.sort(processor, 0, rounds);
    return "{\"rounds\":%d,\"cpuMinNanos\":%d,\"cpuP10Nanos\":%d,\"bytes\":%d}"
        .formatted(rounds, processor[0], processor[rounds / 10], allocated / rounds);
  }

  private static int repeat(long seconds, Reading reading, long[] processor)
      throws NetlinkException {
    long end = System.nanoTime() + seconds * 1_000_000_000;
    int rounds = 0;
    do {
      long before = THREADS.getCurrentThreadCpuTime();
      if (reading.read() == 0) {
        throw new IllegalStateException("nothing was read");
      }
      processor[rounds] = THREADS.getCurrentThreadCpuTime() - before;
    } while (++rounds < processor.length && System.nanoTime() < end);
    return rounds;
  }
}
