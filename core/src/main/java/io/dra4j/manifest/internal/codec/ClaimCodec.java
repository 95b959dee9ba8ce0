package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceClaimTemplate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A {@code ResourceClaim} with its status, and a {@code ResourceClaimTemplate}. */
final class ClaimCodec {

  private ClaimCodec() {}

  static ResourceClaim read(FieldReader in) {
    return new ResourceClaim(
        MetadataCodec.read(in),
        in.object("spec", ClaimCodec::readSpec),
        in.object("status", ClaimCodec::readStatus));
  }

  static Json.Fields write(ResourceClaim claim) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(claim.metadata()))
        .required("spec", writeSpec(claim.spec()))
        .object("status", writeStatus(claim.status()))
        .done();
  }

  static ResourceClaimTemplate readTemplate(FieldReader in) {
    return in.object(
        "spec",
        spec -> {
          var metadata = MetadataCodec.read(spec);
          return new ResourceClaimTemplate(
              MetadataCodec.read(in),
              metadata.labels(),
              metadata.annotations(),
              spec.object("spec", ClaimCodec::readSpec));
        });
  }

  static Json.Fields writeTemplate(ResourceClaimTemplate template) {
    Json.Fields metadata =
        new FieldWriter()
            .textMap("labels", template.claimLabels())
            .textMap("annotations", template.claimAnnotations())
            .done();
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(template.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .object("metadata", metadata)
                .required("spec", writeSpec(template.spec()))
                .done())
        .done();
  }

  private static ResourceClaimSpec readSpec(FieldReader in) {
    return in.object(
        "devices",
        devices ->
            new ResourceClaimSpec(
                devices.objects("requests", RequestCodec::read),
                devices.objects("constraints", ClaimCodec::readConstraint),
                devices.objects("config", ConfigurationCodec::readOfClaim)));
  }

  private static Json.Fields writeSpec(ResourceClaimSpec spec) {
    return new FieldWriter()
        .required(
            "devices",
            new FieldWriter()
                .list("requests", spec.requests(), RequestCodec::write)
                .list("constraints", spec.constraints(), ClaimCodec::writeConstraint)
                .list("config", spec.config(), ConfigurationCodec::writeOfClaim)
                .done())
        .done();
  }

  private static DeviceConstraint readConstraint(FieldReader in) {
    List<String> requests = in.texts("requests");
    Map<DeviceConstraint.Kind, String> attributes = new EnumMap<>(DeviceConstraint.Kind.class);
    for (DeviceConstraint.Kind kind : DeviceConstraint.Kind.values()) {
      String attribute = in.optionalText(kind.field());
      if (attribute != null) {
        attributes.put(kind, attribute);
      }
    }
    return new DeviceConstraint(requests, attributes);
  }

  private static Json.Fields writeConstraint(DeviceConstraint constraint) {
    FieldWriter out = new FieldWriter().texts("requests", constraint.requests());
    constraint.attributes().forEach((kind, attribute) -> out.optionalText(kind.field(), attribute));
    return out.done();
  }

  private static ResourceClaimStatus readStatus(FieldReader in) {
    return new ResourceClaimStatus(
        in.optionalObject("allocation", AllocationCodec::read),
        in.objects("reservedFor", ClaimCodec::readConsumer),
        in.objects("devices", ClaimCodec::readDeviceStatus));
  }

  private static Json.Fields writeStatus(ResourceClaimStatus status) {
    return new FieldWriter()
        .optional("allocation", status.allocation(), AllocationCodec::write)
        .list("reservedFor", status.reservedFor(), ClaimCodec::writeConsumer)
        .list("devices", status.devices(), ClaimCodec::writeDeviceStatus)
        .done();
  }

  private static ResourceClaimConsumerReference readConsumer(FieldReader in) {
    return new ResourceClaimConsumerReference(
        in.text("apiGroup"), in.text("resource"), in.text("name"), in.text("uid"));
  }

  private static Json.Fields writeConsumer(ResourceClaimConsumerReference consumer) {
    return new FieldWriter()
        .text("apiGroup", consumer.apiGroup())
        .required("resource", consumer.resource())
        .required("name", consumer.name())
        .required("uid", consumer.uid())
        .done();
  }

  private static AllocatedDeviceStatus readDeviceStatus(FieldReader in) {
    return AllocatedDeviceStatus.of(AllocationCodec.readDevice(in))
        .shareId(in.optionalText("shareID"))
        .conditions(in.objects("conditions", ConditionCodec::read))
        .data(in.json("data"))
        .networkData(in.optionalObject("networkData", ClaimCodec::readNetworkData))
        .build();
  }

  private static Json.Fields writeDeviceStatus(AllocatedDeviceStatus status) {
    return new FieldWriter()
        .required("driver", status.driver())
        .required("pool", status.pool())
        .required("device", status.device())
        .optionalText("shareID", status.shareId())
        .list("conditions", status.conditions(), ConditionCodec::write)
        .json("data", status.data())
        .optional("networkData", status.networkData(), ClaimCodec::writeNetworkData)
        .done();
  }

  private static NetworkDeviceData readNetworkData(FieldReader in) {
    return new NetworkDeviceData(
        in.text("interfaceName"), in.texts("ips"), in.text("hardwareAddress"));
  }

  private static Json.Fields writeNetworkData(NetworkDeviceData data) {
    return new FieldWriter()
        .text("interfaceName", data.interfaceName())
        .texts("ips", data.ips())
        .text("hardwareAddress", data.hardwareAddress())
        .done();
  }
}
