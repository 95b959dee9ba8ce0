package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceDerivedAttribute;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;

/** One request of a claim, and its alternatives. */
final class RequestCodec {

  private RequestCodec() {}

  static DeviceRequest read(FieldReader in) {
    return new DeviceRequest(
        in.text("name"),
        in.optionalObject("exactly", exactly -> readBody(exactly, true)),
        in.objects("firstAvailable", RequestCodec::readSubRequest));
  }

  static Json.Fields write(DeviceRequest request) {
    return new FieldWriter()
        .required("name", request.name())
        .optional(
            "exactly", request.exactly(), exactly -> writeBody(exactly, new FieldWriter()).done())
        .list("firstAvailable", request.firstAvailable(), RequestCodec::writeSubRequest)
        .done();
  }

  private static DeviceSubRequest readSubRequest(FieldReader in) {
    return new DeviceSubRequest(in.text("name"), readBody(in, false));
  }

  private static Json.Fields writeSubRequest(DeviceSubRequest request) {
    return writeBody(request.request(), new FieldWriter().required("name", request.name())).done();
  }

  private static ExactDeviceRequest readBody(FieldReader in, boolean hasAdminAccess) {
    ExactDeviceRequest.Builder request =
        ExactDeviceRequest.ofClass(in.text("deviceClassName"))
            .selectors(in.objects("selectors", RequestCodec::readSelector))
            .allocationMode(new AllocationMode(in.text("allocationMode")), in.integer("count"))
            .adminAccess(hasAdminAccess ? in.optionalFlag("adminAccess") : null)
            .tolerations(in.objects("tolerations", TaintCodec::readToleration));
    CapacityRequirements capacity =
        in.optionalObject(
            "capacity", amounts -> new CapacityRequirements(amounts.quantityMap("requests")));
    if (capacity != null) {
      request.capacity(capacity);
    }
    return request
        .derivedAttributes(in.objects("derivedAttributes", RequestCodec::readDerivedAttribute))
        .build();
  }

  private static FieldWriter writeBody(ExactDeviceRequest request, FieldWriter out) {
    return out.required("deviceClassName", request.deviceClassName())
        .list("selectors", request.selectors(), RequestCodec::writeSelector)
        .text("allocationMode", request.allocationMode().value())
        .integer("count", request.count())
        .optionalFlag("adminAccess", request.adminAccess())
        .list("tolerations", request.tolerations(), TaintCodec::writeToleration)
        .optional(
            "capacity",
            request.capacity(),
            capacity -> new FieldWriter().quantityMap("requests", capacity.requests()).done())
        .list(
            "derivedAttributes", request.derivedAttributes(), RequestCodec::writeDerivedAttribute);
  }

  static DeviceSelector readSelector(FieldReader in) {
    return new DeviceSelector(in.optionalObject("cel", cel -> cel.text("expression")));
  }

  static Json.Fields writeSelector(DeviceSelector selector) {
    return new FieldWriter()
        .optional(
            "cel",
            selector.expression(),
            expression -> new FieldWriter().required("expression", expression).done())
        .done();
  }

  private static DeviceDerivedAttribute readDerivedAttribute(FieldReader in) {
    return new DeviceDerivedAttribute(in.text("name"), in.text("expression"));
  }

  private static Json.Fields writeDerivedAttribute(DeviceDerivedAttribute attribute) {
    return new FieldWriter()
        .required("name", attribute.name())
        .required("expression", attribute.expression())
        .done();
  }
}
