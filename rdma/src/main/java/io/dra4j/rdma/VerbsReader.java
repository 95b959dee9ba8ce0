package io.dra4j.rdma;

import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds facts about the RDMA devices of this machine that only libibverbs reports: how many queue
 * pairs and memory regions they allow, and the MTU of their ports. It adds nothing if the host is a
 * captured one, has no RDMA device, or has no {@code libibverbs.so.1}. In the first two cases the
 * library is not loaded.
 *
 * <p>This reader runs after {@link RdmaReader} and completes its devices. It adds no devices.
 */
public final class VerbsReader implements TopologyReader {

  /** Creates a reader. */
  public VerbsReader() {}

  @Override
  public String name() {
    return "verbs";
  }

  /** Returns an order after the readers that find the devices. */
  @Override
  public int order() {
    return 300;
  }

  @Override
  public void read(Host host, HostInventory.Builder inventory) {
    if (host.isLive() && !inventory.rdmaDevices().isEmpty()) {
      add(RdmaLimits.read(inventory::warn), inventory);
    }
  }

  /** Adds limits to their devices; limits of devices in other namespaces are ignored. */
  static void add(List<RdmaLimits> limits, HostInventory.Builder inventory) {
    Map<String, RdmaLimits> byName = new HashMap<>();
    limits.forEach(one -> byName.put(one.device(), one));
    for (RdmaDevice device : inventory.rdmaDevices()) {
      RdmaLimits found = byName.get(device.name());
      if (found != null) {
        inventory.rdmaDevice(
            device.toBuilder()
                .maxQueuePairs(found.get(DeviceField.MAX_QP))
                .maxMemoryRegions(found.get(DeviceField.MAX_MR))
                .ports(device.ports().stream().map(port -> port(port, found)).toList())
                .build());
      }
    }
  }

  private static RdmaPort port(RdmaPort port, RdmaLimits found) {
    RdmaPort.Builder complete = port.toBuilder();
    for (PortLimits limits : found.ports()) {
      if (limits.number() == port.number()) {
        limits.maxMtu().ifPresent(complete::maxMtu);
        limits.activeMtu().ifPresent(complete::activeMtu);
      }
    }
    return complete.build();
  }
}
