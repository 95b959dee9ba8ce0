package io.dra4j.benchmarks;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkCache;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long after a link was changed a listener of {@link LinkCache} is called, in the
 * network namespace that it runs in. The clock starts before the request to change it and so
 * includes the change. Prints one line of JSON.
 */
public final class NotificationTime {

  private NotificationTime() {}

  /** What the listener saw. */
  private record Heard(int mtu, long nanos) {}

  /**
   * Runs the measurement.
   *
   * @param args the link to change, and how often
   * @throws IOException if the kernel refuses
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected LINK CHANGES");
    }
    String name = args[0];
    int changes = Integer.parseInt(args[1]);
    BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(64);
    try (RouteNetlink route = RouteNetlink.open();
        LinkCache cache = LinkCache.follow()) {
      Link link = route.links().get(name);
      cache.listen(
          (before, after) -> {
            long now = System.nanoTime();
            after.find(name).ifPresent(changed -> heard.add(new Heard(changed.mtu(), now)));
          });
      long[] took = new long[changes];
      for (int i = -changes; i < changes; i++) { // as many again to warm up
        took[Math.floorMod(i, changes)] = change(route, link, 1_280 + (i & 1), heard);
      }
      Arrays.sort(took);
      System.out.printf(
          Locale.ROOT,
          "{\"changes\":%d,\"p50Nanos\":%d,\"p99Nanos\":%d,\"maxNanos\":%d}%n",
          changes,
          took[changes / 2],
          took[changes - 1 - changes / 100],
          took[changes - 1]);
    }
  }

  private static long change(RouteNetlink route, Link link, int mtu, BlockingQueue<Heard> heard)
      throws IOException, InterruptedException {
    long from = System.nanoTime();
    route.links().change(link, LinkSettings.none().mtu(mtu));
    while (true) {
      Heard next = heard.poll(10, TimeUnit.SECONDS);
      if (next == null) {
        throw new IllegalStateException("no notification of MTU " + mtu);
      }
      if (next.mtu() == mtu) {
        return next.nanos() - from;
      }
    }
  }
}
