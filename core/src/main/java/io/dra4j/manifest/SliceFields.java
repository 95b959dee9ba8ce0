package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads and writes resource slices. */
final class SliceFields {

  private SliceFields() {}

  static ResourceSlice read(Fields slice) {
    Fields spec = slice.at("spec");
    Fields pool = spec.at("pool");
    return new ResourceSlice(
        MetaFields.read(slice),
        spec.text("driver"),
        new ResourcePool(
            pool.text("name"), pool.integer("generation"), pool.integer("resourceSliceCount")),
        NodeFields.readSelection(spec),
        spec.optionalFlag("perDeviceNodeSelection"),
        spec.list("devices", DeviceFields::read),
        spec.list("sharedCounters", set -> new CounterSet(set.text("name"), readCounters(set))),
        spec.optionalText("partitionTypeAttribute"),
        spec.texts("skipNodeOperations"));
  }

  static void write(ResourceSlice slice, ObjectNode json) {
    MetaFields.write(slice.metadata(), json);
    ObjectNode spec = json.putObject("spec");
    spec.put("driver", slice.driver());
    spec.putObject("pool")
        .put("name", slice.pool().name())
        .put("generation", slice.pool().generation())
        .put("resourceSliceCount", slice.pool().resourceSliceCount());
    NodeFields.writeSelection(slice.nodeSelection(), spec);
    Json.flag(spec, "perDeviceNodeSelection", slice.perDeviceNodeSelection());
    Json.list(spec, "devices", slice.devices(), DeviceFields::write);
    Json.list(
        spec,
        "sharedCounters",
        slice.sharedCounters(),
        (set, object) -> {
          object.put("name", set.name());
          writeCounters(set.counters(), object);
        });
    Json.pointer(spec, "partitionTypeAttribute", slice.partitionTypeAttribute());
    Json.texts(spec, "skipNodeOperations", slice.skipNodeOperations());
  }

  static Map<String, Quantity> readCounters(Fields fields) {
    return new LinkedHashMap<>(fields.map("counters", counter -> counter.quantity("value")));
  }

  static void writeCounters(Map<String, Quantity> counters, ObjectNode json) {
    ObjectNode object = json.putObject("counters");
    counters.forEach((name, value) -> object.putObject(name).put("value", value.toString()));
  }
}
