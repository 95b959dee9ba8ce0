package io.dra4j.topology;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recorded tree of PCI devices: an NCCL topology file or an export of hwloc. Its devices are
 * matched with those of the host by their PCI addresses, NICs without one by their names; what the
 * host does not have is added.
 *
 * @param origin where it was read
 * @param source {@link TopologySource#NCCL_XML} or {@link TopologySource#HWLOC_XML}
 * @param levels what one bridge in a location of this tree stands for
 * @param devices the devices that are no bridges, with their places in this tree
 * @param bridges the bridges that the places name
 * @param numaNodes the NUMA nodes it describes; may be empty
 * @param links links beside the tree, by PCI address
 * @param cpu the processors it describes; null if it does not
 * @param unplaced the ids of NICs without PCI address that sit where they do because nobody knew
 *     better; where another source has the device of that name, their places do not count
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
    Set<String> unplaced)
    implements TopologyOverlay {

  /** What the levels of a tree are. */
  public enum Levels {
    /** Each level is a bridge, as in the kernel: a switch makes two. */
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
  }

  /**
   * A tree that means all its places.
   *
   * @param origin where it was read
   * @param source {@link TopologySource#NCCL_XML} or {@link TopologySource#HWLOC_XML}
   * @param levels what one bridge in a location of this tree stands for
   * @param devices the devices that are no bridges, with their places in this tree
   * @param bridges the bridges that the places name
   * @param numaNodes the NUMA nodes it describes; may be empty
   * @param links links beside the tree, by PCI address
   * @param cpu the processors it describes; null if it does not
   */
  public TreeOverlay(
      String origin,
      TopologySource source,
      Levels levels,
      List<TopologyDevice> devices,
      List<TopologyDevice> bridges,
      List<NumaNode> numaNodes,
      List<DirectLink> links,
      @Nullable CpuModel cpu) {
    this(origin, source, levels, devices, bridges, numaNodes, links, cpu, Set.of());
  }

  @Override
  public OverlayContribution contribution() {
    return new TreeContribution(this);
  }

  @Override
  public OverlayMatch match(HostTopology host) {
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
    return new OverlayMatch(found, recorded);
  }
}
