package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices, or their shared counters, as one driver publishes them for one pool (KEP-4381).
 *
 * @param metadata name and labels; the name decides the order of the slices in a pool
 * @param driver the driver's name
 * @param pool the pool that the slice is a part of
 * @param nodeSelection the nodes from which the devices can be used
 * @param perDeviceNodeSelection whether each device has its own node selection; {@code null} when
 *     not given
 * @param devices the devices; their order is the order in which they are tried
 * @param sharedCounters counters for the devices of the pool
 * @param partitionTypeAttribute the attribute that distinguishes partitions of different shape, or
 *     {@code null}
 * @param skipNodeOperations kubelet calls that the driver does not need: {@code
 *     NodePrepareResources}, {@code NodeUnprepareResources} or {@code *} for both
 */
public record ResourceSlice(
    ObjectMeta metadata,
    String driver,
    ResourcePool pool,
    NodeSelection nodeSelection,
    @Nullable Boolean perDeviceNodeSelection,
    List<Device> devices,
    List<CounterSet> sharedCounters,
    @Nullable String partitionTypeAttribute,
    List<String> skipNodeOperations)
    implements KubernetesObject {

  private static final int MAX_SHOWN = 4;

  /**
   * Copies the lists. The devices of this slice share equal names and values of attributes and
   * capacities in memory. {@inheritDoc}
   */
  public ResourceSlice {
    Checks.value("ResourceSlice.metadata", metadata);
    Checks.value("ResourceSlice.driver", driver);
    Checks.value("ResourceSlice.pool", pool);
    Checks.value("ResourceSlice.nodeSelection", nodeSelection);
    devices = MapInterner.among(Checks.list("ResourceSlice.devices", devices));
    sharedCounters = Checks.list("ResourceSlice.sharedCounters", sharedCounters);
    skipNodeOperations = Checks.list("ResourceSlice.skipNodeOperations", skipNodeOperations);
  }

  /**
   * The name, driver, pool, nodes and devices: {@code slice-1: gpu.example.com, pool node-1
   * (generation 1, 1 slice), node node-1: gpu-0, gpu-1 and 6 more}.
   */
  @Override
  public String toString() {
    String where =
        Boolean.TRUE.equals(perDeviceNodeSelection)
            ? "a node for each device"
            : nodeSelection.toString();
    OptionalFields extras = new OptionalFields();
    extras.add("counters", sharedCounters);
    extras.add("partitions by", partitionTypeAttribute);
    extras.add("skips", skipNodeOperations);
    String named =
        devices.isEmpty()
            ? "no devices"
            : PrintableText.some(devices, MAX_SHOWN, one -> one.name());
    return PrintableText.of(
        metadata.name() + ": " + driver + ", pool " + pool + ", " + where + ": " + named + extras);
  }

  /**
   * {@return a slice (generation 1) that is a node's whole pool, as node-local drivers publish it}
   *
   * @param name the slice's name
   * @param driver the driver's name
   * @param nodeName the node, also the pool's name
   * @param devices the devices
   */
  public static ResourceSlice onNode(
      String name, String driver, String nodeName, List<Device> devices) {
    Checks.value("nodeName", nodeName);
    return named(name, driver)
        .pool(nodeName, 1, 1)
        .nodeSelection(NodeSelection.ofNode(nodeName))
        .devices(devices)
        .build();
  }

  /**
   * {@return this slice with other devices}
   *
   * @param newDevices the devices
   */
  public ResourceSlice withDevices(List<Device> newDevices) {
    return toBuilder().devices(newDevices).build();
  }

  /**
   * {@return the identity of one of the slice's devices: driver, pool and device name}
   *
   * @param device the device
   */
  public DeviceId idOf(Device device) {
    return new DeviceId(driver, pool.name(), Checks.value("device", device).name());
  }

  /**
   * {@return a builder of a slice} Also set pool and nodes: without {@link Builder#pool}, the pool
   * has no name; without {@link Builder#nodeSelection}, no node can use the devices.
   *
   * @param name the name of the object
   * @param driver the name of the driver
   */
  public static Builder named(String name, String driver) {
    return new Builder().metadata(ObjectMeta.named(name)).driver(driver);
  }

  /** {@return a builder with all fields of this slice} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.driver = driver;
    builder.pool = pool;
    builder.nodeSelection = nodeSelection;
    builder.perDeviceNodeSelection = perDeviceNodeSelection;
    builder.devices.set(devices);
    builder.sharedCounters.set(sharedCounters);
    builder.partitionTypeAttribute = partitionTypeAttribute;
    builder.skipNodeOperations.set(skipNodeOperations);
    return builder;
  }

  /** Collects the fields of a slice; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private String driver = "";
    private ResourcePool pool = new ResourcePool("", 1, 1);
    private NodeSelection nodeSelection = NodeSelection.NONE;
    private @Nullable Boolean perDeviceNodeSelection;
    private final ListField<Device> devices = new ListField<>("ResourceSlice.devices");
    private final ListField<CounterSet> sharedCounters =
        new ListField<>("ResourceSlice.sharedCounters");
    private @Nullable String partitionTypeAttribute;
    private final ListField<String> skipNodeOperations =
        new ListField<>("ResourceSlice.skipNodeOperations");

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("ResourceSlice.metadata", metadata);
      return this;
    }

    /**
     * Sets the driver that publishes the slice.
     *
     * @param driver the name of the driver, a DNS subdomain
     * @return this builder
     */
    public Builder driver(String driver) {
      this.driver = Checks.value("ResourceSlice.driver", driver);
      return this;
    }

    /**
     * Sets the pool that the slice is a part of.
     *
     * @param pool name, generation and number of slices of the pool
     * @return this builder
     */
    public Builder pool(ResourcePool pool) {
      this.pool = Checks.value("ResourceSlice.pool", pool);
      return this;
    }

    /**
     * Sets the nodes from which the devices can be used.
     *
     * @param nodeSelection the nodes
     * @return this builder
     */
    public Builder nodeSelection(NodeSelection nodeSelection) {
      this.nodeSelection = Checks.value("ResourceSlice.nodeSelection", nodeSelection);
      return this;
    }

    /**
     * Sets whether each device has its own node selection.
     *
     * @param perDeviceNodeSelection true if each device has one, or {@code null} when not given
     * @return this builder
     */
    public Builder perDeviceNodeSelection(@Nullable Boolean perDeviceNodeSelection) {
      this.perDeviceNodeSelection = perDeviceNodeSelection;
      return this;
    }

    /**
     * Adds a device to the slice, after its other devices.
     *
     * @param device the device
     * @return this builder
     */
    public Builder device(Device device) {
      devices.add(device);
      return this;
    }

    /**
     * Replaces the devices of the slice.
     *
     * @param values the devices in the order in which they are tried
     * @return this builder
     */
    public Builder devices(List<Device> values) {
      devices.set(values);
      return this;
    }

    /**
     * Adds counters for devices of the pool (KEP-4815).
     *
     * @param counterSet the counter set
     * @return this builder
     */
    public Builder counterSet(CounterSet counterSet) {
      sharedCounters.add(Checks.value("ResourceSlice.counterSet", counterSet));
      return this;
    }

    /**
     * Replaces the counters for devices of the pool (KEP-4815).
     *
     * @param values the counter sets
     * @return this builder
     */
    public Builder sharedCounters(List<CounterSet> values) {
      sharedCounters.set(values);
      return this;
    }

    /**
     * Sets the attribute that distinguishes partitions of different shape.
     *
     * @param partitionTypeAttribute the name of the attribute, or {@code null}
     * @return this builder
     */
    public Builder partitionTypeAttribute(@Nullable String partitionTypeAttribute) {
      this.partitionTypeAttribute = partitionTypeAttribute;
      return this;
    }

    /**
     * Replaces the kubelet calls that the driver does not need (KEP-5945).
     *
     * @param values {@code NodePrepareResources}, {@code NodeUnprepareResources} or {@code *} for
     *     both
     * @return this builder
     */
    public Builder skipNodeOperations(List<String> values) {
      skipNodeOperations.set(values);
      return this;
    }

    /**
     * Sets the pool that the slice is a part of.
     *
     * @param name the name of the pool, which is the name of the node for node-local devices
     * @param generation the number of changes of the pool; only the newest generation counts
     * @param slices the number of slices of the pool in that generation
     * @return this builder
     * @throws IllegalArgumentException if {@code generation} is negative or {@code slices} below 1
     */
    public Builder pool(String name, long generation, long slices) {
      if (generation < 0 || slices < 1) {
        throw new IllegalArgumentException(
            "pool %s: expected a generation of at least 0 and at least 1 slice, found %d and %d"
                .formatted(name, generation, slices));
      }
      return pool(new ResourcePool(name, generation, slices));
    }

    /** {@return a slice with the fields set so far} */
    public ResourceSlice build() {
      return new ResourceSlice(
          metadata,
          driver,
          pool,
          nodeSelection,
          perDeviceNodeSelection,
          devices.get(),
          sharedCounters.get(),
          partitionTypeAttribute,
          skipNodeOperations.get());
    }
  }
}
