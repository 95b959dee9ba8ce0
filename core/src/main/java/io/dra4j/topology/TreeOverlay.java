package io.dra4j.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recorded tree of PCI devices: an NCCL topology file or an export of hwloc. Its devices are
 * matched with the devices of the host by their PCI addresses, and NICs without an address by their
 * names. Devices that the host does not have are added.
 *
 * @param origin the place where it was read, for messages
 * @param source {@link TopologySource#NCCL_XML} or {@link TopologySource#HWLOC_XML}
 * @param levels the meaning of one bridge in a location of this tree
 * @param devices the devices other than bridges, with their locations in this tree
 * @param bridges the bridges in these locations
 * @param numaNodes the NUMA nodes it describes; may be empty
 * @param links links outside the tree, by PCI address
 * @param cpu the processors it describes, or null
 * @param unplaced the ids of NICs without PCI address whose location is a guess; if another source
 *     has a device with this name, their locations do not count
 * @param guestNodes for a tree that was recorded on the host of a virtual machine: the NUMA nodes
 *     of devices in the machine, by id, if known. The numbers in the locations of devices are then
 *     numbers of the host, and only show which devices share a node. Null for a tree that was
 *     recorded on the machine itself
 */
public record TreeOverlay(
    String origin,
    TopologySource source,
    Levels levels,
    List<TopologyDevice> devices,
    List<TopologyDevice> bridges,
    List<NumaNode> numaNodes,
    List<DirectLink> links,
    @Nullable CpuModel cpu,
    Set<String> unplaced,
    @Nullable Map<String, Integer> guestNodes)
    implements TopologyOverlay {

  /** The meaning of the levels of a tree. */
  public enum Levels {
    /** Each level is a bridge, as in the kernel: a switch has two levels. */
    BRIDGES,
    /**
     * Each level is a whole switch, and there are no host bridges: {@link Location#root()} names
     * the NUMA node. NCCL writes trees like this ({@code src/graph/xml.cc}).
     */
    SWITCHES
  }

  /** Copies the lists. {@inheritDoc} */
  public TreeOverlay {
    devices = List.copyOf(devices);
    bridges = List.copyOf(bridges);
    numaNodes = List.copyOf(numaNodes);
    links = List.copyOf(links);
    unplaced = Set.copyOf(unplaced);
    guestNodes = guestNodes == null ? null : Map.copyOf(guestNodes);
  }

  /** The NUMA node of a device of this tree on the machine of the topology, if known. */
  OptionalInt numaNode(TopologyDevice device) {
    if (guestNodes == null) {
      return device.location().numaNode();
    }
    Integer node = guestNodes.get(device.id());
    return node == null ? OptionalInt.empty() : OptionalInt.of(node);
  }

  /** A device of this tree with its NUMA node on the machine, or without any. */
  TopologyDevice there(TopologyDevice device) {
    Location place = device.location();
    return guestNodes == null
        ? device
        : device.withLocation(new Location(place.root(), place.bridges(), numaNode(device)));
  }

  /**
   * {@return a builder for a tree without devices}
   *
   * @param origin the place where it was read, for messages
   * @param source {@link TopologySource#NCCL_XML} or {@link TopologySource#HWLOC_XML}
   * @param levels the meaning of one bridge in a location of this tree
   */
  public static Builder builder(String origin, TopologySource source, Levels levels) {
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(levels, "levels");
    return new Builder(origin, source, levels);
  }

  /**
   * {@return this tree, recorded on the host of a virtual machine, for the virtual machine} Devices
   * get their addresses in the machine; devices without such an address are left out. Bridges get
   * addresses that no machine has, so that they never match a bridge of the guest. The NUMA nodes
   * of the host are left out, because the machine has its own numbers.
   *
   * @param guestAddresses the addresses in the virtual machine by the recorded addresses
   * @param nodes the NUMA nodes in the virtual machine by the addresses there; devices without an
   *     entry have no known node
   */
  public TreeOverlay withAddresses(
      Map<PciAddress, PciAddress> guestAddresses, Map<PciAddress, Integer> nodes) {
    Objects.requireNonNull(guestAddresses, "guestAddresses");
    Objects.requireNonNull(nodes, "nodes");
    Map<PciAddress, PciAddress> ofBridges = addressesOfBridges();
    Map<String, String> ids = new HashMap<>();
    Map<String, Integer> movedNodes = new HashMap<>();
    List<TopologyDevice> moved = new ArrayList<>();
    for (TopologyDevice device : devices) {
      PciAddress address = device.address() == null ? null : guestAddresses.get(device.address());
      if (address != null || device.address() == null) {
        TopologyDevice there = at(device, address, ofBridges, guestAddresses);
        ids.put(device.id(), there.id());
        moved.add(there);
        if (address != null && nodes.containsKey(address)) {
          movedNodes.put(there.id(), nodes.get(address));
        }
      }
    }
    return new TreeOverlay(
        origin,
        source,
        levels,
        moved,
        bridges.stream()
            .map(bridge -> at(bridge, ofBridges.get(bridge.address()), ofBridges, guestAddresses))
            .toList(),
        List.of(),
        linksBetween(ids, movedNodes),
        cpu,
        unplaced,
        movedNodes);
  }

  private Map<PciAddress, PciAddress> addressesOfBridges() {
    Map<PciAddress, PciAddress> addresses = new HashMap<>();
    for (TopologyDevice bridge : bridges) {
      int number = addresses.size();
      addresses.putIfAbsent(
          Objects.requireNonNull(bridge.address(), "a bridge has an address"),
          PciAddress.parse(
              "ffff:%02x:%02x.%x"
                  .formatted(0xff - (number >> 8 & 0xff), number >> 3 & 31, number & 7)));
    }
    return addresses;
  }

  private List<DirectLink> linksBetween(Map<String, String> ids, Map<String, Integer> nodes) {
    List<DirectLink> kept = new ArrayList<>();
    for (DirectLink link : links) {
      String a = ids.get(link.a());
      String b = ids.get(link.b());
      if (a != null && link.type() == DirectLink.Type.C2C) { // a link to a NUMA node
        Integer node = nodes.get(a);
        b = node == null ? link.b() : DirectLink.numaNode(node);
      }
      if (a != null && b != null) {
        kept.add(link.between(a, b));
      }
    }
    return kept;
  }

  private static TopologyDevice at(
      TopologyDevice device,
      @Nullable PciAddress address,
      Map<PciAddress, PciAddress> ofBridges,
      Map<PciAddress, PciAddress> ofDevices) {
    Location place = device.location();
    return new TopologyDevice(
        address == null ? device.id() : address.toString(),
        device.kind(),
        address,
        device.identity(),
        new Location(
            place.root(),
            place.bridges().stream().map(bridge -> ofBridges.getOrDefault(bridge, bridge)).toList(),
            place.numaNode()),
        device.pcieRoot(),
        device.physicalFunction() == null ? null : ofDevices.get(device.physicalFunction()),
        device.link(),
        device.names(),
        device.megabitsPerSecond(),
        device.published());
  }

  @Override
  public OverlayMatch match(HostTopology host) {
    Objects.requireNonNull(host, "host");
    return matchWith(host.devices());
  }

  OverlayMatch matchWith(Collection<TopologyDevice> others) {
    Set<PciAddress> addresses = new HashSet<>();
    for (TopologyDevice device : others) {
      if (device.address() != null) {
        addresses.add(device.address());
      }
    }
    int found = 0;
    int recorded = 0;
    for (TopologyDevice device : devices) {
      if (device.address() != null && device.kind().isEndpoint()) {
        recorded++;
        found += addresses.contains(device.address()) ? 1 : 0;
      }
    }
    return new OverlayMatch(found, recorded, List.of());
  }

  /** Collects the parts of a tree; parts that are not set are empty. For one thread. */
  public static final class Builder {
    private final String origin;
    private final TopologySource source;
    private final Levels levels;
    private List<TopologyDevice> devices = List.of();
    private List<TopologyDevice> bridges = List.of();
    private List<NumaNode> numaNodes = List.of();
    private List<DirectLink> links = List.of();
    private @Nullable CpuModel cpu;
    private Set<String> unplaced = Set.of();

    private Builder(String origin, TopologySource source, Levels levels) {
      this.origin = origin;
      this.source = source;
      this.levels = levels;
    }

    /**
     * Sets the devices.
     *
     * @param devices the devices other than bridges, with their locations in this tree
     * @return this builder
     */
    public Builder devices(List<TopologyDevice> devices) {
      Objects.requireNonNull(devices, "devices");
      this.devices = devices;
      return this;
    }

    /**
     * Sets the bridges.
     *
     * @param bridges the bridges in these locations
     * @return this builder
     */
    public Builder bridges(List<TopologyDevice> bridges) {
      Objects.requireNonNull(bridges, "bridges");
      this.bridges = bridges;
      return this;
    }

    /**
     * Sets the NUMA nodes.
     *
     * @param numaNodes the NUMA nodes that it describes
     * @return this builder
     */
    public Builder numaNodes(List<NumaNode> numaNodes) {
      Objects.requireNonNull(numaNodes, "numaNodes");
      this.numaNodes = numaNodes;
      return this;
    }

    /**
     * Sets the links outside the tree.
     *
     * @param links links outside the tree, by PCI address
     * @return this builder
     */
    public Builder links(List<DirectLink> links) {
      Objects.requireNonNull(links, "links");
      this.links = links;
      return this;
    }

    /**
     * Sets the processors.
     *
     * @param cpu the processors that it describes, or null
     * @return this builder
     */
    public Builder cpu(@Nullable CpuModel cpu) {
      this.cpu = cpu;
      return this;
    }

    /**
     * Sets the NICs without a certain location.
     *
     * @param unplaced the ids of NICs whose location is a guess, see {@link TreeOverlay#unplaced()}
     * @return this builder
     */
    public Builder unplaced(Set<String> unplaced) {
      Objects.requireNonNull(unplaced, "unplaced");
      this.unplaced = unplaced;
      return this;
    }

    /** {@return the tree, with copies of the lists} */
    public TreeOverlay build() {
      return new TreeOverlay(
          origin, source, levels, devices, bridges, numaNodes, links, cpu, unplaced, null);
    }
  }
}
