package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceDerivedAttribute;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceClaimTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes what claims and templates ask for. Their status is {@link StatusFields}' part.
 */
final class ClaimFields {

  private ClaimFields() {}

  static ResourceClaim read(Fields claim) {
    return new ResourceClaim(
        MetaFields.read(claim), readSpec(claim.at("spec")), StatusFields.read(claim.at("status")));
  }

  static void write(ResourceClaim claim, ObjectNode json) {
    MetaFields.write(claim.metadata(), json);
    writeSpec(claim.spec(), json.putObject("spec"));
    StatusFields.write(claim.status(), json);
  }

  static ResourceClaimTemplate readTemplate(Fields template) {
    Fields spec = template.at("spec");
    ObjectMeta ofClaims = MetaFields.read(spec);
    return new ResourceClaimTemplate(
        MetaFields.read(template),
        ofClaims.labels(),
        ofClaims.annotations(),
        readSpec(spec.at("spec")));
  }

  static void writeTemplate(ResourceClaimTemplate template, ObjectNode json) {
    MetaFields.write(template.metadata(), json);
    ObjectNode spec = json.putObject("spec");
    if (!template.claimLabels().isEmpty() || !template.claimAnnotations().isEmpty()) {
      ObjectNode metadata = spec.putObject("metadata");
      Json.textMap(metadata, "labels", template.claimLabels());
      Json.textMap(metadata, "annotations", template.claimAnnotations());
    }
    writeSpec(template.spec(), spec.putObject("spec"));
  }

  private static ResourceClaimSpec readSpec(Fields spec) {
    Fields devices = spec.at("devices");
    return new ResourceClaimSpec(
        devices.list("requests", ClaimFields::readRequest),
        devices.list(
            "constraints",
            constraint ->
                new DeviceConstraint(
                    constraint.texts("requests"),
                    constraint.optionalText("matchAttribute"),
                    constraint.optionalText("distinctAttribute"))),
        devices.list("config", ConfigFields::readOfClaim));
  }

  private static void writeSpec(ResourceClaimSpec spec, ObjectNode json) {
    ObjectNode devices = json.putObject("devices");
    Json.list(devices, "requests", spec.requests(), ClaimFields::writeRequest);
    Json.list(
        devices,
        "constraints",
        spec.constraints(),
        (constraint, object) -> {
          Json.texts(object, "requests", constraint.requests());
          Json.pointer(object, "matchAttribute", constraint.matchAttribute());
          Json.pointer(object, "distinctAttribute", constraint.distinctAttribute());
        });
    Json.list(devices, "config", spec.config(), ConfigFields::writeOfClaim);
  }

  private static DeviceRequest readRequest(Fields request) {
    return new DeviceRequest(
        request.text("name"),
        request.object("exactly", ClaimFields::readExactly),
        request.list(
            "firstAvailable",
            sub -> {
              ExactDeviceRequest wanted = readExactly(sub);
              return new DeviceSubRequest(sub.text("name"), withoutAdminAccess(wanted));
            }));
  }

  private static void writeRequest(DeviceRequest request, ObjectNode json) {
    json.put("name", request.name());
    Json.object(json, "exactly", request.exactly(), ClaimFields::writeExactly);
    Json.list(
        json,
        "firstAvailable",
        request.firstAvailable(),
        (sub, object) -> {
          object.put("name", sub.name());
          writeExactly(sub.request(), object);
        });
  }

  private static ExactDeviceRequest readExactly(Fields request) {
    // Defaults as the API server fills them in.
    String modeText = request.text("allocationMode");
    AllocationMode mode =
        modeText.isEmpty() ? AllocationMode.EXACT_COUNT : new AllocationMode(modeText);
    long count = request.integer("count");
    if (mode.equals(AllocationMode.EXACT_COUNT) && count == 0) {
      count = 1;
    }
    @Nullable CapacityRequirements capacity =
        request.object("capacity", c -> new CapacityRequirements(c.quantityMap("requests")));
    return new ExactDeviceRequest(
        request.text("deviceClassName"),
        request.list("selectors", ConfigFields::readSelector),
        mode,
        count,
        request.optionalFlag("adminAccess"),
        request.list("tolerations", TaintFields::readToleration),
        capacity,
        request.list(
            "derivedAttributes",
            derived ->
                new DeviceDerivedAttribute(derived.text("name"), derived.text("expression"))));
  }

  /** Subrequests have no such field; one that is there is unknown, like any other. */
  private static ExactDeviceRequest withoutAdminAccess(ExactDeviceRequest request) {
    return request.adminAccess() == null
        ? request
        : new ExactDeviceRequest(
            request.deviceClassName(),
            request.selectors(),
            request.allocationMode(),
            request.count(),
            null,
            request.tolerations(),
            request.capacity(),
            request.derivedAttributes());
  }

  private static void writeExactly(ExactDeviceRequest request, ObjectNode json) {
    json.put("deviceClassName", request.deviceClassName());
    Json.list(json, "selectors", request.selectors(), ConfigFields::writeSelector);
    Json.text(json, "allocationMode", request.allocationMode().value());
    if (request.count() != 0) {
      json.put("count", request.count());
    }
    Json.flag(json, "adminAccess", request.adminAccess());
    Json.list(json, "tolerations", request.tolerations(), TaintFields::writeToleration);
    Json.object(
        json,
        "capacity",
        request.capacity(),
        (capacity, object) -> Json.quantityMap(object, "requests", capacity.requests()));
    Json.list(
        json,
        "derivedAttributes",
        request.derivedAttributes(),
        (derived, object) ->
            object.put("name", derived.name()).put("expression", derived.expression()));
  }
}
