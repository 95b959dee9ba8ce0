package io.dra4j.rdma;

import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.reader.NetlinkReader;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReader;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.sysfs.InfinibandReader;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.topology.PciAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Completes the RDMA devices of a host. On this machine it reads RDMA netlink, which takes
 * precedence over {@code /sys}; each contradiction is a warning. On every host, it relates RDMA
 * devices to network devices and PCI functions.
 *
 * <p>This reader runs after {@link SysfsReader} and {@link NetlinkReader}, and completes their
 * facts. {@link #read(Host)} runs all three. For a captured host, {@code /sys} of the capture is
 * the only source.
 */
public final class RdmaReader implements TopologyReader {

  private final InfinibandReader infiniband = new InfinibandReader();

  /** Creates a reader. */
  public RdmaReader() {}

  /**
   * {@return the inventory of a host by the three readers of RDMA devices: {@link SysfsReader},
   * {@link NetlinkReader} and this one}
   *
   * @param host the host, live or captured
   */
  public static HostInventory read(Host host) {
    return TopologyReaders.of(new SysfsReader(), new NetlinkReader(), new RdmaReader()).read(host);
  }

  @Override
  public String name() {
    return "rdma";
  }

  /** Returns an order after the readers of {@code /sys} and links, which find the devices. */
  @Override
  public int order() {
    return 200;
  }

  @Override
  public void read(Host host, HostInventory.Builder inventory) {
    Map<String, RdmaDevice> devices = new TreeMap<>();
    Collection<RdmaDevice> known = inventory.rdmaDevices();
    // /sys was not read, or has no RDMA device. If there is no /sys, its reader has reported that.
    if (known.isEmpty() && Files.isDirectory(host.root().resolve("sys"))) {
      known = infiniband.devices(host, inventory::warn);
    }
    known.forEach(device -> devices.put(device.name(), device));
    if (host.isLive()) {
      try (RdmaNetlink rdma = RdmaNetlink.open()) {
        merge(rdma, devices, inventory::warn);
      } catch (NetlinkException.Unsupported e) {
        if (!devices.isEmpty()) { // otherwise the kernel does not support RDMA, which is normal
          inventory.warn("rdma netlink: " + e.getMessage());
        }
      } catch (NetlinkException | NativeUnavailableException e) {
        inventory.warn("rdma netlink: " + e.getMessage());
      }
    }
    relate(devices, inventory);
  }

  /**
   * {@return the RDMA devices by name with the states of their ports, by RDMA netlink alone} This
   * reads no file, so it is cheap enough for polling.
   *
   * @param rdma a socket of the network namespace
   * @param warnings takes a sentence for each device that disappeared during the reading
   * @throws NetlinkException if the kernel refuses the request, or the communication fails
   */
  public static List<RdmaDevice> overNetlink(RdmaNetlink rdma, Consumer<String> warnings)
      throws NetlinkException {
    Map<String, RdmaDevice> devices = new TreeMap<>();
    merge(rdma, devices, warnings);
    return List.copyOf(devices.values());
  }

  /** Merges netlink. Names that cannot be directory names are dropped: names become path parts. */
  private static void merge(
      RdmaNetlink rdma, Map<String, RdmaDevice> devices, Consumer<String> warnings)
      throws NetlinkException {
    new NetlinkFacts(warnings).merge(rdma, devices);
    for (String name : List.copyOf(devices.keySet())) {
      if (name.matches("\\.{0,2}") || name.contains("/")) {
        devices.remove(name);
        warnings.accept(
            "rdma netlink: a device has the name '"
                + name
                + "', which is not a valid name of a device; it is ignored");
      }
    }
  }

  /** Finds the PCI functions and network devices of the devices of all sources. */
  static void relate(Map<String, RdmaDevice> devices, HostInventory.Builder inventory) {
    Map<String, Netdev> netdevs = new HashMap<>();
    inventory.netdevs().forEach(netdev -> netdevs.put(netdev.name(), netdev));
    Map<PciAddress, PciFunction> functions = new HashMap<>();
    inventory.pciFunctions().forEach(function -> functions.put(function.address(), function));
    RdmaNetdevs relations = RdmaNetdevs.of(netdevs.values(), devices.values());
    for (RdmaDevice device : devices.values()) {
      String protocol = device.protocol().isEmpty() ? protocol(device) : device.protocol();
      List<RdmaPort> ports = ports(device, relations);
      PciAddress address = address(device, ports, netdevs);
      // If only a network device leads to the function, the driver of the function may not be the
      // driver of the RDMA device.
      boolean isOfFunction = address != null && address.equals(device.address());
      PciFunction function = address == null ? null : functions.get(address);
      if (function != null && !function.names().contains(device.name())) {
        function = named(function, device.name());
        functions.put(address, function);
        inventory.pciFunction(function);
      }
      if (address == null
          && !device.nodeType().isEmpty()
          && ports.stream().allMatch(port -> port.netdev() == null)) {
        inventory.warn(
            "RDMA device "
                + device.name()
                + ": neither a PCI function nor a network device is known");
      }
      String driver =
          function == null || !isOfFunction || isSoftware(device) ? null : function.driver();
      RoceMtu rule = RoceMtu.of(device, driver);
      inventory.rdmaDevice(
          device.toBuilder()
              .address(address)
              .driver(driver)
              .protocol(protocol)
              .ports(ports.stream().map(port -> withMtu(port, protocol, rule, netdevs)).toList())
              .build());
    }
  }

  private static List<RdmaPort> ports(RdmaDevice device, RdmaNetdevs relations) {
    List<RdmaPort> ports = new ArrayList<>();
    for (RdmaPort port : device.ports()) {
      ports.add(port.toBuilder().netdev(relations.ofPort(device, port)).build());
    }
    return ports;
  }

  private static PciFunction named(PciFunction function, String name) {
    List<String> names = new ArrayList<>(function.names());
    names.add(name);
    return function.toBuilder().names(names).build();
  }

  /**
   * Whether a device is a protocol in software, so that the driver of the PCI function is not its
   * driver. siw has no file that names its network device, and before Linux 5.11 it was below that
   * device's function. It always has this description ({@code SIW_NODE_DESC_COMMON} in {@code
   * rdma/siw-abi.h}). If a capture lacks the description, an RNIC counts as software.
   */
  private static boolean isSoftware(RdmaDevice device) {
    return device.parent() != null
        || device.description().equals("Software iWARP stack")
        || (device.description().isEmpty() && device.nodeType().startsWith("4:"));
  }

  /**
   * Adds the MTU of a RoCE port. The protocol of a device is the protocol of its first port, and an
   * adapter may have both InfiniBand and Ethernet ports. Other protocols on Ethernet, such as
   * iWARP, do not use RoCE headers.
   */
  private static RdmaPort withMtu(
      RdmaPort port, String protocol, RoceMtu rule, Map<String, Netdev> netdevs) {
    Netdev netdev = port.netdev() == null ? null : netdevs.get(port.netdev());
    boolean isRoce =
        port.linkLayer().equals("Ethernet") && (protocol.equals("roce") || protocol.equals("ib"));
    if (!isRoce || netdev == null || port.activeMtu().isPresent()) {
      return port;
    }
    RdmaPort.Builder complete = port.toBuilder();
    rule.payload(netdev.mtu()).ifPresent(complete::activeMtu);
    return complete.build();
  }

  private static @Nullable PciAddress address(
      RdmaDevice device, List<RdmaPort> ports, Map<String, Netdev> netdevs) {
    if (device.address() != null) {
      return device.address();
    }
    for (RdmaPort port : ports) {
      Netdev netdev = port.netdev() == null ? null : netdevs.get(port.netdev());
      if (netdev != null && netdev.address() != null) {
        return netdev.address();
      }
    }
    return null;
  }

  /** The protocol of the kernel's {@code fill_dev_info} for the device's types and link layers. */
  private static String protocol(RdmaDevice device) {
    String type = device.nodeType();
    if (type.startsWith("4:")) {
      return "iw";
    }
    if (type.startsWith("5:") || type.startsWith("6:")) {
      return "usnic";
    }
    if (!type.startsWith("1:") || device.ports().isEmpty()) {
      return "";
    }
    return switch (device.ports().get(0).linkLayer()) {
      case "InfiniBand" -> "ib";
      case "Ethernet" -> "roce";
      default -> "";
    };
  }
}
