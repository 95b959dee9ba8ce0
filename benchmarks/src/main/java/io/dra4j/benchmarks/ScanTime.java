package io.dra4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.sysfs.SysfsReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Measures the processor time of a scan, where JMH reports elapsed time: the scan runs in one
 * thread, which waits for nothing but files. Prints one line of JSON, as the Go program beside it
 * does.
 */
public final class ScanTime {

  private ScanTime() {}

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
    SysfsReader reader = new SysfsReader();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    int devices = scan(reader, host);
    for (int i = 0; i < scans; i++) { // as many again to warm up
      scan(reader, host);
    }
    long min = Long.MAX_VALUE;
    long total = 0;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long processBefore = process.getProcessCpuTime();
    for (int i = 0; i < scans; i++) {
      long before = threads.getCurrentThreadCpuTime();
      scan(reader, host);
      long took = threads.getCurrentThreadCpuTime() - before;
      min = Math.min(min, took);
      total += took;
    }
    long processTime = process.getProcessCpuTime() - processBefore;
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    System.out.printf(
        Locale.ROOT,
        "{\"devices\":%d,\"scans\":%d,\"cpuMinNanos\":%d,\"cpuMeanNanos\":%d,"
            + "\"processCpuMeanNanos\":%d,\"bytesPerScan\":%d}%n",
        devices,
        scans,
        min,
        total / scans,
        processTime / scans,
        allocated / scans);
  }

  private static int scan(SysfsReader reader, Host host) {
    HostInventory.Builder inventory = HostInventory.builder();
    reader.read(host, inventory);
    return inventory.build().pciFunctions().size();
  }
}
