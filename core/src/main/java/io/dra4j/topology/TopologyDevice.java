package io.dra4j.topology;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device of a host, as far as its place matters.
 *
 * @param id unique in the host: the PCI address, or {@code driver/pool/name} of a device from a
 *     ResourceSlice
 * @param kind what it is for
 * @param address its PCI address; null if not known
 * @param identity its PCI identity; null if not known
 * @param location where it sits
 * @param pcieRoot the value of the attribute {@code resource.kubernetes.io/pcieRoot} (KEP-4381);
 *     null if it has none, as on Hyper-V
 * @param physicalFunction the physical function of an SR-IOV virtual function; null for all others
 * @param link the fastest link it can have: its own limit or that of the port above, whichever is
 *     slower; null if not known
 * @param names the netdevs, RDMA devices and other devices of the operating system on it
 */
public record TopologyDevice(
    String id,
    DeviceKind kind,
    @Nullable PciAddress address,
    @Nullable PciIdentity identity,
    Location location,
    @Nullable String pcieRoot,
    @Nullable PciAddress physicalFunction,
    @Nullable PcieLink link,
    List<String> names) {

  /** Copies the names. {@inheritDoc} */
  public TopologyDevice {
    names = List.copyOf(names);
  }

  /**
   * A PCI function of which only the place is known.
   *
   * @param address its address, which also becomes its id
   * @param kind what it is for
   * @param location where it sits
   * @return the device
   */
  public static TopologyDevice of(PciAddress address, DeviceKind kind, Location location) {
    return new TopologyDevice(
        address.toString(), kind, address, null, location, null, null, null, List.of());
  }

  /**
   * The same device in another NUMA node.
   *
   * @param node the NUMA node
   * @return the device
   */
  public TopologyDevice withNumaNode(int node) {
    return new TopologyDevice(
        id,
        kind,
        address,
        identity,
        location.withNumaNode(node),
        pcieRoot,
        physicalFunction,
        link,
        names);
  }

  /**
   * The same device under other names.
   *
   * @param newNames the names
   * @return the device
   */
  public TopologyDevice withNames(List<String> newNames) {
    return new TopologyDevice(
        id, kind, address, identity, location, pcieRoot, physicalFunction, link, newNames);
  }

  /**
   * The same device, known to be for something else.
   *
   * @param newKind what it is for
   * @return the device
   */
  public TopologyDevice withKind(DeviceKind newKind) {
    return new TopologyDevice(
        id, newKind, address, identity, location, pcieRoot, physicalFunction, link, names);
  }

  /**
   * The first of its names.
   *
   * @return a name, if it has one
   */
  public Optional<String> name() {
    return names.stream().findFirst();
  }
}
