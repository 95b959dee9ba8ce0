package io.dra4j.topology;

import io.dra4j.model.DeviceId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A device of a host with its place.
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
 * @param megabitsPerSecond what its fastest network or RDMA port carries in one direction; absent
 *     if it is no NIC or the rate is not known
 * @param published what identifies it in a cluster; null if no ResourceSlice says so
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
    List<String> names,
    OptionalLong megabitsPerSecond,
    @Nullable DeviceId published) {

  /**
   * Copies the names; an empty pcieRoot is none. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the rate is not positive
   */
  public TopologyDevice {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(location, "location");
    pcieRoot = pcieRoot == null || pcieRoot.isEmpty() ? null : pcieRoot;
    names = List.copyOf(Objects.requireNonNull(names, "names"));
    Objects.requireNonNull(megabitsPerSecond, "megabitsPerSecond");
    if (megabitsPerSecond.isPresent() && megabitsPerSecond.getAsLong() <= 0) {
      throw new IllegalArgumentException(
          "device " + id + ": want a rate above 0 Mbit/s, got " + megabitsPerSecond.getAsLong());
    }
  }

  /**
   * Makes a device whose rate is not known and that no driver published.
   *
   * @param id unique in the host
   * @param kind what it is for
   * @param address its PCI address; null if not known
   * @param identity its PCI identity; null if not known
   * @param location where it sits
   * @param pcieRoot the value of the attribute {@code resource.kubernetes.io/pcieRoot}; null if it
   *     has none
   * @param physicalFunction the physical function of an SR-IOV virtual function; null for others
   * @param link the fastest link it can have; null if not known
   * @param names the netdevs, RDMA devices and other devices of the operating system on it
   */
  public TopologyDevice(
      String id,
      DeviceKind kind,
      @Nullable PciAddress address,
      @Nullable PciIdentity identity,
      Location location,
      @Nullable String pcieRoot,
      @Nullable PciAddress physicalFunction,
      @Nullable PcieLink link,
      List<String> names) {
    this(
        id,
        kind,
        address,
        identity,
        location,
        pcieRoot,
        physicalFunction,
        link,
        names,
        OptionalLong.empty(),
        null);
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
    Objects.requireNonNull(address, "address");
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
    return withLocation(location.withNumaNode(node));
  }

  /** The same device in another place. */
  TopologyDevice withLocation(Location newLocation) {
    return new TopologyDevice(
        id,
        kind,
        address,
        identity,
        newLocation,
        pcieRoot,
        physicalFunction,
        link,
        names,
        megabitsPerSecond,
        published);
  }

  /**
   * The same device under other names.
   *
   * @param newNames the names
   * @return the device
   */
  public TopologyDevice withNames(List<String> newNames) {
    return new TopologyDevice(
        id,
        kind,
        address,
        identity,
        location,
        pcieRoot,
        physicalFunction,
        link,
        newNames,
        megabitsPerSecond,
        published);
  }

  /**
   * The same device, known to be for something else.
   *
   * @param newKind what it is for
   * @return the device
   */
  public TopologyDevice withKind(DeviceKind newKind) {
    return new TopologyDevice(
        id,
        newKind,
        address,
        identity,
        location,
        pcieRoot,
        physicalFunction,
        link,
        names,
        megabitsPerSecond,
        published);
  }

  /**
   * The same device with another link and rate.
   *
   * @param newLink the fastest link it can have; null if not known
   * @param newMegabitsPerSecond what its fastest port carries in one direction, if known
   * @return the device
   */
  public TopologyDevice withRates(@Nullable PcieLink newLink, OptionalLong newMegabitsPerSecond) {
    Objects.requireNonNull(newMegabitsPerSecond, "newMegabitsPerSecond");
    return new TopologyDevice(
        id,
        kind,
        address,
        identity,
        location,
        pcieRoot,
        physicalFunction,
        newLink,
        names,
        newMegabitsPerSecond,
        published);
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
