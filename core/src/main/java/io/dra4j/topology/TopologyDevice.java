package io.dra4j.topology;

import io.dra4j.model.DeviceId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A device of a host with its location.
 *
 * @param id unique in the host: the PCI address, or {@code driver/pool/name} of a device from a
 *     ResourceSlice
 * @param kind the kind of the device
 * @param address its PCI address; null if not known
 * @param identity its PCI identity; null if not known
 * @param location its location
 * @param pcieRoot the value of the attribute {@code resource.kubernetes.io/pcieRoot} (KEP-4381);
 *     null if it has none, as on Hyper-V
 * @param physicalFunction the physical function of an SR-IOV virtual function; null for all others
 * @param link the fastest link it can have: its own limit or the limit of the port above, whichever
 *     is slower; null if not known
 * @param names the netdevs, RDMA devices and other devices of the operating system on it
 * @param megabitsPerSecond the rate of its fastest network or RDMA port in one direction; absent if
 *     it is not a NIC or the rate is not known
 * @param published its identity in a cluster; null if no ResourceSlice has it
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
   * Copies the names; an empty pcieRoot counts as absent. {@inheritDoc}
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
          "device "
              + id
              + ": expected a rate above 0 Mbit/s, found "
              + megabitsPerSecond.getAsLong());
    }
  }

  /**
   * Creates a device whose rate is not known and that no driver published.
   *
   * @param id unique in the host
   * @param kind the kind of the device
   * @param address its PCI address; null if not known
   * @param identity its PCI identity; null if not known
   * @param location its location
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
   * {@return a PCI function of which only the location is known}
   *
   * @param address its address, which also becomes its id
   * @param kind the kind of the device
   * @param location its location
   */
  public static TopologyDevice of(PciAddress address, DeviceKind kind, Location location) {
    Objects.requireNonNull(address, "address");
    return new TopologyDevice(
        address.toString(), kind, address, null, location, null, null, null, List.of());
  }

  /**
   * {@return this device with another NUMA node}
   *
   * @param node the NUMA node
   */
  public TopologyDevice withNumaNode(int node) {
    return withLocation(location.withNumaNode(node));
  }

  /** This device with another location. */
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
   * {@return this device with other names}
   *
   * @param newNames the names
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
   * {@return this device with another kind}
   *
   * @param newKind the kind
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
   * {@return this device with another link and rate}
   *
   * @param newLink the fastest link it can have; null if not known
   * @param newMegabitsPerSecond the rate of its fastest port in one direction, if known
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

  /** {@return the first of its names, if it has one} */
  public Optional<String> name() {
    return names.stream().findFirst();
  }
}
