package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;

/** A {@code DeviceClass}. */
final class DeviceClassCodec {

  private DeviceClassCodec() {}

  static DeviceClass read(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            DeviceClass.named("").toBuilder()
                .metadata(MetadataCodec.read(in))
                .selectors(spec.objects("selectors", RequestCodec::readSelector))
                .config(
                    spec.objects(
                        "config",
                        config ->
                            new DeviceClassConfiguration(ConfigurationCodec.readOpaque(config))))
                .extendedResourceName(spec.optionalText("extendedResourceName"))
                .build());
  }

  static Json.Fields write(DeviceClass deviceClass) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(deviceClass.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .list("selectors", deviceClass.selectors(), RequestCodec::writeSelector)
                .list(
                    "config",
                    deviceClass.config(),
                    config ->
                        ConfigurationCodec.writeOpaque(config.opaque(), new FieldWriter()).done())
                .optionalText("extendedResourceName", deviceClass.extendedResourceName())
                .done())
        .done();
  }
}
