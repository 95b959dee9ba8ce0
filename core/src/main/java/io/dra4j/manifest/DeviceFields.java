package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.BoolValue;
import io.dra4j.model.DeviceAttribute.BoolValues;
import io.dra4j.model.DeviceAttribute.IntValue;
import io.dra4j.model.DeviceAttribute.IntValues;
import io.dra4j.model.DeviceAttribute.NoValue;
import io.dra4j.model.DeviceAttribute.StringValue;
import io.dra4j.model.DeviceAttribute.StringValues;
import io.dra4j.model.DeviceAttribute.VersionValue;
import io.dra4j.model.DeviceAttribute.VersionValues;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeAllocatableResource;
import io.dra4j.model.NodeAllocatableResource.Mapping;
import io.dra4j.model.NodeAllocatableResource.Overhead;

/** Reads and writes devices. */
final class DeviceFields {

  private DeviceFields() {}

  static Device read(Fields device) {
    return new Device(
        device.text("name"),
        device.map("attributes", DeviceFields::readAttribute),
        device.map("capacity", DeviceFields::readCapacity),
        device.list(
            "consumesCounters",
            consumption ->
                new DeviceCounterConsumption(
                    consumption.text("counterSet"),
                    SliceFields.readCounters(consumption),
                    consumption.texts("compatibilityGroups"))),
        NodeFields.readSelection(device),
        device.list("taints", TaintFields::readTaint),
        device.flag("bindsToNode"),
        device.texts("bindingConditions"),
        device.texts("bindingFailureConditions"),
        device.flag("allowMultipleAllocations"),
        device.map("nodeAllocatableResources", DeviceFields::readNodeAllocatable));
  }

  static void write(Device device, ObjectNode json) {
    json.put("name", device.name());
    Json.map(json, "attributes", device.attributes(), DeviceFields::writeAttribute);
    Json.map(json, "capacity", device.capacity(), DeviceFields::writeCapacity);
    Json.list(
        json,
        "consumesCounters",
        device.consumesCounters(),
        (consumption, object) -> {
          object.put("counterSet", consumption.counterSet());
          SliceFields.writeCounters(consumption.counters(), object);
          Json.texts(object, "compatibilityGroups", consumption.compatibilityGroups());
        });
    NodeFields.writeSelection(device.nodeSelection(), json);
    Json.list(json, "taints", device.taints(), TaintFields::writeTaint);
    if (device.bindsToNode()) {
      json.put("bindsToNode", true);
    }
    Json.texts(json, "bindingConditions", device.bindingConditions());
    Json.texts(json, "bindingFailureConditions", device.bindingFailureConditions());
    if (device.allowMultipleAllocations()) {
      json.put("allowMultipleAllocations", true);
    }
    Json.map(
        json,
        "nodeAllocatableResources",
        device.nodeAllocatableResources(),
        DeviceFields::writeNodeAllocatable);
  }

  /** Where several values are given, the first in the order in which the reference looks. */
  static DeviceAttribute readAttribute(Fields attribute) {
    DeviceAttribute value = new NoValue();
    // Each is read, so that each is checked.
    if (attribute.has("version")) {
      value = new VersionValue(attribute.text("version"));
    }
    if (attribute.has("string")) {
      value = new StringValue(attribute.text("string"));
    }
    if (attribute.has("bool")) {
      value = new BoolValue(attribute.flag("bool"));
    }
    if (attribute.has("int")) {
      value = new IntValue(attribute.integer("int"));
    }
    if (attribute.has("versions")) {
      value = new VersionValues(attribute.texts("versions"));
    }
    if (attribute.has("strings")) {
      value = new StringValues(attribute.texts("strings"));
    }
    if (attribute.has("bools")) {
      value = new BoolValues(attribute.flags("bools"));
    }
    if (attribute.has("ints")) {
      value = new IntValues(attribute.integers("ints"));
    }
    return value;
  }

  static void writeAttribute(DeviceAttribute attribute, ObjectNode json) {
    if (attribute instanceof IntValue scalar) {
      json.put("int", scalar.value());
    } else if (attribute instanceof BoolValue scalar) {
      json.put("bool", scalar.value());
    } else if (attribute instanceof StringValue scalar) {
      json.put("string", scalar.value());
    } else if (attribute instanceof VersionValue scalar) {
      json.put("version", scalar.value());
    } else if (attribute instanceof IntValues list) {
      list.values().forEach(json.putArray("ints")::add);
    } else if (attribute instanceof BoolValues list) {
      list.values().forEach(json.putArray("bools")::add);
    } else if (attribute instanceof StringValues list) {
      list.values().forEach(json.putArray("strings")::add);
    } else if (attribute instanceof VersionValues list) {
      list.values().forEach(json.putArray("versions")::add);
    }
  }

  static DeviceCapacity readCapacity(Fields capacity) {
    return new DeviceCapacity(
        capacity.quantity("value"),
        capacity.object(
            "requestPolicy",
            policy ->
                new CapacityRequestPolicy(
                    policy.optionalQuantity("default"),
                    policy.quantities("validValues"),
                    policy.object(
                        "validRange",
                        range ->
                            new CapacityRequestPolicyRange(
                                range.optionalQuantity("min"),
                                range.optionalQuantity("max"),
                                range.optionalQuantity("step"))))));
  }

  private static void writeCapacity(DeviceCapacity capacity, ObjectNode json) {
    Json.quantity(json, "value", capacity.value());
    Json.object(
        json,
        "requestPolicy",
        capacity.requestPolicy(),
        (policy, object) -> {
          Json.quantity(object, "default", policy.defaultValue());
          if (!policy.validValues().isEmpty()) {
            ArrayNode values = object.putArray("validValues");
            policy.validValues().forEach(value -> values.add(value.toString()));
          }
          Json.object(
              object,
              "validRange",
              policy.validRange(),
              (range, bounds) -> {
                Json.quantity(bounds, "min", range.min());
                Json.quantity(bounds, "max", range.max());
                Json.quantity(bounds, "step", range.step());
              });
        });
  }

  private static NodeAllocatableResource readNodeAllocatable(Fields resource) {
    return new NodeAllocatableResource(
        resource.object(
            "mapping",
            mapping ->
                new Mapping(
                    mapping.optionalText("capacityKey"),
                    mapping.optionalQuantity("capacityMultiplier"),
                    mapping.optionalQuantity("deviceMultiplier"))),
        resource.object(
            "overhead",
            overhead ->
                new Overhead(
                    overhead.optionalQuantity("perPod"),
                    overhead.optionalQuantity("perContainer"))));
  }

  private static void writeNodeAllocatable(NodeAllocatableResource resource, ObjectNode json) {
    Json.object(
        json,
        "mapping",
        resource.mapping(),
        (mapping, object) -> {
          Json.pointer(object, "capacityKey", mapping.capacityKey());
          Json.quantity(object, "capacityMultiplier", mapping.capacityMultiplier());
          Json.quantity(object, "deviceMultiplier", mapping.deviceMultiplier());
        });
    Json.object(
        json,
        "overhead",
        resource.overhead(),
        (overhead, object) -> {
          Json.quantity(object, "perPod", overhead.perPod());
          Json.quantity(object, "perContainer", overhead.perContainer());
        });
  }
}
