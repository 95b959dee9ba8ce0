package io.dra4j.benchmarks;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.LinkStates;
import io.dra4j.netlink.state.Restoration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Measures how long it takes to capture a link with 10 addresses and 100 routes, and to restore
 * them after they were lost, beside {@code ip -batch} that sets the same; in a network namespace of
 * its own. Prints one line of JSON.
 */
public final class LinkStateTime {

  private LinkStateTime() {}

  /**
   * Runs the measurement.
   *
   * @param args how often to restore, and a directory for the lines of {@code ip}
   * @throws IOException if the kernel refuses
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected RUNS DIRECTORY");
    }
    int runs = Integer.parseInt(args[0]);
    Path lines = Files.writeString(Path.of(args[1]).resolve("ip-lines"), lines());
    try (NetworkNamespace namespace = NetworkNamespace.current();
        RouteNetlink route = RouteNetlink.open(namespace);
        LinkStates states = LinkStates.open(namespace)) {
      route.links().create(NewLink.veth("nic0", "other"));
      int index = route.links().get("nic0").index();
      route.links().change(route.links().get("other"), LinkSettings.none().up());
      route.links().change(LinkKey.of(index), LinkSettings.none().up());
      ip(lines);
      LinkState before = states.capture(LinkKey.of("nic0"));
      long[] capture = new long[runs];
      long[] restore = new long[runs];
      long[] batch = new long[runs];
      for (int i = -runs; i < runs; i++) { // as many again to warm up
        int at = Math.floorMod(i, runs);
        for (int warm = 0; warm < 20; warm++) {
          long from = System.nanoTime();
          states.capture(LinkKey.of("nic0"));
          capture[at] = System.nanoTime() - from;
        }
        lose(route, index);
        long from = System.nanoTime();
        Restoration restoration = states.restore(before, LinkKey.of("nic0"));
        restore[at] = System.nanoTime() - from;
        if (!restoration.isComplete()) {
          throw new IllegalStateException(restoration.toString());
        }
        lose(route, index);
        from = System.nanoTime();
        ip(lines);
        batch[at] = System.nanoTime() - from;
      }
      System.out.printf(
          Locale.ROOT,
          "{\"addresses\":10,\"routes\":100,\"captureNanos\":%d,\"restoreNanos\":%d,"
              + "\"ipBatchNanos\":%d}%n",
          median(capture),
          median(restore),
          median(batch));
    }
  }

  private static String lines() {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 10; i++) {
      lines.append("addr add 10.").append(i).append(".0.1/24 dev nic0\n");
    }
    for (int i = 0; i < 100; i++) {
      int network = 1 + i % 10;
      lines.append("route add 198.18.").append(i).append(".0/24 via 10.").append(network);
      lines.append(".0.9 dev nic0\n");
    }
    return lines.toString();
  }

  /** The routes go with the addresses. */
  private static void lose(RouteNetlink route, int index) throws IOException {
    for (var address : route.addresses().list(LinkKey.of(index))) {
      if (!address.address().address().isV6()) {
        route.addresses().delete(address);
      }
    }
  }

  private static void ip(Path lines) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("ip", "-batch", lines.toString()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("ip -batch failed");
    }
  }

  private static long median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
