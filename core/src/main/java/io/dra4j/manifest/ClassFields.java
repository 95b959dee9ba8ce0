package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;

/** Reads and writes device classes. */
final class ClassFields {

  private ClassFields() {}

  static DeviceClass read(Fields deviceClass) {
    Fields spec = deviceClass.at("spec");
    return new DeviceClass(
        MetaFields.read(deviceClass),
        spec.list("selectors", ConfigFields::readSelector),
        spec.list(
            "config", config -> new DeviceClassConfiguration(ConfigFields.readOpaque(config))),
        spec.optionalText("extendedResourceName"));
  }

  static void write(DeviceClass deviceClass, ObjectNode json) {
    MetaFields.write(deviceClass.metadata(), json);
    ObjectNode spec = json.putObject("spec");
    Json.list(spec, "selectors", deviceClass.selectors(), ConfigFields::writeSelector);
    Json.list(
        spec,
        "config",
        deviceClass.config(),
        (config, object) -> ConfigFields.writeOpaque(config.opaque(), object));
    Json.pointer(spec, "extendedResourceName", deviceClass.extendedResourceName());
  }
}
