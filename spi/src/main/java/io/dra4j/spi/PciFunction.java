package io.dra4j.spi;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A PCI function of a host.
 *
 * @param address its address
 * @param identity its numbers; null if they cannot be read
 * @param vendorName the name of the vendor in the host's pci.ids; null if it is not there
 * @param deviceName the name of the device in the host's pci.ids; null if it is not there
 * @param driver the kernel driver bound to it; null if there is none
 * @param location where it sits
 * @param pcieRoot the value of the attribute {@code resource.kubernetes.io/pcieRoot}; null if
 *     Kubernetes' rules give it none
 * @param link the speed and width it has now; null if not known
 * @param maxLink the fastest it can do; null if not known
 * @param portLink the fastest that the port above can do; null if not known
 * @param iommuGroup the number of its IOMMU group, if it has one
 * @param physicalFunction the physical function of an SR-IOV virtual function; null for all others
 * @param totalVirtualFunctions how many virtual functions it can have; 0 if it has no SR-IOV
 * @param virtualFunctions the virtual functions it has now
 * @param names its netdevs and RDMA devices, those first
 * @param otherNames its other devices: DRM cards, NVMe controllers
 */
public record PciFunction(
    PciAddress address,
    @Nullable PciIdentity identity,
    @Nullable String vendorName,
    @Nullable String deviceName,
    @Nullable String driver,
    Location location,
    @Nullable String pcieRoot,
    @Nullable PcieLink link,
    @Nullable PcieLink maxLink,
    @Nullable PcieLink portLink,
    OptionalInt iommuGroup,
    @Nullable PciAddress physicalFunction,
    int totalVirtualFunctions,
    List<PciAddress> virtualFunctions,
    List<String> names,
    List<String> otherNames) {

  /** Copies the lists. {@inheritDoc} */
  public PciFunction {
    virtualFunctions = List.copyOf(virtualFunctions);
    names = List.copyOf(names);
    otherNames = List.copyOf(otherNames);
  }

  /**
   * What it is for: what its class says, except that whatever carries a netdev or an RDMA device is
   * a NIC.
   *
   * @return the kind
   */
  public DeviceKind kind() {
    DeviceKind kind = identity == null ? DeviceKind.OTHER : identity.kind();
    return names.isEmpty() || kind == DeviceKind.BRIDGE ? kind : DeviceKind.NIC;
  }

  /**
   * The link as NCCL counts it: no faster than the device and the port above it (NCCL, {@code
   * src/graph/xml.cc}).
   *
   * @return the slower speed and the lesser width of the two; null if neither is known
   */
  public @Nullable PcieLink usableLink() {
    if (maxLink == null || portLink == null) {
      return maxLink == null ? portLink : maxLink;
    }
    return new PcieLink(
        Math.min(maxLink.megatransfersPerSecond(), portLink.megatransfersPerSecond()),
        Math.min(maxLink.width(), portLink.width()));
  }

  /**
   * The same function under other names.
   *
   * @param newNames its netdevs and RDMA devices
   * @return the function
   */
  public PciFunction withNames(List<String> newNames) {
    return new PciFunction(
        address,
        identity,
        vendorName,
        deviceName,
        driver,
        location,
        pcieRoot,
        link,
        maxLink,
        portLink,
        iommuGroup,
        physicalFunction,
        totalVirtualFunctions,
        virtualFunctions,
        newNames,
        otherNames);
  }

  /**
   * The same function below another port.
   *
   * @param newPortLink the fastest that the port above can do
   * @return the function
   */
  public PciFunction withPortLink(PcieLink newPortLink) {
    return new PciFunction(
        address,
        identity,
        vendorName,
        deviceName,
        driver,
        location,
        pcieRoot,
        link,
        maxLink,
        newPortLink,
        iommuGroup,
        physicalFunction,
        totalVirtualFunctions,
        virtualFunctions,
        names,
        otherNames);
  }

  /**
   * The function as a place in the topology of its host.
   *
   * @return the device
   */
  public TopologyDevice toTopologyDevice() {
    return new TopologyDevice(
        address.toString(),
        kind(),
        address,
        identity,
        location,
        pcieRoot,
        physicalFunction,
        usableLink(),
        names);
  }
}
