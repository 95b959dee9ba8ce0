package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import java.util.Map;

/** One device of a slice. */
final class DeviceCodec {

  private DeviceCodec() {}

  static Device read(FieldReader in) {
    return Device.named(in.text("name"))
        .attributes(in.objectMap("attributes", AttributeCodec::read))
        .capacity(in.objectMap("capacity", DeviceCodec::readCapacity))
        .consumesCounters(in.objects("consumesCounters", DeviceCodec::readConsumption))
        .nodeSelection(NodeSelectorCodec.readSelection(in))
        .taints(in.objects("taints", TaintCodec::readTaint))
        .bindsToNode(in.flag("bindsToNode"))
        .bindingConditions(in.texts("bindingConditions"), in.texts("bindingFailureConditions"))
        .allowMultipleAllocations(in.flag("allowMultipleAllocations"))
        .nodeAllocatableResources(
            in.objectMap("nodeAllocatableResources", NodeAllocatableCodec::read))
        .build();
  }

  static Json.Fields write(Device device) {
    FieldWriter out =
        new FieldWriter()
            .required("name", device.name())
            .map("attributes", device.attributes(), AttributeCodec::write)
            .map("capacity", device.capacity(), DeviceCodec::writeCapacity)
            .list("consumesCounters", device.consumesCounters(), DeviceCodec::writeConsumption);
    NodeSelectorCodec.writeSelection(device.nodeSelection(), out);
    return out.list("taints", device.taints(), TaintCodec::writeTaint)
        .flag("bindsToNode", device.bindsToNode())
        .texts("bindingConditions", device.bindingConditions())
        .texts("bindingFailureConditions", device.bindingFailureConditions())
        .flag("allowMultipleAllocations", device.allowMultipleAllocations())
        .map(
            "nodeAllocatableResources",
            device.nodeAllocatableResources(),
            NodeAllocatableCodec::write)
        .done();
  }

  private static DeviceCapacity readCapacity(FieldReader in) {
    return new DeviceCapacity(
        in.quantity("value"), in.optionalObject("requestPolicy", DeviceCodec::readPolicy));
  }

  private static Json.Fields writeCapacity(DeviceCapacity capacity) {
    return new FieldWriter()
        .required("value", capacity.value())
        .optional("requestPolicy", capacity.requestPolicy(), DeviceCodec::writePolicy)
        .done();
  }

  private static CapacityRequestPolicy readPolicy(FieldReader in) {
    return new CapacityRequestPolicy(
        in.optionalQuantity("default"),
        in.quantities("validValues"),
        in.optionalObject("validRange", DeviceCodec::readRange));
  }

  private static Json.Fields writePolicy(CapacityRequestPolicy policy) {
    return new FieldWriter()
        .quantity("default", policy.defaultValue())
        .quantities("validValues", policy.validValues())
        .optional("validRange", policy.validRange(), DeviceCodec::writeRange)
        .done();
  }

  private static CapacityRequestPolicyRange readRange(FieldReader in) {
    return new CapacityRequestPolicyRange(
        in.optionalQuantity("min"), in.optionalQuantity("max"), in.optionalQuantity("step"));
  }

  private static Json.Fields writeRange(CapacityRequestPolicyRange range) {
    return new FieldWriter()
        .quantity("min", range.min())
        .quantity("max", range.max())
        .quantity("step", range.step())
        .done();
  }

  private static DeviceCounterConsumption readConsumption(FieldReader in) {
    return new DeviceCounterConsumption(
        in.text("counterSet"), readCounters(in), in.texts("compatibilityGroups"));
  }

  private static Json.Fields writeConsumption(DeviceCounterConsumption consumption) {
    FieldWriter out = new FieldWriter().required("counterSet", consumption.counterSet());
    writeCounters(consumption.counters(), out);
    return out.texts("compatibilityGroups", consumption.compatibilityGroups()).done();
  }

  static Map<String, Quantity> readCounters(FieldReader in) {
    return in.objectMap("counters", counter -> counter.quantity("value"));
  }

  static void writeCounters(Map<String, Quantity> counters, FieldWriter out) {
    out.map("counters", counters, value -> new FieldWriter().required("value", value).done());
  }
}
