package io.dra4j.benchmarks;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.TopologyReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how long the runtime and the network driver take to prepare and attach links with two
 * addresses and three routes each, with everything on disk, beside {@code ip -batch} that takes the
 * same steps; how long it takes until they are home again; and how long discovery takes. In a
 * network namespace of its own. Prints one line of JSON.
 */
public final class DriverTime {

  private final NetworkNamespace host;
  private final NetworkNamespace pod;
  private final Path directory;

  private DriverTime(NetworkNamespace host, NetworkNamespace pod, Path directory) {
    this.host = host;
    this.pod = pod;
    this.directory = directory;
  }

  /**
   * Runs the measurement.
   *
   * @param args how many links, how often, and a directory
   * @throws Exception if the kernel or the driver refuses
   */
  public static void main(String[] args) throws Exception {
    if (args.length != 3) {
      throw new IllegalArgumentException("expected LINKS RUNS DIRECTORY");
    }
    int links = Integer.parseInt(args[0]);
    try (NetworkNamespace host = NetworkNamespace.current();
        NetworkNamespace pod = NetworkNamespace.create()) {
      new DriverTime(host, pod, Path.of(args[2])).measure(links, Integer.parseInt(args[1]));
    }
  }

  private void measure(int links, int runs) throws Exception {
    StringBuilder make = new StringBuilder();
    for (int i = 0; i < links; i++) {
      make.append("link add nic%d type veth peer name other%d%n".formatted(i, i));
      make.append("link set other%d up%n".formatted(i));
    }
    ip(write("make", make.toString()), List.of());
    Path away = write("away", away(0, links, pod));
    Path inside = write("inside", inside(0, links));
    Path back = write("back", back(0, links, host));
    List<String> enter = List.of("nsenter", "--net=" + path(pod));
    long[] prepare = new long[runs];
    long[] attach = new long[runs];
    long[] home = new long[runs];
    long[] batchHome = new long[runs];
    long[] batch = new long[runs];
    try (NetworkDriver driver =
            NetworkDriver.builder().namespace(host).filter((name, one) -> true).build();
        DriverRuntime runtime =
            DriverRuntime.builder()
                .driver(driver)
                .readers(TopologyReaders.of())
                .watchers(List.of())
                .store(directory.resolve("claims-" + links + "-" + System.nanoTime()))
                .discovery(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofHours(1))
                .build()) {
      runtime.start();
      for (int i = -runs; i < runs; i++) { // as many again to warm up
        int at = Math.floorMod(i, runs);
        ResourceClaim claim = claim(0, links, "uid-" + i);
        if (!runtime.rescan(Duration.ofMinutes(1))) { // ip has moved the links meanwhile
          throw new IllegalStateException("no discovery");
        }
        long from = System.nanoTime();
        runtime.prepare(claim);
        long prepared = System.nanoTime();
        runtime.attach("uid-" + i, Sandbox.of(Path.of(path(pod))));
        attach[at] = System.nanoTime() - prepared;
        prepare[at] = prepared - from;
        from = System.nanoTime();
        runtime.detach("uid-" + i, Sandbox.of(Path.of(path(pod))).id());
        home[at] = System.nanoTime() - from;
        runtime.unprepare("uid-" + i);
        from = System.nanoTime();
        ip(away, List.of());
        ip(inside, enter);
        batch[at] = System.nanoTime() - from;
        from = System.nanoTime();
        ip(back, enter);
        batchHome[at] = System.nanoTime() - from;
      }
      long[] total = new long[runs];
      Arrays.setAll(total, i -> prepare[i] + attach[i]);
      System.out.printf(
          Locale.ROOT,
          "{\"links\":%d,\"prepareNanos\":%d,\"attachNanos\":%d,\"bothNanos\":%d,"
              + "\"homeNanos\":%d,\"ipHomeNanos\":%d,\"ipBatchNanos\":%d,\"discoverNanos\":%d}%n",
          links,
          median(prepare),
          median(attach),
          median(total),
          median(home),
          median(batchHome),
          median(batch),
          discovery(driver, runs));
    }
  }

  /** Readers and driver; the first discovery, which loads classes, is not among them. */
  private static long discovery(NetworkDriver driver, int runs) {
    TopologyReaders readers = TopologyReaders.installed();
    long[] nanos = new long[runs];
    for (int i = -1; i < runs; i++) {
      long from = System.nanoTime();
      HostInventory inventory = readers.read(Host.live());
      List<Device> devices = driver.discover(inventory);
      if (devices.isEmpty()) {
        throw new IllegalStateException("no devices");
      }
      nanos[Math.max(i, 0)] = System.nanoTime() - from;
    }
    return median(nanos);
  }

  /** A claim of so many links from a first one on. */
  static ResourceClaim claim(int first, int links, String uid) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    List<DeviceAllocationConfiguration> configs = new ArrayList<>();
    for (int i = first; i < first + links; i++) {
      allocation.result(
          DeviceRequestAllocationResult.of("r" + i, new DeviceId("dra.net", "localhost", "nic" + i))
              .build());
      configs.add(
          new DeviceAllocationConfiguration(
              AllocationConfigSource.FROM_CLAIM,
              List.of("r" + i),
              new OpaqueDeviceConfiguration("dra.net", config(i))));
    }
    return ResourceClaim.named("rail")
        .metadata(new ObjectMeta("rail", "default", uid, Map.of(), Map.of()))
        .allocation(allocation.config(configs).build())
        .build();
  }

  private static String config(int link) {
    return """
        {"interface": {"name": "net%1$d", "mtu": 1400,
                       "addresses": ["10.%1$d.0.5/24", "2001:db8:%1$d::5/64"]},
         "routes": [{"destination": "198.18.%1$d.0/24", "gateway": "10.%1$d.0.1"},
                    {"destination": "198.19.%1$d.0/24", "gateway": "10.%1$d.0.1"},
                    {"destination": "2001:db8:f%1$d::/48", "gateway": "2001:db8:%1$d::1"}]}"""
        .formatted(link);
  }

  static String away(int first, int links, NetworkNamespace pod) {
    StringBuilder lines = new StringBuilder();
    for (int i = first; i < first + links; i++) {
      lines.append("link set nic%d down%n".formatted(i));
      lines.append("link set nic%d name net%d mtu 1400 netns %s%n".formatted(i, i, path(pod)));
    }
    return lines.toString();
  }

  static String inside(int first, int links) {
    StringBuilder lines = new StringBuilder();
    for (int i = first; i < first + links; i++) {
      lines.append("addr add 10.%d.0.5/24 brd + dev net%d%n".formatted(i, i));
      lines.append("addr add 2001:db8:%d::5/64 dev net%d%n".formatted(i, i));
      lines.append("link set net%d up%n".formatted(i));
      for (int j = 0; j < 2; j++) {
        lines.append("route add 198.%d.%d.0/24 via 10.%d.0.1%n".formatted(18 + j, i, i));
      }
      lines.append("route add 2001:db8:f%d::/48 via 2001:db8:%d::1%n".formatted(i, i));
    }
    return lines.toString();
  }

  static String back(int first, int links, NetworkNamespace host) {
    StringBuilder lines = new StringBuilder();
    for (int i = first; i < first + links; i++) {
      lines.append("link set net%d down%n".formatted(i));
      lines.append("link set net%d name nic%d mtu 1500 netns %s%n".formatted(i, i, path(host)));
    }
    return lines.toString();
  }

  static String path(NetworkNamespace namespace) {
    return "/proc/%d/fd/%d"
        .formatted(ProcessHandle.current().pid(), namespace.descriptor().number());
  }

  private Path write(String name, String lines) throws IOException {
    return Files.writeString(directory.resolve(name), lines);
  }

  static void ip(Path lines, List<String> before) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("ip", "-batch", lines.toString()));
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("ip -batch failed");
    }
  }

  static long median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
