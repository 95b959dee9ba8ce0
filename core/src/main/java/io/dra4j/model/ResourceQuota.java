package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A limit for the sum of the requests of all objects in a namespace ({@code v1}), with the fields
 * that limit claims.
 *
 * @param metadata namespace and name
 * @param hard the limits, by the names of resources, for example {@code
 *     gpu.example.com.deviceclass.resource.k8s.io/devices}
 * @param scopes the scopes that objects must match, from {@code spec.scopes} and {@code
 *     spec.scopeSelector}; a quota with scopes does not count claims
 * @param used the amounts in use, as counted by the quota controller ({@code status.used}); empty
 *     if not counted yet
 */
public record ResourceQuota(
    ObjectMeta metadata,
    Map<String, Quantity> hard,
    List<String> scopes,
    Map<String, Quantity> used)
    implements KubernetesObject {

  /** Copies the list and the maps, keeping their order; rejects null. {@inheritDoc} */
  public ResourceQuota {
    Checks.value("ResourceQuota.metadata", metadata);
    hard = Checks.map("ResourceQuota.hard", hard);
    scopes = Checks.list("ResourceQuota.scopes", scopes);
    used = Checks.map("ResourceQuota.used", used);
  }

  /**
   * {@return a quota without scopes and counted amounts}
   *
   * @param namespace the namespace that it limits
   * @param name the name of the quota
   * @param hard the limits, by the names of resources
   */
  public static ResourceQuota named(String namespace, String name, Map<String, Quantity> hard) {
    return new ResourceQuota(ObjectMeta.named(namespace, name), hard, List.of(), Map.of());
  }

  /**
   * {@return this quota with other counted amounts}
   *
   * @param count the amounts in use, by the names of resources
   */
  public ResourceQuota withUsed(Map<String, Quantity> count) {
    return new ResourceQuota(metadata, hard, scopes, count);
  }
}
