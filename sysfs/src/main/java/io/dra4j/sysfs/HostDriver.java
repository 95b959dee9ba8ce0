package io.dra4j.sysfs;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.StandardAttributes;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Offers what is on a host as it is: every NIC, GPU, accelerator and NVMe drive, with what sysfs
 * tells of it and the standard attributes of Kubernetes. It prepares nothing; it lets people look
 * at a host with the eyes of an allocator.
 */
public final class HostDriver implements DeviceDriver {

  /** The name of the driver. */
  public static final String NAME = "host.dra4j.io";

  private static final int MAX_STRING = 64; // resource.k8s.io/v1, DeviceAttributeMaxValueLength

  private final boolean numaNodeLists;

  private HostDriver(boolean numaNodeLists) {
    this.numaNodeLists = numaNodeLists;
  }

  /**
   * A driver that publishes the NUMA node of a device as one number.
   *
   * @return the driver
   */
  public static HostDriver create() {
    return new HostDriver(false);
  }

  /**
   * A driver that publishes the NUMA nodes of a device as a list, for clusters with the feature
   * DRAListTypeAttributes: its own first, then those as near as any on the same socket.
   *
   * @return the driver
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
    Set<String> rdmaNames =
        host.rdmaDevices().stream().map(RdmaDevice::name).collect(Collectors.toSet());
    List<Device> devices = new ArrayList<>();
    for (PciFunction function : host.pciFunctions()) {
      DeviceKind kind = function.kind();
      if (kind.isEndpoint() || kind == DeviceKind.NVME) {
        devices.add(device(function, kind, host.numaNodes(), rdmaNames));
      }
    }
    return devices;
  }

  private Device device(
      PciFunction function, DeviceKind kind, List<NumaNode> nodes, Set<String> rdmaNames) {
    PciAddress address = function.address();
    Device.Builder device =
        Device.named("pci-" + address.toString().replace(':', '-').replace('.', '-'));
    device.attribute("kind", kind.name().toLowerCase(Locale.ROOT));
    if (address.domain() <= 0xffff) { // the helper of Kubernetes knows no longer addresses
      device.attribute(StandardAttributes.PCI_BUS_ID, address.toString());
    }
    string(device, StandardAttributes.PCIE_ROOT, function.pcieRoot());
    function
        .location()
        .numaNode()
        .ifPresent(
            node ->
                device.attribute(
                    StandardAttributes.NUMA_NODE,
                    numaNodeLists
                        ? new DeviceAttribute.IntValues(NearNumaNodes.of(node, nodes))
                        : DeviceAttribute.of(node)));
    PciIdentity identity = function.identity();
    if (identity != null) {
      device.attribute("vendorID", "0x%04x".formatted(identity.vendor()));
      device.attribute("deviceID", "0x%04x".formatted(identity.device()));
    }
    string(device, "vendor", function.vendorName());
    string(device, "product", function.deviceName());
    string(device, "driver", function.driver());
    string(device, "link", function.usableLink() == null ? null : function.usableLink().toString());
    for (String name : function.names()) {
      if (rdmaNames.contains(name)) {
        string(device, "rdmaDevice", name);
      } else {
        string(device, "ifName", name);
      }
    }
    if (function.totalVirtualFunctions() > 0) {
      device.attribute("sriovTotalVfs", function.totalVirtualFunctions());
      device.attribute("sriovVfs", function.virtualFunctions().size());
    }
    if (function.physicalFunction() != null) {
      device.attribute("physicalFunction", function.physicalFunction().toString());
    }
    return device.build();
  }

  /** Adds a text, cut where the API server would refuse a longer one. */
  private static void string(Device.Builder device, String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return;
    }
    int end = value.length();
    while (value.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MAX_STRING) {
      end = value.offsetByCodePoints(end, -1);
    }
    device.attribute(name, value.substring(0, end));
  }
}
