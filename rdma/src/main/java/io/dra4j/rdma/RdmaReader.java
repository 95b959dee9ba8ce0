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
 * Completes what is known of the RDMA devices of a host: on this machine by RDMA netlink, which
 * counts more than {@code /sys}, and everywhere by what the devices, network devices and PCI
 * functions mean together. Where netlink and {@code /sys} contradict each other, a warning says so.
 *
 * <p>It reads after {@link SysfsReader} and {@link NetlinkReader}, whose facts it completes; {@link
 * #read(Host)} runs the three. A captured host gives what its {@code /sys} knows.
 */
public final class RdmaReader implements TopologyReader {

  private final InfinibandReader infiniband = new InfinibandReader();

  /** Makes a reader. */
  public RdmaReader() {}

  /**
   * Reads a host with the readers that report RDMA devices: those of {@code /sys}, of links, and
   * this one.
   *
   * @param host the host, live or captured
   * @return what is there
   */
  public static HostInventory read(Host host) {
    return TopologyReaders.of(new SysfsReader(), new NetlinkReader(), new RdmaReader()).read(host);
  }

  @Override
  public String name() {
    return "rdma";
  }

  /** After those that read {@code /sys} and links. */
  @Override
  public int order() {
    return 200;
  }

  @Override
  public void read(Host host, HostInventory.Builder inventory) {
    Map<String, RdmaDevice> devices = new TreeMap<>();
    Collection<RdmaDevice> known = inventory.rdmaDevices();
    // /sys was not read, or has nothing; where there is no /sys, its reader said so.
    if (known.isEmpty() && Files.isDirectory(host.root().resolve("sys"))) {
      known = infiniband.devices(host, inventory::warn);
    }
    known.forEach(device -> devices.put(device.name(), device));
    if (host.isLive()) {
      try (RdmaNetlink rdma = RdmaNetlink.open()) {
        merge(rdma, devices, inventory::warn);
      } catch (NetlinkException.Unsupported e) {
        if (!devices.isEmpty()) { // else the kernel knows no RDMA, as most do not
          inventory.warn("rdma netlink: " + e.getMessage());
        }
      } catch (NetlinkException | NativeUnavailableException e) {
        inventory.warn("rdma netlink: " + e.getMessage());
      }
    }
    relate(devices, inventory);
  }

  /**
   * Reads what RDMA netlink alone reports: which devices there are, and the states of their ports.
   * It reads no file, so that it is the way to look again and again.
   *
   * @param rdma a socket of the network namespace
   * @param warnings takes sentences about devices that went meanwhile
   * @return the devices by name
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public static List<RdmaDevice> overNetlink(RdmaNetlink rdma, Consumer<String> warnings)
      throws NetlinkException {
    Map<String, RdmaDevice> devices = new TreeMap<>();
    merge(rdma, devices, warnings);
    return List.copyOf(devices.values());
  }

  /** The kernel gives each device a name that is one of a folder; no other is part of a path. */
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
                + "', which is none of a device; it is left out");
      }
    }
  }

  /** Finds the places and network devices of devices that all sources have reported. */
  static void relate(Map<String, RdmaDevice> devices, HostInventory.Builder inventory) {
    Map<String, Netdev> netdevs = new HashMap<>();
    inventory.netdevs().forEach(netdev -> netdevs.put(netdev.name(), netdev));
    Map<PciAddress, PciFunction> functions = new HashMap<>();
    inventory.pciFunctions().forEach(function -> functions.put(function.address(), function));
    RdmaNetdevs relations = RdmaNetdevs.of(netdevs.values(), devices.values());
    for (RdmaDevice device : devices.values()) {
      String protocol = device.protocol().isEmpty() ? protocol(device) : device.protocol();
      List<RdmaPort> ports = new ArrayList<>();
      for (RdmaPort port : device.ports()) {
        ports.add(port.toBuilder().netdev(relations.ofPort(device, port)).build());
      }
      PciAddress address = address(device, ports, netdevs);
      // Where only a network device leads to the function, its driver need not be that of both.
      boolean isOfFunction = address != null && address.equals(device.address());
      PciFunction function = address == null ? null : functions.get(address);
      if (function != null && !function.names().contains(device.name())) {
        List<String> names = new ArrayList<>(function.names());
        names.add(device.name());
        function = function.toBuilder().names(names).build();
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

  /**
   * Whether a device is a protocol made in software, which is no work of the function's driver. siw
   * has no file that names its network device and before Linux 5.11 lay below the function of that,
   * but always has this description ({@code SIW_NODE_DESC_COMMON} in {@code rdma/siw-abi.h}); where
   * a capture lacks that, an RNIC is not known.
   */
  private static boolean isSoftware(RdmaDevice device) {
    return device.parent() != null
        || device.description().equals("Software iWARP stack")
        || (device.description().isEmpty() && device.nodeType().startsWith("4:"));
  }

  /**
   * Adds the MTU of a port that is RoCE. The protocol of a device is that of its first port, and
   * adapters for both have ports of InfiniBand and of Ethernet beside each other. Others on
   * Ethernet, such as iWARP, have no headers of RoCE and rules of their own.
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

  /**
   * What {@code fill_dev_info} of the kernel would report, for the types and link layers that it
   * has.
   */
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
