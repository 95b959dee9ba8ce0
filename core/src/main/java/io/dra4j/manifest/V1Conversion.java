package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Turns documents of older API versions into v1, as JSON, so that there is one shape to read.
 * v1beta2 is v1 under another name; v1beta1 wraps devices in {@code basic} and has no {@code
 * exactly} (Kubernetes' {@code api/v1beta1/conversion.go}). Whatever has not the expected shape is
 * left for the reader to complain about.
 */
final class V1Conversion {

  private static final String V1BETA1 = "resource.k8s.io/v1beta1";

  /** Any of these makes a v1beta1 request one for exactly some devices. */
  private static final List<String> EXACTLY =
      List.of(
          "deviceClassName",
          "selectors",
          "allocationMode",
          "count",
          "adminAccess",
          "tolerations",
          "capacity",
          "derivedAttributes");

  private V1Conversion() {}

  /** The document in the version that {@link Kind#apiVersion} names. */
  static ObjectNode convert(ObjectNode document, Kind kind, String apiVersion) {
    ObjectNode v1 = apiVersion.equals(V1BETA1) ? document.deepCopy() : document;
    if (apiVersion.equals(V1BETA1)) {
      switch (kind) {
        case RESOURCE_SLICE -> convertSlice(v1);
        case RESOURCE_CLAIM -> convertRequests(v1.path("spec"));
        case RESOURCE_CLAIM_TEMPLATE -> convertRequests(v1.path("spec").path("spec"));
        default -> {}
      }
    }
    v1.put("apiVersion", kind.apiVersion());
    v1.put("kind", kind.kindName());
    return v1;
  }

  private static void convertSlice(ObjectNode slice) {
    if (!(slice.path("spec") instanceof ObjectNode spec)) {
      return;
    }
    if (spec.path("nodeName").isTextual() && spec.path("nodeName").asText().isEmpty()) {
      spec.remove("nodeName");
    }
    if (spec.path("allNodes").isBoolean() && !spec.path("allNodes").asBoolean()) {
      spec.remove("allNodes");
    }
    if (!(spec.path("devices") instanceof ArrayNode devices)) {
      return;
    }
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i) instanceof ObjectNode device) {
        JsonNode basic = device.path("basic");
        ObjectNode flat = JsonNodeFactory.instance.objectNode();
        if (device.has("name")) {
          flat.set("name", device.get("name"));
        }
        if (basic instanceof ObjectNode fields) {
          fields
              .properties()
              .forEach(
                  field -> {
                    if (!field.getKey().equals("name")) {
                      flat.set(field.getKey(), field.getValue());
                    }
                  });
        } else if (!basic.isMissingNode() && !basic.isNull()) {
          continue;
        }
        devices.set(i, flat);
      }
    }
  }

  private static void convertRequests(JsonNode spec) {
    if (!(spec.path("devices").path("requests") instanceof ArrayNode requests)) {
      return;
    }
    for (JsonNode element : requests) {
      if (!(element instanceof ObjectNode request)) {
        continue;
      }
      request.remove("exactly");
      ObjectNode exactly = JsonNodeFactory.instance.objectNode();
      boolean given = false;
      for (String field : EXACTLY) {
        JsonNode value = request.remove(field);
        if (value != null && !value.isNull()) {
          exactly.set(field, value);
          given |= isSet(value);
        }
      }
      if (given) {
        request.set("exactly", exactly);
      }
    }
  }

  private static boolean isSet(JsonNode value) {
    return !(value.isTextual() && value.asText().isEmpty())
        && !(value.isIntegralNumber() && value.canConvertToLong() && value.longValue() == 0);
  }
}
