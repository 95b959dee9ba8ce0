package io.dra4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.dra4j.rdma.RdmaReader;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.sysfs.InfinibandReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures the processor time of reading the RDMA devices of a captured host, with their ports,
 * addresses, keys and character devices. Prints one line of JSON, as the programs in Go and C
 * beside it do.
 */
public final class RdmaScanTime {

  private RdmaScanTime() {}

  /**
   * Runs the measurement.
   *
   * @param args the directory that holds {@code sys}, and how many scans
   */
  public static void main(String[] args) {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected ROOT SCANS");
    }
    Host host = Host.captured(Path.of(args[0]));
    int scans = Integer.parseInt(args[1]);
    RdmaReader reader = new RdmaReader();
    InfinibandReader nodes = new InfinibandReader();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    int files = nodes.nodes(host, (device, problem) -> {}).size();
    List<RdmaDevice> devices = scan(reader, nodes, host);
    for (int i = 0; i < scans; i++) { // as many again to warm up
      scan(reader, nodes, host);
    }
    long min = Long.MAX_VALUE;
    long total = 0;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long processBefore = process.getProcessCpuTime();
    for (int i = 0; i < scans; i++) {
      long before = threads.getCurrentThreadCpuTime();
      scan(reader, nodes, host);
      long took = threads.getCurrentThreadCpuTime() - before;
      min = Math.min(min, took);
      total += took;
    }
    long processTime = process.getProcessCpuTime() - processBefore;
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    System.out.printf(
        Locale.ROOT,
        "{\"devices\":%d,\"ports\":%d,\"gids\":%d,\"nodes\":%d,\"scans\":%d,\"cpuMinNanos\":%d,"
            + "\"cpuMeanNanos\":%d,\"processCpuMeanNanos\":%d,\"bytesPerScan\":%d}%n",
        devices.size(),
        devices.stream().mapToInt(device -> device.ports().size()).sum(),
        devices.stream()
            .flatMap(device -> device.ports().stream())
            .mapToInt(RdmaScanTime::gids)
            .sum(),
        files,
        scans,
        min,
        total / scans,
        processTime / scans,
        allocated / scans);
  }

  private static int gids(RdmaPort port) {
    return port.gids().size();
  }

  private static List<RdmaDevice> scan(RdmaReader reader, InfinibandReader nodes, Host host) {
    HostInventory.Builder inventory = HostInventory.builder();
    reader.read(host, inventory);
    nodes.nodes(host, (device, problem) -> inventory.warn(problem));
    return inventory.build().rdmaDevices();
  }
}
