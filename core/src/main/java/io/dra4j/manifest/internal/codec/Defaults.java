package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import java.util.function.UnaryOperator;

/**
 * Fills in what the API server would (kubernetes {@code pkg/apis/resource/v1/defaults.go}): a
 * request is for one device, a toleration compares with {@code Equal}. The time of a taint stays
 * open, as nothing here knows it.
 */
public final class Defaults {

  private static final Json EXACT_COUNT = new Json.Text("ExactCount");

  private Defaults() {}

  public static Json.Fields apply(String kind, Json.Fields object) {
    UnaryOperator<Json.Fields> claimSpec =
        spec -> spec.at("devices", devices -> devices.each("requests", Defaults::request));
    return switch (kind) {
      case "ResourceClaim" -> object.at("spec", claimSpec);
      case "ResourceClaimTemplate" -> object.at("spec", spec -> spec.at("spec", claimSpec));
      default -> object;
    };
  }

  private static Json.Fields request(Json.Fields request) {
    return request.at("exactly", Defaults::body).each("firstAvailable", Defaults::body);
  }

  private static Json.Fields body(Json.Fields body) {
    Json.Fields request = body.each("tolerations", Defaults::toleration);
    if (isUnset(request, "allocationMode")) {
      request = request.with("allocationMode", EXACT_COUNT);
    }
    if (EXACT_COUNT.equals(request.get("allocationMode")) && isZero(request, "count")) {
      request = request.with("count", Json.Num.of(1));
    }
    return request;
  }

  private static Json.Fields toleration(Json.Fields toleration) {
    return isUnset(toleration, "operator")
        ? toleration.with("operator", new Json.Text("Equal"))
        : toleration;
  }

  private static boolean isUnset(Json.Fields object, String name) {
    return !object.has(name) || new Json.Text("").equals(object.get(name));
  }

  private static boolean isZero(Json.Fields object, String name) {
    return !object.has(name) || (object.get(name) instanceof Json.Num number && number.isZero());
  }
}
