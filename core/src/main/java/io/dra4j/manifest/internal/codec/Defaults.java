package io.dra4j.manifest.internal.codec;

import static io.dra4j.manifest.internal.json.JsonFields.at;
import static io.dra4j.manifest.internal.json.JsonFields.each;
import static io.dra4j.manifest.internal.json.JsonFields.with;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.json.JsonFields;
import java.util.function.UnaryOperator;

/**
 * Fills in the defaults of the API server (kubernetes {@code pkg/apis/resource/v1/defaults.go}): a
 * request is for one device, a toleration compares with {@code Equal}. The time of a taint stays
 * empty, since it is not known here.
 */
public final class Defaults {

  private static final Json EXACT_COUNT = new Json.Text("ExactCount");

  private Defaults() {}

  public static Json.Fields apply(String kind, Json.Fields object) {
    UnaryOperator<Json.Fields> claimSpec =
        spec -> at(spec, "devices", devices -> each(devices, "requests", Defaults::request));
    return switch (kind) {
      case "ResourceClaim" -> at(object, "spec", claimSpec);
      case "ResourceClaimTemplate" -> at(object, "spec", spec -> at(spec, "spec", claimSpec));
      default -> object;
    };
  }

  private static Json.Fields request(Json.Fields request) {
    return each(at(request, "exactly", Defaults::body), "firstAvailable", Defaults::body);
  }

  private static Json.Fields body(Json.Fields body) {
    Json.Fields request = each(body, "tolerations", Defaults::toleration);
    if (isUnset(request, "allocationMode")) {
      request = with(request, "allocationMode", EXACT_COUNT);
    }
    if (EXACT_COUNT.equals(request.get("allocationMode")) && isZero(request, "count")) {
      request = with(request, "count", new Json.Num("1"));
    }
    return request;
  }

  private static Json.Fields toleration(Json.Fields toleration) {
    return isUnset(toleration, "operator")
        ? with(toleration, "operator", new Json.Text("Equal"))
        : toleration;
  }

  private static boolean isUnset(Json.Fields object, String name) {
    return !object.has(name) || new Json.Text("").equals(object.get(name));
  }

  private static boolean isZero(Json.Fields object, String name) {
    return !object.has(name) || JsonFields.isZero(object.get(name));
  }
}
