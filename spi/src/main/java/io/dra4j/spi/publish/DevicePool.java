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
 * What a driver offers in one pool: devices, the counters that they share, and from where they can
 * be used. {@link SlicePlanner} makes the ResourceSlices of a pool.
 *
 * <pre>{@code
 * DevicePool fabric =
 *     DevicePool.of(switches, List.of()).toBuilder().nodeSelection(NodeSelection.ALL_NODES).build();
 * }</pre>
 *
 * @param devices the devices, in the order in which they are to be tried; names are unique in the
 *     pool
 * @param counters the counter sets that devices of this pool draw on (KEP-4815)
 * @param nodeSelection from where the devices can be used; {@link NodeSelection#NONE} stands for
 *     the node that the driver runs on
 * @param perDeviceNodeSelection whether each device has a node selection of its own, which then
 *     takes the place of that of the pool
 * @param partitionTypeAttribute the attribute that distinguishes partitions of different shape;
 *     null if there is none
 * @param skipNodeOperations kubelet calls that the devices do without (KEP-5945): {@code
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
   * Makes a pool of devices that can be used from the driver's node alone.
   *
   * @param devices the devices, in the order in which they are to be tried
   * @param counters the counter sets that the devices draw on; may be empty
   * @return the pool
   */
  public static DevicePool of(List<Device> devices, List<CounterSet> counters) {
    return new DevicePool(devices, counters, NodeSelection.NONE, false, null, List.of());
  }

  /**
   * Finds out why the API server refuses a device for the partition type of this pool. Where {@code
   * partitionTypeAttribute} is set, its name has its domain, and each device that draws on counters
   * has the attribute as text (ValidateResourceSlice). An attribute whose name has no domain is one
   * of the driver.
   *
   * @param driver the name of the driver
   * @param device a device, of this pool or to be added to it
   * @return a predicate about the device, such as "draws on counters and has no text as attribute
   *     gpu.example.com/part, which distinguishes partitions"; empty if the server takes the device
   */
  public Optional<String> partitionProblem(String driver, Device device) {
    String name = partitionTypeAttribute;
    if (name == null || device.consumesCounters().isEmpty()) {
      return Optional.empty();
    }
    if (name.indexOf('/') < 0) {
      return Optional.of(
          "draws on counters, and the attribute %s that distinguishes partitions has no domain: name it %s/%s"
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
            "draws on counters and has no text as attribute %s, which distinguishes partitions"
                .formatted(name));
  }

  /**
   * Starts a builder with everything that this pool has, to change some of it.
   *
   * @return a builder of pools
   */
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
     * @param values in the order in which they are to be tried
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
     * Sets from where the devices can be used.
     *
     * @param nodeSelection the nodes; {@link NodeSelection#NONE} for the driver's node
     * @return this builder
     */
    public Builder nodeSelection(NodeSelection nodeSelection) {
      this.nodeSelection = Objects.requireNonNull(nodeSelection, "nodeSelection");
      return this;
    }

    /**
     * Sets whether each device has a node selection of its own.
     *
     * @param perDeviceNodeSelection whether so
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
     * Replaces the kubelet calls that the devices do without (KEP-5945).
     *
     * @param values {@code NodePrepareResources}, {@code NodeUnprepareResources} or {@code *}
     * @return this builder
     */
    public Builder skipNodeOperations(List<String> values) {
      this.skipNodeOperations = List.copyOf(values);
      return this;
    }

    /**
     * Makes the pool.
     *
     * @return a pool with the fields set so far
     */
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
