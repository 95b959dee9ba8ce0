package io.dra4j.rdma;

import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Maps network devices to ports of RDMA devices. The kernel does not report this relation in a
 * single place, so several ways are tried, the most reliable first ({@link Way}). Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * RdmaNetdevs netdevs = RdmaNetdevs.of(inventory);
 * netdevs.find("ib0").map(found -> found.device().name()); // mlx4_0
 * }</pre>
 */
public final class RdmaNetdevs {

  /** The ways to find the RDMA device of a network device, the most reliable first. */
  public enum Way {
    /**
     * The port names its network device: RDMA netlink reported it, or {@link RdmaReader} found it.
     */
    PORT,
    /** A software device such as rxe names the network device it is built on. */
    PARENT,
    /** The last 8 bytes of an IPoIB hardware address end a GID of the port (RFC 4391). */
    PORT_GUID,
    /** A port's GID is an address of the network device, which has RoCE itself or by a VLAN. */
    GID,
    /** The last 8 bytes of an IPoIB hardware address are the GUID of the node. */
    NODE_GUID,
    /** Both are on the same PCI function, and on the same port of that function. */
    FUNCTION
  }

  /**
   * The RDMA device of a network device.
   *
   * @param device the RDMA device
   * @param port the number of its port, from 1; absent if the device has several ports and the port
   *     is not known
   * @param way how the RDMA device was found
   */
  public record Match(RdmaDevice device, OptionalInt port, Way way) {}

  private static final OptionalInt NONE = OptionalInt.empty();
  private static final int IPOIB_ADDRESS_BYTES = 20;
  private static final int GUID_LENGTH = 19; // four groups of four digits

  private final Map<String, Netdev> netdevs = new HashMap<>();

  /** For each way, the RDMA devices by the key of the network device, in order. */
  private final Map<Way, Map<Object, List<Match>>> index = new EnumMap<>(Way.class);

  /** The RDMA devices of all network devices, by the name of the network device. */
  private final Map<String, Match> found = new HashMap<>();

  /** The network devices of ports that do not name one, by device and port. */
  private final Map<Port, List<String>> ofPorts = new HashMap<>();

  private record Port(String device, int number) {}

  private RdmaNetdevs(Collection<Netdev> netdevs, Collection<RdmaDevice> devices) {
    netdevs.forEach(netdev -> this.netdevs.put(netdev.name(), netdev));
    devices.forEach(this::add);
    for (Netdev netdev : netdevs) {
      Match match = look(netdev.name());
      if (match != null) {
        found.put(netdev.name(), match);
        match
            .port()
            .ifPresent(
                port ->
                    ofPorts
                        .computeIfAbsent(
                            new Port(match.device().name(), port), any -> new ArrayList<>())
                        .add(netdev.name()));
      }
    }
  }

  private void add(RdmaDevice device) {
    add(Way.PARENT, device.parent(), device, onlyPort(device));
    add(Way.NODE_GUID, device.nodeGuid().isEmpty() ? null : device.nodeGuid(), device, NONE);
    add(Way.FUNCTION, device.address(), device, NONE);
    for (RdmaPort port : device.ports()) {
      OptionalInt number = OptionalInt.of(port.number());
      add(Way.PORT, port.netdev(), device, number);
      for (RdmaGid gid : port.gids()) {
        add(Way.GID, isOfAnother(gid.netdev(), device) ? null : gid.netdev(), device, number);
        if (gid.value().length() > GUID_LENGTH) {
          add(
              Way.PORT_GUID,
              gid.value().substring(gid.value().length() - GUID_LENGTH),
              device,
              number);
        }
      }
    }
  }

  /**
   * Whether the netdev of a GID is in another network namespace. The kernel reports the names of
   * all namespaces ({@code print_ndev} in drivers/infiniband/core/sysfs.c), and a pod's {@code
   * eth0} is not the host's. The netdev is assumed to be in another namespace if the host's netdev
   * of that name is in another PCI slot than the device. Functions of one slot may share a device,
   * as the two ports of a card do.
   */
  private boolean isOfAnother(@Nullable String name, RdmaDevice device) {
    Netdev here = name == null ? null : netdevs.get(name);
    PciAddress netdev = here == null ? null : here.address();
    PciAddress rdma = device.address();
    return netdev != null && rdma != null && !isSameSlot(netdev, rdma);
  }

  private static boolean isSameSlot(PciAddress one, PciAddress other) {
    return one.domain() == other.domain()
        && one.bus() == other.bus()
        && one.device() == other.device();
  }

  /** Adds a key of a device. If a device has a key several times, the first one counts. */
  private void add(Way way, @Nullable Object by, RdmaDevice device, OptionalInt port) {
    if (by != null) {
      List<Match> matches =
          index
              .computeIfAbsent(way, any -> new HashMap<>())
              .computeIfAbsent(by, any -> new ArrayList<>());
      if (matches.isEmpty() || way == Way.FUNCTION) {
        matches.add(new Match(device, port, way));
      }
    }
  }

  /**
   * {@return the relations of the network devices of a host to its RDMA devices}
   *
   * @param host the host, read by {@link RdmaReader} among other readers
   */
  public static RdmaNetdevs of(HostInventory host) {
    return of(host.netdevs(), host.rdmaDevices());
  }

  static RdmaNetdevs of(Collection<Netdev> netdevs, Collection<RdmaDevice> devices) {
    return new RdmaNetdevs(netdevs, List.copyOf(devices));
  }

  /**
   * {@return the RDMA device to which the most reliable way leads; empty if no way leads to one}
   *
   * @param netdev the name of the network device
   */
  public Optional<Match> find(String netdev) {
    Match known = found.get(netdev);
    return Optional.ofNullable(known != null ? known : look(netdev));
  }

  /**
   * {@return the sorted names of an RDMA device's network devices, and of VLANs with its GIDs}
   *
   * @param device the name of the RDMA device
   */
  public List<String> of(String device) {
    return found.entrySet().stream()
        .filter(entry -> entry.getValue().device().name().equals(device))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Returns the name of a port's network device, never a VLAN; null if there are 0 or several. */
  @Nullable String ofPort(RdmaDevice device, RdmaPort port) {
    if (port.netdev() != null) {
      return port.netdev();
    }
    if (device.parent() != null) {
      return device.parent();
    }
    // The first GID of a RoCE port is derived from the netdev's own MAC
    // (ib_cache_gid_set_default_gid).
    for (RdmaGid gid : port.gids()) {
      if (gid.netdev() != null && !isOfAnother(gid.netdev(), device)) {
        return gid.netdev();
      }
    }
    List<String> several = ofPorts.getOrDefault(new Port(device.name(), port.number()), List.of());
    if (several.size() > 1) { // IPoIB children for other partitions also have the port's GUID
      several = several.stream().filter(name -> !isVirtual(name)).toList();
    }
    return several.size() == 1 ? several.get(0) : null;
  }

  private boolean isVirtual(String name) {
    Netdev netdev = netdevs.get(name);
    return netdev != null && netdev.virtual();
  }

  private @Nullable Match look(String name) {
    Netdev netdev = netdevs.get(name);
    String guid = netdev == null ? "" : interfaceOf(netdev.hardwareAddress());
    for (Way way : Way.values()) {
      Object by =
          switch (way) {
            case PORT, PARENT, GID -> name;
            case PORT_GUID, NODE_GUID -> guid;
            case FUNCTION -> netdev == null ? null : netdev.address();
          };
      for (Match match : by == null ? List.<Match>of() : matches(way, by)) {
        Match complete =
            switch (way) {
              case PORT, PARENT, PORT_GUID, GID -> match;
              case NODE_GUID -> new Match(match.device(), portOf(match.device(), netdev), way);
              case FUNCTION -> free(new Match(match.device(), portOf(match.device(), netdev), way));
            };
        if (complete != null) {
          return complete;
        }
      }
    }
    return null;
  }

  private List<Match> matches(Way way, Object by) {
    return index.getOrDefault(way, Map.of()).getOrDefault(by, List.of());
  }

  /** Representors of virtual functions are on the same function, but do not belong to the port. */
  private static @Nullable Match free(Match match) {
    boolean taken =
        match.device().ports().stream()
            .filter(port -> match.port().equals(OptionalInt.of(port.number())))
            .anyMatch(port -> port.netdev() != null);
    return taken ? null : match;
  }

  private static OptionalInt onlyPort(RdmaDevice device) {
    return device.ports().size() == 1
        ? OptionalInt.of(device.ports().get(0).number())
        : OptionalInt.empty();
  }

  /** The port of a netdev. Drivers number netdevs from 0, and the ports of RDMA devices from 1. */
  private static OptionalInt portOf(RdmaDevice device, @Nullable Netdev netdev) {
    if (device.ports().size() == 1 || netdev == null || netdev.devicePort().isEmpty()) {
      return onlyPort(device);
    }
    int number = netdev.devicePort().getAsInt() + 1;
    return device.ports().stream().anyMatch(port -> port.number() == number)
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }

  /** The last 8 of the 20 bytes of an IPoIB address, as a GUID; empty for other addresses. */
  static String interfaceOf(String hardwareAddress) {
    String[] bytes = hardwareAddress.split(":", -1);
    if (bytes.length != IPOIB_ADDRESS_BYTES) {
      return "";
    }
    StringBuilder guid = new StringBuilder();
    for (int i = IPOIB_ADDRESS_BYTES - 8; i < IPOIB_ADDRESS_BYTES; i++) {
      guid.append(i % 2 == 0 && !guid.isEmpty() ? ":" : "").append(bytes[i]);
    }
    return guid.toString();
  }
}
