package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a pod refers to. The API server requires exactly one of the two names.
 *
 * @param name the name of the claim in the pod
 * @param resourceClaimName an existing claim, or {@code null}
 * @param resourceClaimTemplateName the template of a claim for this pod alone, or {@code null}
 */
public record PodResourceClaim(
    String name, @Nullable String resourceClaimName, @Nullable String resourceClaimTemplateName) {
  /**
   * Rejects null except for {@code resourceClaimName} and {@code resourceClaimTemplateName}.
   * {@inheritDoc}
   */
  public PodResourceClaim {
    Checks.value("PodResourceClaim.name", name);
  }
}
