package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * A consumer that may use an allocated claim.
 *
 * @param apiGroup the group of the resource; empty for the core group
 * @param resource for example {@code pods}
 * @param name the consumer's name
 * @param uid the consumer's unique id
 */
public record ResourceClaimConsumerReference(
    String apiGroup, String resource, String name, String uid) {
  /** Rejects null. {@inheritDoc} */
  public ResourceClaimConsumerReference {
    Checks.value("ResourceClaimConsumerReference.apiGroup", apiGroup);
    Checks.value("ResourceClaimConsumerReference.resource", resource);
    Checks.value("ResourceClaimConsumerReference.name", name);
    Checks.value("ResourceClaimConsumerReference.uid", uid);
  }
}
