package io.dra4j.manifest.internal.codec;

import static io.dra4j.manifest.internal.json.JsonFields.at;
import static io.dra4j.manifest.internal.json.JsonFields.each;
import static io.dra4j.manifest.internal.json.JsonFields.isZero;
import static io.dra4j.manifest.internal.json.JsonFields.without;

import io.dra4j.manifest.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Converts documents of {@code resource.k8s.io/v1beta1} to v1, as {@code
 * k8s.io/dynamic-resource-allocation/api/v1beta1} does. In v1beta1 a device has all fields except
 * its name under {@code basic}, a request has the fields of {@code exactly} at the level of {@code
 * firstAvailable}, and a slice writes "not given" as an empty node name and {@code allNodes:
 * false}. (v1beta2 has the fields of v1.)
 */
public final class V1Beta1 {

  private static final Set<String> EXACTLY_FIELDS =
      Set.of(
          "deviceClassName",
          "selectors",
          "allocationMode",
          "count",
          "adminAccess",
          "tolerations",
          "capacity",
          "derivedAttributes");

  /** Fields of a v1 device that v1beta1 does not have at the same level. */
  private static final Set<String> DEVICE_FIELDS =
      Set.of(
          "attributes",
          "capacity",
          "consumesCounters",
          "nodeName",
          "nodeSelector",
          "allNodes",
          "taints",
          "bindsToNode",
          "bindingConditions",
          "bindingFailureConditions",
          "allowMultipleAllocations",
          "nodeAllocatableResources");

  private static final Pattern DEVICE_PATH =
      Pattern.compile("^(spec\\.devices\\[[0-9]+]\\.)(?!basic$|basic\\.|name$)(?=.)");

  private static final Pattern EXACTLY_PATH =
      Pattern.compile("^((?:spec\\.)?spec\\.devices\\.requests\\[[0-9]+]\\.)exactly\\.");

  private V1Beta1() {}

  /** The object in v1. Problems of the parts that only v1beta1 has are reported to the sink. */
  public static Json.Fields toV1(
      String kind, Json.Fields object, FieldReader.ProblemSink problems) {
    UnaryOperator<Json.Fields> claimSpec =
        spec -> at(spec, "devices", devices -> each(devices, "requests", V1Beta1::request));
    return switch (kind) {
      case "ResourceSlice" ->
          at(
              object,
              "spec",
              spec -> {
                checkBasic(spec, problems);
                return sliceSpec(spec);
              });
      case "ResourceClaim" -> at(object, "spec", claimSpec);
      case "ResourceClaimTemplate" -> at(object, "spec", spec -> at(spec, "spec", claimSpec));
      default -> object;
    };
  }

  /** The object in v1beta1, from its document in v1. */
  public static Json.Fields fromV1(String kind, Json.Fields object) {
    UnaryOperator<Json.Fields> claimSpec =
        spec -> at(spec, "devices", devices -> each(devices, "requests", V1Beta1::requestFromV1));
    return switch (kind) {
      case "ResourceSlice" ->
          at(object, "spec", spec -> each(spec, "devices", V1Beta1::deviceFromV1));
      case "ResourceClaim" -> at(object, "spec", claimSpec);
      case "ResourceClaimTemplate" -> at(object, "spec", spec -> at(spec, "spec", claimSpec));
      default -> object;
    };
  }

  /** Unknown fields are moved like known ones, since v1 and v1beta1 both get new fields. */
  private static Json.Fields deviceFromV1(Json.Fields device) {
    Map<String, Json> outer = new LinkedHashMap<>();
    Json name = device.get("name");
    if (name != null) {
      outer.put("name", name);
    }
    outer.put("basic", without(device, "name"));
    return new Json.Fields(outer);
  }

  private static Json.Fields requestFromV1(Json.Fields request) {
    Map<String, Json> fields = new LinkedHashMap<>();
    request
        .map()
        .forEach(
            (name, value) -> {
              if (name.equals("exactly") && value instanceof Json.Fields exactly) {
                exactly.map().forEach(fields::putIfAbsent);
              } else {
                fields.put(name, value);
              }
            });
    return new Json.Fields(fields);
  }

  /** The path of a field in v1beta1, from its path in v1. */
  public static String writtenPath(String kind, String path) {
    return switch (kind) {
      case "ResourceSlice" -> DEVICE_PATH.matcher(path).replaceFirst("$1basic.");
      case "ResourceClaim", "ResourceClaimTemplate" ->
          EXACTLY_PATH.matcher(path).replaceFirst("$1");
      default -> path;
    };
  }

  private static Json.Fields sliceSpec(Json.Fields spec) {
    Json.Fields converted = each(spec, "devices", V1Beta1::device);
    if (new Json.Text("").equals(spec.get("nodeName"))) {
      converted = without(converted, "nodeName");
    }
    return spec.get("allNodes") == Json.Flag.FALSE ? without(converted, "allNodes") : converted;
  }

  private static void checkBasic(Json.Fields spec, FieldReader.ProblemSink problems) {
    if (spec.get("devices") instanceof Json.Items devices) {
      int index = 0;
      for (Json item : devices.list()) {
        Json basic = item instanceof Json.Fields device ? device.get("basic") : null;
        if (basic != null && basic != Json.Null.NULL && !(basic instanceof Json.Fields)) {
          problems.add(
              "spec.devices[" + index + "].basic", "expected an object, found " + basic.describe());
        }
        index++;
      }
    }
  }

  private static Json.Fields device(Json.Fields device) {
    Map<String, Json> fields = new LinkedHashMap<>(device.map());
    fields.keySet().removeAll(DEVICE_FIELDS);
    if (device.get("basic") instanceof Json.Fields basic) {
      fields.remove("basic");
      basic
          .map()
          .forEach(
              (name, value) -> {
                if (!name.equals("name")) {
                  fields.put(name, value);
                }
              });
    }
    return new Json.Fields(fields);
  }

  private static Json.Fields request(Json.Fields request) {
    Map<String, Json> outer = new LinkedHashMap<>(request.map());
    outer.remove("exactly"); // not a field of v1beta1
    Map<String, Json> inner = new LinkedHashMap<>();
    for (String name : List.copyOf(outer.keySet())) {
      Json value = EXACTLY_FIELDS.contains(name) ? outer.remove(name) : null;
      if (value != null) {
        inner.put(name, value);
      }
    }
    if (isAnySet(inner)) {
      outer.put("exactly", new Json.Fields(inner));
    }
    return new Json.Fields(outer);
  }

  /** Whether a field is set. Empty class names and modes and 0 are not set; empty lists are. */
  private static boolean isAnySet(Map<String, Json> fields) {
    for (var field : fields.entrySet()) {
      Json value = field.getValue();
      boolean isUnset =
          switch (field.getKey()) {
            case "deviceClassName", "allocationMode" -> value.equals(new Json.Text(""));
            case "count" -> isZero(value);
            default -> false;
          };
      if (value != Json.Null.NULL && !isUnset) {
        return true;
      }
    }
    return false;
  }
}
