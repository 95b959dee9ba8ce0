package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.OpaqueDeviceConfiguration;
import org.jspecify.annotations.Nullable;

/** Configuration of classes, claims and allocations. */
final class ConfigurationCodec {

  private ConfigurationCodec() {}

  static DeviceClaimConfiguration readOfClaim(FieldReader in) {
    return new DeviceClaimConfiguration(in.texts("requests"), readOpaque(in));
  }

  static Json.Fields writeOfClaim(DeviceClaimConfiguration config) {
    return writeOpaque(config.opaque(), new FieldWriter().texts("requests", config.requests()))
        .done();
  }

  static DeviceAllocationConfiguration readOfAllocation(FieldReader in) {
    return new DeviceAllocationConfiguration(
        new AllocationConfigSource(in.text("source")), in.texts("requests"), readOpaque(in));
  }

  static Json.Fields writeOfAllocation(DeviceAllocationConfiguration config) {
    FieldWriter out =
        new FieldWriter()
            .required("source", config.source().value())
            .texts("requests", config.requests());
    return writeOpaque(config.opaque(), out).done();
  }

  static @Nullable OpaqueDeviceConfiguration readOpaque(FieldReader in) {
    return in.optionalObject(
        "opaque",
        opaque -> new OpaqueDeviceConfiguration(opaque.text("driver"), opaque.json("parameters")));
  }

  static FieldWriter writeOpaque(@Nullable OpaqueDeviceConfiguration config, FieldWriter out) {
    return out.optional(
        "opaque",
        config,
        opaque ->
            new FieldWriter()
                .required("driver", opaque.driver())
                .requiredJson("parameters", opaque.parameters())
                .done());
  }
}
