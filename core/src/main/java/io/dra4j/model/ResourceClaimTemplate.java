package io.dra4j.model;

import java.util.Map;

/**
 * From which a claim of its own is made for each pod that refers to it.
 *
 * @param metadata namespace and name
 * @param claimLabels labels of the claims made from it
 * @param claimAnnotations annotations of the claims made from it
 * @param spec what the claims made from it ask for
 */
public record ResourceClaimTemplate(
    ObjectMeta metadata,
    Map<String, String> claimLabels,
    Map<String, String> claimAnnotations,
    ResourceClaimSpec spec)
    implements KubernetesObject {

  /** Copies the maps, keeping their order. {@inheritDoc} */
  public ResourceClaimTemplate {
    claimLabels = NoNulls.map("ResourceClaimTemplate.claimLabels", claimLabels);
    claimAnnotations = NoNulls.map("ResourceClaimTemplate.claimAnnotations", claimAnnotations);
  }

  /**
   * Makes a claim.
   *
   * @param name the claim's name
   * @return a pending claim in the template's namespace
   */
  public ResourceClaim instantiate(String name) {
    return new ResourceClaim(
        new ObjectMeta(name, metadata.namespace(), null, claimLabels, claimAnnotations),
        spec,
        ResourceClaimStatus.EMPTY);
  }
}
