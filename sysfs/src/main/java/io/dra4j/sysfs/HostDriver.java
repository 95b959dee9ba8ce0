package io.dra4j.sysfs;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.StandardAttributes;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.publish.AttributeBuilder;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Publishes the devices of a host: every NIC, GPU, accelerator and NVMe drive, and devices of
 * unknown kind, with the facts of sysfs and the standard attributes of Kubernetes. It prepares
 * nothing; it shows a host as an allocator sees it.
 */
public final class HostDriver implements DeviceDriver {

  /** The name of the driver. */
  public static final String NAME = "host.dra4j.io";

  /** The capacity of NICs for the total rate of their active RDMA ports, in bits per second. */
  public static final String RDMA_BANDWIDTH = "rdmaBandwidth";

  /** The capacity of NICs for the number of queue pairs that their RDMA device allows, if known. */
  public static final String RDMA_QUEUE_PAIRS = "rdmaQueuePairs";

  /**
   * The capacity of NICs for the number of memory regions that their RDMA device allows, if known.
   */
  public static final String RDMA_MEMORY_REGIONS = "rdmaMemoryRegions";

  /** The attribute of NICs for the number of ports of their RDMA device. */
  public static final String RDMA_PORTS = "rdmaPorts";

  /** The attribute of NICs for the number of ports of their RDMA device that are up. */
  public static final String RDMA_ACTIVE_PORTS = "rdmaActivePorts";

  private final boolean numaNodeLists;

  private HostDriver(boolean numaNodeLists) {
    this.numaNodeLists = numaNodeLists;
  }

  /** {@return a driver that publishes the NUMA node of a device as one number} */
  public static HostDriver create() {
    return new HostDriver(false);
  }

  /**
   * {@return a driver that publishes the NUMA nodes of a device as a list, for clusters with the
   * feature DRAListTypeAttributes: first the device's own node, then the nearest other nodes of the
   * same socket}
   */
  public static HostDriver withNumaNodeLists() {
    return new HostDriver(true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Device> discover(HostInventory host) {
    Map<String, RdmaDevice> rdma = new HashMap<>();
    host.rdmaDevices().forEach(device -> rdma.put(device.name(), device));
    Map<PciAddress, Long> rates = host.rates();
    List<Device> devices = new ArrayList<>();
    for (PciFunction function : host.pciFunctions()) {
      DeviceKind kind = function.kind();
      if (kind.isEndpoint() || kind == DeviceKind.NVME) {
        devices.add(device(function, kind, host.numaNodes(), rdma, rates));
      }
    }
    return devices;
  }

  private Device device(
      PciFunction function,
      DeviceKind kind,
      List<NumaNode> nodes,
      Map<String, RdmaDevice> rdma,
      Map<PciAddress, Long> rates) {
    PciAddress address = function.address();
    AttributeBuilder device = AttributeBuilder.forDriver(NAME);
    device.text("kind", kind.name().toLowerCase(Locale.ROOT));
    if (address.domain() <= 0xffff) { // the helper of Kubernetes accepts only four digits of domain
      device.whole(StandardAttributes.PCI_BUS_ID, address.toString());
    }
    device.whole(StandardAttributes.PCIE_ROOT, function.pcieRoot());
    function
        .location()
        .numaNode()
        .ifPresent(node -> device.attribute(StandardAttributes.NUMA_NODE, numa(node, nodes)));
    model(device, function);
    device.text("driver", function.driver());
    device.text("link", function.usableLink() == null ? null : function.usableLink().toString());
    function.names().stream()
        .filter(name -> !rdma.containsKey(name))
        .forEach(name -> device.text("ifName", name));
    RdmaDevice rdmaDevice =
        function.names().stream().filter(rdma::containsKey).findFirst().map(rdma::get).orElse(null);
    if (kind == DeviceKind.NIC) {
      device.flag("rdma", rdmaDevice != null);
    }
    Long rate = rates.get(address);
    if (rate != null) {
      device.number("megabitsPerSecond", rate);
    }
    if (rdmaDevice != null) {
      rdma(device, rdmaDevice);
    }
    virtualFunctions(device, function);
    return device.build("pci-" + address.toString().replace(':', '-').replace('.', '-'));
  }

  private DeviceAttribute numa(int node, List<NumaNode> nodes) {
    return numaNodeLists
        ? new DeviceAttribute.IntValues(NearNumaNodes.of(node, nodes))
        : DeviceAttribute.of(node);
  }

  private static void model(AttributeBuilder device, PciFunction function) {
    PciIdentity identity = function.identity();
    if (identity != null && identity.vendor() != 0) {
      device.text("vendorID", "0x%04x".formatted(identity.vendor()));
    }
    if (identity != null && identity.device() != 0) {
      device.text("deviceID", "0x%04x".formatted(identity.device()));
    }
    device.text("vendor", function.vendorName());
    device.text("product", function.deviceName());
  }

  private static void virtualFunctions(AttributeBuilder device, PciFunction function) {
    if (function.totalVirtualFunctions() > 0) {
      device.number("sriovTotalVfs", function.totalVirtualFunctions());
      device.number("sriovVfs", function.virtualFunctions().size());
    }
    if (function.physicalFunction() != null) {
      device.text("physicalFunction", function.physicalFunction().toString());
    }
  }

  /** Publishes the ports of a function as one: the first active port, or else the first port. */
  private static void rdma(AttributeBuilder device, RdmaDevice rdma) {
    device.text("rdmaDevice", rdma.name());
    device.text("rdmaProtocol", rdma.protocol());
    RdmaPort port = null;
    int active = 0;
    long bitsPerSecond = 0;
    for (RdmaPort one : rdma.ports()) {
      if (port == null || (one.isActive() && !port.isActive())) {
        port = one;
      }
      active += one.isActive() ? 1 : 0;
      if (one.isActive()) { // the rate of an inactive port has no meaning
        long more = Math.round(one.gigabitsPerSecond().orElse(0) * 1e9);
        bitsPerSecond = Math.min(bitsPerSecond, Long.MAX_VALUE - more) + more;
      }
    }
    if (port != null) {
      device.text("rdmaState", port.state());
      device.text("rdmaLinkLayer", port.linkLayer());
    }
    device.number(RDMA_PORTS, rdma.ports().size());
    device.number(RDMA_ACTIVE_PORTS, active);
    if (bitsPerSecond > 0) {
      device.capacity(RDMA_BANDWIDTH, quantity(bitsPerSecond));
    }
    capacity(device, RDMA_QUEUE_PAIRS, rdma.maxQueuePairs());
    capacity(device, RDMA_MEMORY_REGIONS, rdma.maxMemoryRegions());
  }

  /** Writes a value in the largest unit in which it is a whole number. */
  private static String quantity(long value) {
    if (value % 1_000_000 != 0) {
      return Long.toString(value);
    }
    return value % 1_000_000_000 == 0 ? value / 1_000_000_000 + "G" : value / 1_000_000 + "M";
  }

  private static void capacity(AttributeBuilder device, String name, OptionalLong value) {
    if (value.orElse(0) > 0) {
      device.capacity(name, Long.toString(value.getAsLong()));
    }
  }
}
