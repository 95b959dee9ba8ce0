package io.dra4j.spi.publish;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.NodeSelection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of one pool of a driver: devices, the counters that they share, and the nodes that
 * can use them. {@link SlicePlanner} creates the ResourceSlices of a pool.
 *
 * <pre>{@code
 * DevicePool fabric =
 *     DevicePool.of(switches, List.of()).toBuilder().nodeSelection(NodeSelection.ALL_NODES).build();
 * }</pre>
 *
 * @param devices the devices, in the order in which an allocator tries them; names are unique in
 *     the pool
 * @param counters the counter sets that devices of this pool consume from (KEP-4815)
 * @param nodeSelection the nodes that can use the devices; {@link NodeSelection#NONE} stands for
 *     the node that the driver runs on
 * @param perDeviceNodeSelection whether each device has its own node selection, which replaces the
 *     node selection of the pool
 * @param partitionTypeAttribute the attribute that distinguishes partitions of different shape;
 *     null for none
 * @param skipNodeOperations kubelet calls that the devices do not need (KEP-5945): {@code
 *     NodePrepareResources}, {@code NodeUnprepareResources} or {@code *} for both
 */
public record DevicePool(
    List<Device> devices,
    List<CounterSet> counters,
    NodeSelection nodeSelection,
    boolean perDeviceNodeSelection,
    @Nullable String partitionTypeAttribute,
    List<String> skipNodeOperations) {

  /** Copies the lists. {@inheritDoc} */
  public DevicePool {
    devices = copy("devices", devices);
    counters = copy("counters", counters);
    Objects.requireNonNull(nodeSelection, "nodeSelection");
    skipNodeOperations = copy("skipNodeOperations", skipNodeOperations);
  }

  private static <T> List<T> copy(String name, List<T> list) {
    Objects.requireNonNull(list, name);
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) == null) {
        throw new NullPointerException(name + "[" + i + "]");
      }
    }
    return List.copyOf(list);
  }

  /**
   * {@return a pool of devices that only the driver's node can use}
   *
   * @param devices the devices, in the order in which an allocator tries them
   * @param counters the counter sets that the devices consume from; may be empty
   */
  public static DevicePool of(List<Device> devices, List<CounterSet> counters) {
    return new DevicePool(devices, counters, NodeSelection.NONE, false, null, List.of());
  }

  /**
   * {@return the reason why the API server rejects a device for the partition type of this pool, as
   * a predicate such as "consumes counters and has no string attribute gpu.example.com/part, which
   * distinguishes partitions"; empty if the server accepts the device} If {@code
   * partitionTypeAttribute} is set, its name must have a domain, and each device that consumes
   * counters must have the attribute as a string (ValidateResourceSlice). A device's attribute
   * without a domain is in the domain of the driver.
   *
   * @param driver the name of the driver
   * @param device a device, of this pool or to be added to it
   */
  public Optional<String> partitionProblem(String driver, Device device) {
    String name = partitionTypeAttribute;
    if (name == null || device.consumesCounters().isEmpty()) {
      return Optional.empty();
    }
    if (name.indexOf('/') < 0) {
      return Optional.of(
          ("consumes counters, and the attribute %s that distinguishes partitions has no domain: "
                  + "name it %s/%s")
              .formatted(name, driver, name));
    }
    String own = driver + "/";
    Map<String, DeviceAttribute> attributes = device.attributes();
    boolean isTyped =
        attributes.get(name) instanceof DeviceAttribute.StringValue
            || (name.startsWith(own)
                && attributes.get(name.substring(own.length()))
                    instanceof DeviceAttribute.StringValue);
    return isTyped
        ? Optional.empty()
        : Optional.of(
            "consumes counters and has no string attribute %s, which distinguishes partitions"
                .formatted(name));
  }

  /** {@return a builder with the values of this pool} */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects the fields of a pool. */
  public static final class Builder {

    private List<Device> devices;
    private List<CounterSet> counters;
    private NodeSelection nodeSelection;
    private boolean perDeviceNodeSelection;
    private @Nullable String partitionTypeAttribute;
    private List<String> skipNodeOperations;

    private Builder(DevicePool pool) {
      this.devices = pool.devices;
      this.counters = pool.counters;
      this.nodeSelection = pool.nodeSelection;
      this.perDeviceNodeSelection = pool.perDeviceNodeSelection;
      this.partitionTypeAttribute = pool.partitionTypeAttribute;
      this.skipNodeOperations = pool.skipNodeOperations;
    }

    /**
     * Replaces the devices.
     *
     * @param values the devices, in the order in which an allocator tries them
     * @return this builder
     */
    public Builder devices(List<Device> values) {
      this.devices = List.copyOf(values);
      return this;
    }

    /**
     * Replaces the counter sets.
     *
     * @param values the counter sets
     * @return this builder
     */
    public Builder counters(List<CounterSet> values) {
      this.counters = List.copyOf(values);
      return this;
    }

    /**
     * Sets the nodes that can use the devices.
     *
     * @param nodeSelection the nodes; {@link NodeSelection#NONE} for the driver's node
     * @return this builder
     */
    public Builder nodeSelection(NodeSelection nodeSelection) {
      this.nodeSelection = Objects.requireNonNull(nodeSelection, "nodeSelection");
      return this;
    }

    /**
     * Sets whether each device has its own node selection.
     *
     * @param perDeviceNodeSelection whether it has
     * @return this builder
     */
    public Builder perDeviceNodeSelection(boolean perDeviceNodeSelection) {
      this.perDeviceNodeSelection = perDeviceNodeSelection;
      return this;
    }

    /**
     * Sets the attribute that distinguishes partitions of different shape.
     *
     * @param partitionTypeAttribute the name of the attribute, or null
     * @return this builder
     */
    public Builder partitionTypeAttribute(@Nullable String partitionTypeAttribute) {
      this.partitionTypeAttribute = partitionTypeAttribute;
      return this;
    }

    /**
     * Replaces the kubelet calls that the devices do not need (KEP-5945).
     *
     * @param values {@code NodePrepareResources}, {@code NodeUnprepareResources} or {@code *}
     * @return this builder
     */
    public Builder skipNodeOperations(List<String> values) {
      this.skipNodeOperations = List.copyOf(values);
      return this;
    }

    /** {@return a pool with the fields set so far} */
    public DevicePool build() {
      return new DevicePool(
          devices,
          counters,
          nodeSelection,
          perDeviceNodeSelection,
          partitionTypeAttribute,
          skipNodeOperations);
    }
  }
}
