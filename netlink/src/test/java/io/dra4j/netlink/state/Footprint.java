package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.lab.Machine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What this process holds of the system.
 *
 * @param descriptors open files
 * @param namespaces network namespaces: in a machine of the lab those that the kernel has, in
 *     others, which have them for other reasons, too, those that threads are in
 * @param heap bytes of live objects
 * @param direct bytes of buffers beside the heap
 */
record Footprint(long descriptors, long namespaces, long heap, long direct) {

  private static final long ROOM = 2 << 20; // what classes and caches still take in later rounds

  static Footprint now() throws IOException {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    long direct = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      direct += pool.getMemoryUsed();
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Footprint(descriptorCount(), namespaceCount(), heap, direct);
  }

  private static long descriptorCount() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  private static long namespaceCount() throws IOException {
    if (Machine.isOurs()) {
      return Files.readAllLines(Path.of("/proc/slabinfo")).stream()
          .filter(line -> line.startsWith("net_namespace "))
          .mapToLong(line -> Long.parseLong(line.split(" +", -1)[1]))
          .sum();
    }
    Set<String> namespaces = new HashSet<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        Path namespace = thread.resolve("ns/net");
        if (Files.isSymbolicLink(namespace)) { // else it has just ended
          namespaces.add(Files.readSymbolicLink(namespace).toString());
        }
      }
    }
    return namespaces.size();
  }

  /**
   * Fails if more is held than before. The kernel takes namespaces down some time after the last
   * who uses them, and counts those that wait to be used again.
   *
   * @param rounds how many namespaces have come and gone meanwhile
   */
  static String assertNothingIsLeft(Footprint before, int rounds) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    long most = before.namespaces + (Machine.isOurs() ? Math.max(4, Math.min(rounds / 4, 16)) : 0);
    while (namespaceCount() > most && System.nanoTime() < deadline) {
      LockSupport.parkNanos(100_000_000);
    }
    Footprint now = now();
    assertThat(now.descriptors).as("descriptors").isLessThanOrEqualTo(before.descriptors + 2);
    assertThat(now.namespaces).as("network namespaces").isLessThanOrEqualTo(most);
    assertThat(now.heap).as("bytes of heap").isLessThan(before.heap + ROOM);
    assertThat(now.direct).as("bytes of buffers").isLessThan(before.direct + ROOM);
    return "descriptors %+d, namespaces %+d, heap %+d KiB, buffers %+d KiB"
        .formatted(
            now.descriptors - before.descriptors,
            now.namespaces - before.namespaces,
            (now.heap - before.heap) / 1_024,
            (now.direct - before.direct) / 1_024);
  }
}
