package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One device of a pool, as its driver publishes it.
 *
 * @param name unique in the pool
 * @param attributes values by qualified name: {@code domain/id}, or {@code id} alone, whose domain
 *     is the driver
 * @param capacity amounts by qualified name
 * @param consumesCounters what the device draws from shared counters while it is allocated
 * @param nodeSelection from where it can be used; only for slices with {@code
 *     perDeviceNodeSelection}
 * @param taints marks that keep claims away
 * @param bindsToNode whether an allocation pins the claim to the node it was made for
 * @param bindingConditions conditions that must become true before pods may start
 * @param bindingFailureConditions conditions any of which gives the allocation up
 * @param allowMultipleAllocations whether several claims can share the device
 * @param nodeAllocatableResources how the device counts against resources of its node, by resource
 *     name
 */
public record Device(
    String name,
    Map<String, DeviceAttribute> attributes,
    Map<String, DeviceCapacity> capacity,
    List<DeviceCounterConsumption> consumesCounters,
    NodeSelection nodeSelection,
    List<DeviceTaint> taints,
    boolean bindsToNode,
    List<String> bindingConditions,
    List<String> bindingFailureConditions,
    boolean allowMultipleAllocations,
    Map<String, NodeAllocatableResource> nodeAllocatableResources) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public Device {
    attributes = ImmutableMap.copyOf(attributes);
    capacity = ImmutableMap.copyOf(capacity);
    consumesCounters = List.copyOf(consumesCounters);
    taints = List.copyOf(taints);
    bindingConditions = List.copyOf(bindingConditions);
    bindingFailureConditions = List.copyOf(bindingFailureConditions);
    nodeAllocatableResources = ImmutableMap.copyOf(nodeAllocatableResources);
  }

  /**
   * Starts a device.
   *
   * @param name its name
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * The same device with other taints.
   *
   * @param newTaints the taints
   * @return the device with these taints
   */
  public Device withTaints(List<DeviceTaint> newTaints) {
    return new Device(
        name,
        attributes,
        capacity,
        consumesCounters,
        nodeSelection,
        newTaints,
        bindsToNode,
        bindingConditions,
        bindingFailureConditions,
        allowMultipleAllocations,
        nodeAllocatableResources);
  }

  /** Collects the fields of a device; what is not set stays empty. */
  public static final class Builder {

    private final String name;
    private final Map<String, DeviceAttribute> attributes = new LinkedHashMap<>();
    private final Map<String, DeviceCapacity> capacity = new LinkedHashMap<>();
    private final List<DeviceCounterConsumption> consumesCounters = new ArrayList<>();
    private final List<DeviceTaint> taints = new ArrayList<>();
    private NodeSelection nodeSelection = NodeSelection.NONE;
    private boolean bindsToNode;
    private List<String> bindingConditions = List.of();
    private List<String> bindingFailureConditions = List.of();
    private boolean allowMultipleAllocations;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets an attribute.
     *
     * @param attributeName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value its value
     * @return this builder
     */
    public Builder attribute(String attributeName, DeviceAttribute value) {
      attributes.put(attributeName, value);
      return this;
    }

    /**
     * Sets a string attribute.
     *
     * @param attributeName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value its value
     * @return this builder
     */
    public Builder attribute(String attributeName, String value) {
      return attribute(attributeName, DeviceAttribute.of(value));
    }

    /**
     * Sets an integer attribute.
     *
     * @param attributeName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value its value
     * @return this builder
     */
    public Builder attribute(String attributeName, long value) {
      return attribute(attributeName, DeviceAttribute.of(value));
    }

    /**
     * Sets a boolean attribute.
     *
     * @param attributeName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value its value
     * @return this builder
     */
    public Builder attribute(String attributeName, boolean value) {
      return attribute(attributeName, DeviceAttribute.of(value));
    }

    /**
     * Sets a capacity.
     *
     * @param capacityName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value the amount, for example {@code 80Gi}
     * @return this builder
     * @throws IllegalArgumentException if {@code value} is not a quantity
     */
    public Builder capacity(String capacityName, String value) {
      return capacity(capacityName, DeviceCapacity.of(Quantity.parse(value)));
    }

    /**
     * Sets a capacity.
     *
     * @param capacityName {@code domain/id}, or {@code id} in the driver's own domain
     * @param value the amount and its request policy
     * @return this builder
     */
    public Builder capacity(String capacityName, DeviceCapacity value) {
      capacity.put(capacityName, value);
      return this;
    }

    /**
     * Adds a draw on shared counters.
     *
     * @param consumption what is drawn from one counter set
     * @return this builder
     */
    public Builder consumesCounters(DeviceCounterConsumption consumption) {
      consumesCounters.add(consumption);
      return this;
    }

    /**
     * Adds a taint.
     *
     * @param taint the taint
     * @return this builder
     */
    public Builder taint(DeviceTaint taint) {
      taints.add(taint);
      return this;
    }

    /**
     * Sets from where the device can be used, for slices with {@code perDeviceNodeSelection}.
     *
     * @param selection the nodes
     * @return this builder
     */
    public Builder nodeSelection(NodeSelection selection) {
      this.nodeSelection = selection;
      return this;
    }

    /**
     * Pins every allocation of the device to its node.
     *
     * @return this builder
     */
    public Builder bindsToNode() {
      this.bindsToNode = true;
      return this;
    }

    /**
     * Sets the conditions that pods wait for.
     *
     * @param conditions must all become true
     * @param failureConditions any of them gives the allocation up
     * @return this builder
     */
    public Builder bindingConditions(List<String> conditions, List<String> failureConditions) {
      this.bindingConditions = conditions;
      this.bindingFailureConditions = failureConditions;
      return this;
    }

    /**
     * Lets several claims share the device.
     *
     * @return this builder
     */
    public Builder allowMultipleAllocations() {
      this.allowMultipleAllocations = true;
      return this;
    }

    /**
     * Makes the device.
     *
     * @return a device with the fields set so far
     */
    public Device build() {
      return new Device(
          name,
          attributes,
          capacity,
          consumesCounters,
          nodeSelection,
          taints,
          bindsToNode,
          bindingConditions,
          bindingFailureConditions,
          allowMultipleAllocations,
          Map.of());
    }
  }
}
