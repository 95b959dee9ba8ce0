package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a pod refers to. The API server demands exactly one of the two names.
 *
 * @param name what the pod's containers call it
 * @param resourceClaimName an existing claim, or {@code null}
 * @param resourceClaimTemplateName the template of a claim of the pod's own, or {@code null}
 */
public record PodResourceClaim(
    String name, @Nullable String resourceClaimName, @Nullable String resourceClaimTemplateName) {
  /**
   * Refuses null but for {@code resourceClaimName} and {@code resourceClaimTemplateName}.
   * {@inheritDoc}
   */
  public PodResourceClaim {
    Checks.value("PodResourceClaim.name", name);
  }
}
