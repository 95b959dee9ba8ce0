package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.OpaqueDeviceConfiguration;
import org.jspecify.annotations.Nullable;

/** Reads and writes what classes, claims and allocations share: selectors and configuration. */
final class ConfigFields {

  private ConfigFields() {}

  static DeviceSelector readSelector(Fields selector) {
    return selector.has("cel")
        ? DeviceSelector.cel(selector.at("cel").text("expression"))
        : new DeviceSelector(null);
  }

  static void writeSelector(DeviceSelector selector, ObjectNode json) {
    if (selector.expression() != null) {
      json.putObject("cel").put("expression", selector.expression());
    }
  }

  static @Nullable OpaqueDeviceConfiguration readOpaque(Fields config) {
    return config.object(
        "opaque",
        opaque ->
            new OpaqueDeviceConfiguration(opaque.text("driver"), opaque.rawJson("parameters")));
  }

  static void writeOpaque(@Nullable OpaqueDeviceConfiguration opaque, ObjectNode json) {
    if (opaque != null) {
      ObjectNode object = json.putObject("opaque").put("driver", opaque.driver());
      object.set("parameters", Json.raw(opaque.parameters()));
    }
  }

  static DeviceClaimConfiguration readOfClaim(Fields config) {
    return new DeviceClaimConfiguration(config.texts("requests"), readOpaque(config));
  }

  static void writeOfClaim(DeviceClaimConfiguration config, ObjectNode json) {
    Json.texts(json, "requests", config.requests());
    writeOpaque(config.opaque(), json);
  }

  static DeviceAllocationConfiguration readOfAllocation(Fields config) {
    return new DeviceAllocationConfiguration(
        new AllocationConfigSource(config.text("source")),
        config.texts("requests"),
        readOpaque(config));
  }

  static void writeOfAllocation(DeviceAllocationConfiguration config, ObjectNode json) {
    json.put("source", config.source().value());
    Json.texts(json, "requests", config.requests());
    writeOpaque(config.opaque(), json);
  }
}
