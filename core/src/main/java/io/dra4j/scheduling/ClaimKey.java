package io.dra4j.scheduling;

import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;

/**
 * What identifies a claim in a cluster.
 *
 * @param namespace the namespace of the claim, never empty
 * @param name the name of the claim
 */
public record ClaimKey(String namespace, String name) {

  /**
   * Returns the key of a claim; one without namespace is in the default namespace.
   *
   * @param claim the claim
   * @return the key
   */
  public static ClaimKey of(ResourceClaim claim) {
    return of(claim.metadata(), claim.metadata().name());
  }

  /** The key of an object of this name in the namespace of another. */
  static ClaimKey of(ObjectMeta neighbour, String name) {
    return new ClaimKey(neighbour.namespaceOrDefault(), name);
  }

  /**
   * Returns how messages name the claim.
   *
   * @return {@code namespace/name}
   */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
