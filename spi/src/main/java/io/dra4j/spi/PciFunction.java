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
 * A PCI function of a host. Made by {@link #at}, changed by {@link #toBuilder}.
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
   * What it is for: what its class says, except that whatever carries a netdev or an RDMA device is
   * a NIC, and that a display controller whose maker or driver only draws is no GPU.
   *
   * @return the kind
   */
  public DeviceKind kind() {
    DeviceKind kind = identity == null ? DeviceKind.UNKNOWN : identity.kind();
    if (kind == DeviceKind.GPU && driver != null && ONLY_DRAWING.contains(driver)) {
      kind = DeviceKind.DISPLAY;
    }
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
   * Starts a function of which nothing but the address is known.
   *
   * @param address the address of the function
   * @return the builder
   */
  public static Builder at(PciAddress address) {
    return new Builder(address);
  }

  /**
   * Starts a function like this one.
   *
   * @return the builder
   */
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
        kind() == DeviceKind.NVME ? otherNames : names);
  }

  /** Makes a PCI function. Not thread-safe. */
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
     * Sets the numbers of the function.
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
     * Sets where the function sits.
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
     * @param pcieRoot the value, for example {@code pci0000:8c}; null if Kubernetes' rules give
     *     none
     * @return this builder
     */
    public Builder pcieRoot(@Nullable String pcieRoot) {
      this.pcieRoot = pcieRoot;
      return this;
    }

    /**
     * Sets the speed and width that the function has now.
     *
     * @param link the link; null if not known
     * @return this builder
     */
    public Builder link(@Nullable PcieLink link) {
      this.link = link;
      return this;
    }

    /**
     * Sets the fastest that the function can do.
     *
     * @param maxLink the link; null if not known
     * @return this builder
     */
    public Builder maxLink(@Nullable PcieLink maxLink) {
      this.maxLink = maxLink;
      return this;
    }

    /**
     * Sets the fastest that the port above can do.
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
     * Makes the function a virtual one of SR-IOV.
     *
     * @param physicalFunction the physical function; null if this is no virtual one
     * @return this builder
     */
    public Builder physicalFunction(@Nullable PciAddress physicalFunction) {
      this.physicalFunction = physicalFunction;
      return this;
    }

    /**
     * Sets how many virtual functions there can be.
     *
     * @param totalVirtualFunctions the number; 0 without SR-IOV
     * @return this builder
     */
    public Builder totalVirtualFunctions(int totalVirtualFunctions) {
      this.totalVirtualFunctions = totalVirtualFunctions;
      return this;
    }

    /**
     * Sets the virtual functions that there are now.
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

    /**
     * Makes the function.
     *
     * @return the function
     */
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
