package io.dra4j.benchmarks;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkCache;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Asks the kernel again and again and fails if file descriptors, threads or memory outside the heap
 * grow. The heap has to be of a fixed size and touched ({@code -Xms64m -Xmx64m
 * -XX:+AlwaysPreTouch}), so that what grows is not the heap.
 */
public final class NetlinkSoak {

  private static final int CHECKS = 10;
  private static final int WARM_UP = 3;

  /** After so many dumps the socket is closed and another one opened. */
  private static final int DUMPS_PER_SOCKET = 100;

  /** What may still be taken after warming up; with a million dumps 8 bytes per dump. */
  private static final long MAX_GROWTH = 8 << 20;

  private NetlinkSoak() {}

  /** What this process holds. */
  private record Holdings(long descriptors, long directBuffers, int threads, long resident) {

    static Holdings now() throws IOException, InterruptedException {
      BufferPoolMXBean direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .findFirst()
              .orElseThrow();
      for (int i = 0; i < 5; i++) { // the buffers of closed sockets
        System.gc();
        Thread.sleep(100);
      }
      return new Holdings(
          descriptorCount(),
          direct.getCount(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          residentBytes());
    }

    private static long descriptorCount() throws IOException {
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return open.count();
      }
    }

    private static long residentBytes() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
      throw new IOException("no VmRSS in /proc/self/status");
    }

    boolean isMoreThan(Holdings before) {
      return descriptors > before.descriptors
          || directBuffers > before.directBuffers
          || threads > before.threads
          || resident - before.resident > MAX_GROWTH;
    }

    void print(long dumps) {
      System.out.printf(
          Locale.ROOT,
          "| %,d | %d | %d | %d | %,d KiB |%n",
          dumps,
          descriptors,
          directBuffers,
          threads,
          resident >> 10);
    }
  }

  /**
   * Runs the soak; the exit status is 1 if anything grew.
   *
   * @param args how many dumps
   * @throws IOException if the kernel refuses
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1) {
      throw new IllegalArgumentException("expected DUMPS");
    }
    long dumps = Long.parseLong(args[0]);
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      try (RouteNetlink route = RouteNetlink.open(namespace)) {
        route.links().create(NewLink.veth("veth0", "veth1"));
      }
      System.out.println("| Dumps | Descriptors | Direct buffers | Threads | Resident |");
      System.out.println("|---|---|---|---|---|");
      long part = dumps / CHECKS;
      dump(namespace, WARM_UP * part); // compilers and the C library settle
      Holdings.now(); // looking needs a buffer, too
      Holdings before = Holdings.now();
      Holdings after = before;
      before.print(0);
      for (int i = 1; i <= CHECKS; i++) {
        dump(namespace, part);
        after = Holdings.now();
        after.print(part * i);
      }
      boolean more = after.isMoreThan(before);
      System.out.printf(
          Locale.ROOT,
          "soak: %,d dumps, %s: descriptors %+d, direct buffers %+d, threads %+d, resident %+d KiB%n",
          dumps,
          more ? "something grew" : "nothing grew",
          after.descriptors - before.descriptors,
          after.directBuffers - before.directBuffers,
          after.threads - before.threads,
          (after.resident - before.resident) >> 10);
      if (more) {
        System.exit(1);
      }
    }
  }

  private static void dump(NetworkNamespace namespace, long count) throws IOException {
    for (long i = 0; i < count; ) {
      try (RouteNetlink route = RouteNetlink.open(namespace);
          LinkCache cache = LinkCache.follow(namespace)) {
        for (int j = 0; j < DUMPS_PER_SOCKET && i < count; j++, i++) {
          dump(route, j);
        }
        if (cache.snapshot().links().size() != 3) {
          throw new IllegalStateException("expected 3 links, found " + cache.snapshot());
        }
      }
    }
  }

  private static void dump(RouteNetlink route, int kind) throws NetlinkException {
    ObjectKind[] kinds = ObjectKind.values();
    int choice = kind % (kinds.length + 2);
    if (choice < kinds.length) {
      route.list(kinds[choice]);
    } else {
      route.links().list(LinkQuery.lean());
    }
    if (kind == 7 && route.links().find("none").isPresent()) { // a refusal
      throw new IllegalStateException("found a link that is not there");
    }
  }
}
