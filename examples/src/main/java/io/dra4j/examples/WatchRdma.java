package io.dra4j.examples;

import io.dra4j.model.DeviceTaint;
import io.dra4j.rdma.health.ErrorLimits;
import io.dra4j.rdma.health.RdmaHealth;
import io.dra4j.rdma.health.RdmaHealthEvent;
import io.dra4j.rdma.health.RdmaHealthMonitor;
import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.RdmaLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reads the limits of this machine's RDMA devices, and the taints for their faults. */
public final class WatchRdma {

  private WatchRdma() {}

  /**
   * Reads from libibverbs how many queue pairs each RDMA device allows.
   *
   * @return the numbers by device name; empty without a device or {@code libibverbs.so.1}
   */
  public static Map<String, Long> queuePairs() {
    Map<String, Long> most = new TreeMap<>();
    for (RdmaLimits limits : RdmaLimits.read(System.err::println)) {
      most.put(limits.device(), limits.get(DeviceField.MAX_QP));
    }
    return most;
  }

  /**
   * Watches the RDMA devices until a fault begins or ends: a port that is down, errors, a device
   * that has disappeared. Existing faults are printed at once.
   *
   * @param driver the driver that publishes the devices, for example {@code dra.example.com}
   * @param timeout the longest time to wait
   * @param warnings receives sentences about devices that cannot be watched or read
   * @return the current taints of the affected devices; empty if nothing happened
   * @throws IOException if the devices cannot be watched or listed
   * @throws InterruptedException if the thread is interrupted
   */
  public static List<DeviceTaint> watch(String driver, Duration timeout, Consumer<String> warnings)
      throws IOException, InterruptedException {
    List<DeviceTaint> taints = new ArrayList<>();
    // README: begin
    RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks().limit("port_xmit_discards", 1_000));
    try (RdmaHealthMonitor monitor =
        RdmaHealthMonitor.open(health, Duration.ofSeconds(10), warnings)) {
      for (RdmaHealthEvent event : monitor.await(timeout)) {
        System.out.println((event.begins() ? "" : "ended: ") + event.problem().message());
        taints.addAll(health.taints(event.problem().device(), driver));
      }
    }
    // README: end
    return taints;
  }
}
