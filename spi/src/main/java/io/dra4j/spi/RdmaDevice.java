package io.dra4j.spi;

import io.dra4j.topology.PciAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An RDMA device of a host. Created by {@link #named}, modified by {@link #toBuilder}.
 *
 * @param name its name, for example {@code mlx5_0}
 * @param index the number that the kernel gave it and RDMA netlink uses, if known
 * @param address the PCI function it is on, directly or through its netdev; null if it is on none
 * @param parent the netdev that a software device such as rxe is built on; null for hardware
 * @param driver the kernel driver of its PCI function, for example {@code mlx5_core}; null for a
 *     software device or if not known
 * @param protocol the protocol, as the kernel names it: {@code ib} (InfiniBand), {@code roce},
 *     {@code iw} (iWARP), {@code opa} or {@code usnic}; empty if not known
 * @param nodeType as Linux writes it, for example {@code 1: CA}; empty if not known
 * @param nodeGuid as Linux writes it, for example {@code 506b:4b03:00f6:a3c2}; empty if not known
 * @param sysImageGuid in the same form; empty if not known
 * @param firmwareVersion empty if not known
 * @param model the type of the adapter as its driver names it, for example {@code MT4099}; empty if
 *     not known
 * @param boardId the name of the board, for example {@code DEL0A30000019}; empty if not known
 * @param description the description of the node in its subnet, for example {@code host1 HCA-1};
 *     empty if not known
 * @param maxQueuePairs the maximum number of queue pairs, if known
 * @param maxMemoryRegions the maximum number of memory regions, if known
 * @param ports its ports by number
 */
public record RdmaDevice(
    String name,
    OptionalInt index,
    @Nullable PciAddress address,
    @Nullable String parent,
    @Nullable String driver,
    String protocol,
    String nodeType,
    String nodeGuid,
    String sysImageGuid,
    String firmwareVersion,
    String model,
    String boardId,
    String description,
    OptionalLong maxQueuePairs,
    OptionalLong maxMemoryRegions,
    List<RdmaPort> ports) {

  /** Copies the ports. {@inheritDoc} */
  public RdmaDevice {
    ports = List.copyOf(ports);
  }

  /**
   * {@return a builder of a device with this name; all other facts are unknown}
   *
   * @param name the name of the device, for example {@code mlx5_0}
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** {@return a builder with the values of this device} */
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    builder.index = index;
    builder.address = address;
    builder.parent = parent;
    builder.driver = driver;
    builder.protocol = protocol;
    builder.nodeType = nodeType;
    builder.nodeGuid = nodeGuid;
    builder.sysImageGuid = sysImageGuid;
    builder.firmwareVersion = firmwareVersion;
    builder.model = model;
    builder.boardId = boardId;
    builder.description = description;
    builder.maxQueuePairs = maxQueuePairs;
    builder.maxMemoryRegions = maxMemoryRegions;
    builder.ports = ports;
    return builder;
  }

  /** Builds an RDMA device. Not thread-safe. */
  public static final class Builder {

    private final String name;
    private OptionalInt index = OptionalInt.empty();
    private @Nullable PciAddress address;
    private @Nullable String parent;
    private @Nullable String driver;
    private String protocol = "";
    private String nodeType = "";
    private String nodeGuid = "";
    private String sysImageGuid = "";
    private String firmwareVersion = "";
    private String model = "";
    private String boardId = "";
    private String description = "";
    private OptionalLong maxQueuePairs = OptionalLong.empty();
    private OptionalLong maxMemoryRegions = OptionalLong.empty();
    private List<RdmaPort> ports = List.of();

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the number that the kernel gave the device.
     *
     * @param index the number, from 0
     * @return this builder
     */
    public Builder index(int index) {
      this.index = OptionalInt.of(index);
      return this;
    }

    /**
     * Sets the PCI function.
     *
     * @param address the function; null if the device is on none
     * @return this builder
     */
    public Builder address(@Nullable PciAddress address) {
      this.address = address;
      return this;
    }

    /**
     * Sets the netdev that a software device is built on.
     *
     * @param parent the name of the netdev; null for hardware
     * @return this builder
     */
    public Builder parent(@Nullable String parent) {
      this.parent = parent;
      return this;
    }

    /**
     * Sets the kernel driver.
     *
     * @param driver the driver of the PCI function; null if there is none or it is not known
     * @return this builder
     */
    public Builder driver(@Nullable String driver) {
      this.driver = driver;
      return this;
    }

    /**
     * Sets the protocol of the device.
     *
     * @param protocol {@code ib}, {@code roce}, {@code iw}, {@code opa} or {@code usnic}; empty if
     *     not known
     * @return this builder
     */
    public Builder protocol(String protocol) {
      this.protocol = protocol;
      return this;
    }

    /**
     * Sets the type of the node.
     *
     * @param nodeType for example {@code 1: CA}; empty if not known
     * @return this builder
     */
    public Builder nodeType(String nodeType) {
      this.nodeType = nodeType;
      return this;
    }

    /**
     * Sets the GUID of the node.
     *
     * @param nodeGuid for example {@code 506b:4b03:00f6:a3c2}; empty if not known
     * @return this builder
     */
    public Builder nodeGuid(String nodeGuid) {
      this.nodeGuid = nodeGuid;
      return this;
    }

    /**
     * Sets the GUID of the system that the device is in.
     *
     * @param sysImageGuid for example {@code 506b:4b03:00f6:a3c2}; empty if not known
     * @return this builder
     */
    public Builder sysImageGuid(String sysImageGuid) {
      this.sysImageGuid = sysImageGuid;
      return this;
    }

    /**
     * Sets the version of the firmware.
     *
     * @param firmwareVersion the version; empty if not known
     * @return this builder
     */
    public Builder firmwareVersion(String firmwareVersion) {
      this.firmwareVersion = firmwareVersion;
      return this;
    }

    /**
     * Sets the type of the adapter.
     *
     * @param model as its driver names it, for example {@code MT4099}; empty if not known
     * @return this builder
     */
    public Builder model(String model) {
      this.model = model;
      return this;
    }

    /**
     * Sets the name of the board.
     *
     * @param boardId for example {@code DEL0A30000019}; empty if not known
     * @return this builder
     */
    public Builder boardId(String boardId) {
      this.boardId = boardId;
      return this;
    }

    /**
     * Sets the description of the node in its subnet.
     *
     * @param description for example {@code host1 HCA-1}; empty if not known
     * @return this builder
     */
    public Builder description(String description) {
      this.description = description;
      return this;
    }

    /**
     * Sets the maximum number of queue pairs.
     *
     * @param maxQueuePairs the number, for all processes of the host together
     * @return this builder
     */
    public Builder maxQueuePairs(long maxQueuePairs) {
      this.maxQueuePairs = OptionalLong.of(maxQueuePairs);
      return this;
    }

    /**
     * Sets the maximum number of memory regions.
     *
     * @param maxMemoryRegions the number, for all processes of the host together
     * @return this builder
     */
    public Builder maxMemoryRegions(long maxMemoryRegions) {
      this.maxMemoryRegions = OptionalLong.of(maxMemoryRegions);
      return this;
    }

    /**
     * Sets the ports.
     *
     * @param ports the ports by number
     * @return this builder
     */
    public Builder ports(List<RdmaPort> ports) {
      this.ports = List.copyOf(ports);
      return this;
    }

    /** {@return the device with the values set so far} */
    public RdmaDevice build() {
      return new RdmaDevice(
          name,
          index,
          address,
          parent,
          driver,
          protocol,
          nodeType,
          nodeGuid,
          sysImageGuid,
          firmwareVersion,
          model,
          boardId,
          description,
          maxQueuePairs,
          maxMemoryRegions,
          ports);
    }
  }
}
