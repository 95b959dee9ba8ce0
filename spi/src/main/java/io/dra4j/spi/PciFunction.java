package io.dra4j.spi;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A PCI function of a host. Created by {@link #at}, modified by {@link #toBuilder}.
 *
 * @param address its address
 * @param identity its vendor, device and class numbers; null if they cannot be read
 * @param vendorName the name of the vendor in the host's pci.ids; null if it is not there
 * @param deviceName the name of the device in the host's pci.ids; null if it is not there
 * @param driver the kernel driver bound to it; null if there is none
 * @param location its place in the PCI tree
 * @param pcieRoot the value of the attribute {@code resource.kubernetes.io/pcieRoot}; null if it
 *     has none by the rules of Kubernetes
 * @param link the current speed and width; null if not known
 * @param maxLink the maximum speed and width of the function; null if not known
 * @param portLink the maximum speed and width of the port above; null if not known
 * @param iommuGroup the number of its IOMMU group, if it has one
 * @param physicalFunction the physical function of an SR-IOV virtual function; null for all others
 * @param totalVirtualFunctions the maximum number of virtual functions; 0 if it has no SR-IOV
 * @param virtualFunctions the current virtual functions
 * @param names the names of its netdevs and RDMA devices, netdevs first
 * @param otherNames the names of its other devices: DRM cards, NVMe controllers
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

  /** Drivers of display controllers that compute nothing (Linux, drivers/gpu/drm and video). */
  private static final Set<String> ONLY_DRAWING =
      Set.of(
          "ast",
          "mgag200",
          "hibmc-drm",
          "bochs-drm",
          "cirrus",
          "cirrus-qemu",
          "qxl",
          "virtio-pci",
          "vmwgfx",
          "hyperv_drm",
          "hyperv_fb",
          "vboxvideo",
          "sm750fb");

  /**
   * {@return the kind of the device, by class with two exceptions} A function with a netdev or RDMA
   * device is a NIC; a display controller is no GPU if its vendor or driver offers no computing.
   */
  public DeviceKind kind() {
    DeviceKind kind = identity == null ? DeviceKind.UNKNOWN : identity.kind();
    if (kind == DeviceKind.GPU && driver != null && ONLY_DRAWING.contains(driver)) {
      kind = DeviceKind.DISPLAY;
    }
    return names.isEmpty() || kind == DeviceKind.BRIDGE ? kind : DeviceKind.NIC;
  }

  /**
   * {@return the link as NCCL counts it: the lower speed and the lower width of the device and the
   * port above it (NCCL, {@code src/graph/xml.cc}); null if neither is known}
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
   * {@return a builder of a function with this address; all other facts are unknown}
   *
   * @param address the address of the function
   */
  public static Builder at(PciAddress address) {
    return new Builder(address);
  }

  /** {@return a builder with the values of this function} */
  public Builder toBuilder() {
    Builder builder = new Builder(address);
    builder.identity = identity;
    builder.vendorName = vendorName;
    builder.deviceName = deviceName;
    builder.driver = driver;
    builder.location = location;
    builder.pcieRoot = pcieRoot;
    builder.link = link;
    builder.maxLink = maxLink;
    builder.portLink = portLink;
    builder.iommuGroup = iommuGroup;
    builder.physicalFunction = physicalFunction;
    builder.totalVirtualFunctions = totalVirtualFunctions;
    builder.virtualFunctions = virtualFunctions;
    builder.names = names;
    builder.otherNames = otherNames;
    return builder;
  }

  /** {@return the function as a device of the topology of its host} */
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
        kind() == DeviceKind.NVME ? otherNames : names);
  }

  /** Builds a PCI function. Not thread-safe. */
  public static final class Builder {

    private final PciAddress address;
    private @Nullable PciIdentity identity;
    private @Nullable String vendorName;
    private @Nullable String deviceName;
    private @Nullable String driver;
    private Location location = new Location(null, List.of(), OptionalInt.empty());
    private @Nullable String pcieRoot;
    private @Nullable PcieLink link;
    private @Nullable PcieLink maxLink;
    private @Nullable PcieLink portLink;
    private OptionalInt iommuGroup = OptionalInt.empty();
    private @Nullable PciAddress physicalFunction;
    private int totalVirtualFunctions;
    private List<PciAddress> virtualFunctions = List.of();
    private List<String> names = List.of();
    private List<String> otherNames = List.of();

    private Builder(PciAddress address) {
      this.address = address;
    }

    /**
     * Sets the vendor, device and class numbers of the function.
     *
     * @param identity the numbers; null if they cannot be read
     * @return this builder
     */
    public Builder identity(@Nullable PciIdentity identity) {
      this.identity = identity;
      return this;
    }

    /**
     * Sets the name of the vendor.
     *
     * @param vendorName the name in the host's pci.ids; null if it is not there
     * @return this builder
     */
    public Builder vendorName(@Nullable String vendorName) {
      this.vendorName = vendorName;
      return this;
    }

    /**
     * Sets the name of the device.
     *
     * @param deviceName the name in the host's pci.ids; null if it is not there
     * @return this builder
     */
    public Builder deviceName(@Nullable String deviceName) {
      this.deviceName = deviceName;
      return this;
    }

    /**
     * Sets the kernel driver bound to the function.
     *
     * @param driver the driver; null if there is none
     * @return this builder
     */
    public Builder driver(@Nullable String driver) {
      this.driver = driver;
      return this;
    }

    /**
     * Sets the place of the function in the PCI tree.
     *
     * @param location the place
     * @return this builder
     */
    public Builder location(Location location) {
      this.location = location;
      return this;
    }

    /**
     * Sets the value of the attribute {@code resource.kubernetes.io/pcieRoot}.
     *
     * @param pcieRoot the value, for example {@code pci0000:8c}; null if there is none by the rules
     *     of Kubernetes
     * @return this builder
     */
    public Builder pcieRoot(@Nullable String pcieRoot) {
      this.pcieRoot = pcieRoot;
      return this;
    }

    /**
     * Sets the current speed and width of the function.
     *
     * @param link the link; null if not known
     * @return this builder
     */
    public Builder link(@Nullable PcieLink link) {
      this.link = link;
      return this;
    }

    /**
     * Sets the maximum speed and width of the function.
     *
     * @param maxLink the link; null if not known
     * @return this builder
     */
    public Builder maxLink(@Nullable PcieLink maxLink) {
      this.maxLink = maxLink;
      return this;
    }

    /**
     * Sets the maximum speed and width of the port above.
     *
     * @param portLink the link; null if not known
     * @return this builder
     */
    public Builder portLink(@Nullable PcieLink portLink) {
      this.portLink = portLink;
      return this;
    }

    /**
     * Sets the IOMMU group.
     *
     * @param iommuGroup the number of the group
     * @return this builder
     */
    public Builder iommuGroup(int iommuGroup) {
      this.iommuGroup = OptionalInt.of(iommuGroup);
      return this;
    }

    /**
     * Makes the function a virtual function of SR-IOV.
     *
     * @param physicalFunction the physical function; null if this is not a virtual function
     * @return this builder
     */
    public Builder physicalFunction(@Nullable PciAddress physicalFunction) {
      this.physicalFunction = physicalFunction;
      return this;
    }

    /**
     * Sets the maximum number of virtual functions.
     *
     * @param totalVirtualFunctions the number; 0 without SR-IOV
     * @return this builder
     */
    public Builder totalVirtualFunctions(int totalVirtualFunctions) {
      this.totalVirtualFunctions = totalVirtualFunctions;
      return this;
    }

    /**
     * Sets the current virtual functions.
     *
     * @param virtualFunctions their addresses
     * @return this builder
     */
    public Builder virtualFunctions(List<PciAddress> virtualFunctions) {
      this.virtualFunctions = List.copyOf(virtualFunctions);
      return this;
    }

    /**
     * Sets the netdevs and RDMA devices of the function.
     *
     * @param names their names, netdevs first
     * @return this builder
     */
    public Builder names(List<String> names) {
      this.names = List.copyOf(names);
      return this;
    }

    /**
     * Sets the other devices of the function: DRM cards, NVMe controllers.
     *
     * @param otherNames their names
     * @return this builder
     */
    public Builder otherNames(List<String> otherNames) {
      this.otherNames = List.copyOf(otherNames);
      return this;
    }

    /** {@return the function with the values set so far} */
    public PciFunction build() {
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
          names,
          otherNames);
    }
  }
}
