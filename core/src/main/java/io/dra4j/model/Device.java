package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * One device of a pool, as its driver publishes it.
 *
 * @param name unique in the pool
 * @param attributes values by qualified name: {@code domain/id}, or {@code id} alone, whose domain
 *     is the driver
 * @param capacity amounts by qualified name
 * @param consumesCounters the amounts that the device draws from shared counters while it is
 *     allocated
 * @param nodeSelection the nodes from which it can be used; only for slices with {@code
 *     perDeviceNodeSelection}
 * @param taints taints that exclude claims without a toleration
 * @param bindsToNode whether an allocation binds the claim to the node for which it was made
 * @param bindingConditions conditions that must become true before pods may start
 * @param bindingFailureConditions conditions that each make the allocation fail
 * @param allowMultipleAllocations whether several claims can share the device
 * @param nodeAllocatableResources the consumption of resources of its node, by resource name
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
    Checks.value("Device.name", name);
    Checks.value("Device.nodeSelection", nodeSelection);
    attributes = Checks.map("Device.attributes", attributes);
    capacity = Checks.map("Device.capacity", capacity);
    consumesCounters = Checks.list("Device.consumesCounters", consumesCounters);
    taints = Checks.list("Device.taints", taints);
    bindingConditions = Checks.list("Device.bindingConditions", bindingConditions);
    bindingFailureConditions =
        Checks.list("Device.bindingFailureConditions", bindingFailureConditions);
    nodeAllocatableResources =
        Checks.map("Device.nodeAllocatableResources", nodeAllocatableResources);
  }

  /** {@code gpu-0}, then all other fields that are set. */
  @Override
  public String toString() {
    OptionalFields extras = new OptionalFields();
    extras.add("attributes", attributes);
    extras.add("capacity", capacity);
    extras.add("consumes", consumesCounters);
    extras.add("on", nodeSelection.equals(NodeSelection.NONE) ? null : nodeSelection);
    extras.add("taints", taints);
    extras.add("binds to its node", bindsToNode);
    extras.add("waits for", bindingConditions);
    extras.add("gives up on", bindingFailureConditions);
    extras.add("can be shared", allowMultipleAllocations);
    extras.add("costs", nodeAllocatableResources);
    return PrintableText.of(name + extras);
  }

  /**
   * {@return a builder of a device}
   *
   * @param name its name
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * {@return this device with other taints}
   *
   * @param newTaints the taints
   */
  public Device withTaints(List<DeviceTaint> newTaints) {
    return toBuilder().taints(newTaints).build();
  }

  /** This device with other, equal maps; the same object if they are its own maps. */
  @SuppressWarnings("ReferenceEquality") // equal maps may take more memory
  Device withSame(
      Map<String, DeviceAttribute> sameAttributes, Map<String, DeviceCapacity> sameCapacity) {
    return sameAttributes == attributes && sameCapacity == capacity
        ? this
        : new Device(
            name,
            sameAttributes,
            sameCapacity,
            consumesCounters,
            nodeSelection,
            taints,
            bindsToNode,
            bindingConditions,
            bindingFailureConditions,
            allowMultipleAllocations,
            nodeAllocatableResources);
  }

  /** {@return a builder with all fields of this device} */
  public Builder toBuilder() {
    return new Builder(name)
        .attributes(attributes)
        .capacity(capacity)
        .consumesCounters(consumesCounters)
        .nodeSelection(nodeSelection)
        .taints(taints)
        .bindsToNode(bindsToNode)
        .bindingConditions(bindingConditions, bindingFailureConditions)
        .allowMultipleAllocations(allowMultipleAllocations)
        .nodeAllocatableResources(nodeAllocatableResources);
  }

  /** Collects the fields of a device; what is not set stays empty. */
  public static final class Builder {

    private final MapField<DeviceAttribute> attributes = new MapField<>("Device.attributes");
    private final MapField<DeviceCapacity> capacity = new MapField<>("Device.capacity");
    private final ListField<DeviceCounterConsumption> consumesCounters =
        new ListField<>("Device.consumesCounters");
    private final ListField<DeviceTaint> taints = new ListField<>("Device.taints");
    private final ListField<String> bindingConditions = new ListField<>("Device.bindingConditions");
    private final ListField<String> bindingFailureConditions =
        new ListField<>("Device.bindingFailureConditions");
    private final MapField<NodeAllocatableResource> nodeAllocatableResources =
        new MapField<>("Device.nodeAllocatableResources");
    private String name;
    private NodeSelection nodeSelection = NodeSelection.NONE;
    private boolean bindsToNode;
    private boolean allowMultipleAllocations;

    private Builder(String name) {
      this.name = Checks.value("Device.name", name);
    }

    /**
     * Sets the name of the device.
     *
     * @param name unique in the pool, a DNS label
     * @return this builder
     */
    public Builder name(String name) {
      this.name = Checks.value("Device.name", name);
      return this;
    }

    /**
     * Sets an attribute.
     *
     * @param attributeName {@code domain/id}, or {@code id} in the driver's own domain
     * @param attribute its value
     * @return this builder
     */
    public Builder attribute(String attributeName, DeviceAttribute attribute) {
      attributes.put(attributeName, attribute);
      return this;
    }

    /**
     * Replaces all attributes of the device.
     *
     * @param values values by {@code domain/id}, or by {@code id} in the domain of the driver
     * @return this builder
     */
    public Builder attributes(Map<String, DeviceAttribute> values) {
      attributes.set(values);
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
      String field = "Device.attributes[" + attributeName + "]";
      return attribute(attributeName, DeviceAttribute.of(Checks.value(field, value)));
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
      String field = "Device.capacity[" + capacityName + "]";
      Quantity amount = Quantity.parse(Checks.value(field, value));
      return capacity(capacityName, DeviceCapacity.of(amount));
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
     * Replaces all capacities of the device.
     *
     * @param values amounts by {@code domain/id}, or by {@code id} in the domain of the driver
     * @return this builder
     */
    public Builder capacity(Map<String, DeviceCapacity> values) {
      capacity.set(values);
      return this;
    }

    /**
     * Adds a draw on shared counters (KEP-4815).
     *
     * @param consumption the amounts drawn from one counter set
     * @return this builder
     */
    public Builder consumesCounters(DeviceCounterConsumption consumption) {
      consumesCounters.add(consumption);
      return this;
    }

    /**
     * Replaces all draws on shared counters (KEP-4815).
     *
     * @param values the draws, at most one for each counter set
     * @return this builder
     */
    public Builder consumesCounters(List<DeviceCounterConsumption> values) {
      consumesCounters.set(values);
      return this;
    }

    /**
     * Adds a taint to the device (KEP-5055).
     *
     * @param taint the taint
     * @return this builder
     */
    public Builder taint(DeviceTaint taint) {
      taints.add(taint);
      return this;
    }

    /**
     * Replaces all taints of the device (KEP-5055).
     *
     * @param values the taints
     * @return this builder
     */
    public Builder taints(List<DeviceTaint> values) {
      taints.set(values);
      return this;
    }

    /**
     * Sets the nodes from which the device can be used, for slices with {@code
     * perDeviceNodeSelection}.
     *
     * @param selection the nodes
     * @return this builder
     */
    public Builder nodeSelection(NodeSelection selection) {
      this.nodeSelection = Checks.value("Device.nodeSelection", selection);
      return this;
    }

    /**
     * Binds every allocation of the device to its node.
     *
     * @return this builder
     */
    public Builder bindsToNode() {
      return bindsToNode(true);
    }

    /**
     * Sets whether an allocation of the device is bound to its node.
     *
     * @param bindsToNode whether it is bound
     * @return this builder
     */
    public Builder bindsToNode(boolean bindsToNode) {
      this.bindsToNode = bindsToNode;
      return this;
    }

    /**
     * Sets the conditions that pods wait for (KEP-5007).
     *
     * @param conditions conditions that must all become true
     * @param failureConditions conditions that each make the allocation fail
     * @return this builder
     */
    public Builder bindingConditions(List<String> conditions, List<String> failureConditions) {
      bindingConditions.set(conditions);
      bindingFailureConditions.set(failureConditions);
      return this;
    }

    /**
     * Lets several claims share the device.
     *
     * @return this builder
     */
    public Builder allowMultipleAllocations() {
      return allowMultipleAllocations(true);
    }

    /**
     * Sets whether several claims can share the device (KEP-5075).
     *
     * @param allowMultipleAllocations whether they can
     * @return this builder
     */
    public Builder allowMultipleAllocations(boolean allowMultipleAllocations) {
      this.allowMultipleAllocations = allowMultipleAllocations;
      return this;
    }

    /**
     * Sets the consumption of resources of the node (KEP-5517).
     *
     * @param values the consumption, by the name of the resource
     * @return this builder
     */
    public Builder nodeAllocatableResources(Map<String, NodeAllocatableResource> values) {
      nodeAllocatableResources.set(values);
      return this;
    }

    /** {@return a device with the fields set so far} */
    public Device build() {
      return new Device(
          name,
          attributes.get(),
          capacity.get(),
          consumesCounters.get(),
          nodeSelection,
          taints.get(),
          bindsToNode,
          bindingConditions.get(),
          bindingFailureConditions.get(),
          allowMultipleAllocations,
          nodeAllocatableResources.get());
    }
  }
}
