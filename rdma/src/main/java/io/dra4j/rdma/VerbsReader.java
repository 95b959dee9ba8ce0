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
 * Adds what only libibverbs reports of the RDMA devices of this machine: how many queue pairs and
 * memory regions they allow, and the MTU of their ports. A host that is captured, has no RDMA
 * device or no {@code libibverbs.so.1} gives nothing, and nothing is loaded where the first two
 * hold.
 *
 * <p>It reads after {@link RdmaReader}, whose devices it completes; it adds none.
 */
public final class VerbsReader implements TopologyReader {

  /** Makes a reader. */
  public VerbsReader() {}

  @Override
  public String name() {
    return "verbs";
  }

  /** After those that find the devices. */
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

  /** Puts limits on the devices that they are of; those of other namespaces have none here. */
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
