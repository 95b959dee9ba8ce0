package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;

/** ResourceQuotas: limits, scopes and used amounts. */
final class QuotaCodec {

  private QuotaCodec() {}

  static ResourceQuota read(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            new ResourceQuota(
                MetadataCodec.read(in),
                spec.quantityMap("hard"),
                readScopes(spec),
                in.object("status", status -> status.quantityMap("used"))));
  }

  private static List<String> readScopes(FieldReader spec) {
    List<String> scopes = new ArrayList<>(spec.texts("scopes"));
    scopes.addAll(
        spec.object(
            "scopeSelector",
            selector -> selector.objects("matchExpressions", one -> one.text("scopeName"))));
    return scopes;
  }

  /** Scopes are written as a selector, which may have any of them. */
  static Json.Fields write(ResourceQuota quota) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(quota.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .quantityMap("hard", quota.hard())
                .object(
                    "scopeSelector",
                    new FieldWriter()
                        .list("matchExpressions", quota.scopes(), QuotaCodec::writeScope)
                        .done())
                .done())
        .object("status", new FieldWriter().quantityMap("used", quota.used()).done())
        .done();
  }

  private static Json.Fields writeScope(String scope) {
    return new FieldWriter().required("scopeName", scope).required("operator", "Exists").done();
  }
}
