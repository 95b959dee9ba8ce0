package io.dra4j.spi;

import java.util.Objects;

/**
 * Identifies a ResourceClaim. Two claims are the same only if their UIDs are equal: a claim that
 * was deleted and recreated under its old name is another claim.
 *
 * @param namespace the namespace of the claim
 * @param name the name of the claim
 * @param uid the UID of the claim; not empty
 */
public record ClaimReference(String namespace, String name, String uid) {

  /**
   * Rejects a claim without a UID. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code uid} is empty
   */
  public ClaimReference {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
    if (uid.isEmpty()) {
      throw new IllegalArgumentException("claim " + namespace + "/" + name + " has no uid");
    }
  }

  /** {@return the name of the claim for messages: {@code namespace/name (uid)}} */
  @Override
  public String toString() {
    return namespace + "/" + name + " (" + uid + ")";
  }
}
