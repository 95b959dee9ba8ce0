package io.dra4j.spi;

import java.util.Objects;

/**
 * Which ResourceClaim is meant. Two claims are the same only if their UIDs are: a claim that was
 * deleted and made again under its old name is another claim.
 *
 * @param namespace the namespace of the claim
 * @param name the name of the claim
 * @param uid the unique id of the claim, which is what distinguishes claims; not empty
 */
public record ClaimReference(String namespace, String name, String uid) {

  /**
   * Refuses a claim without unique id. {@inheritDoc}
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

  /**
   * The form in which claims are named in messages.
   *
   * @return {@code namespace/name (uid)}
   */
  @Override
  public String toString() {
    return namespace + "/" + name + " (" + uid + ")";
  }
}
