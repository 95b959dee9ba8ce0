package io.dra4j.kubelet;

import java.util.Objects;

/**
 * A ResourceClaim as the kubelet names it. Its allocation is in the API server.
 *
 * @param namespace the namespace of the claim
 * @param name the name of the claim
 * @param uid the UID of the claim: letters, digits, {@code -}, {@code .} and {@code _} only, so
 *     that it can be a part of a file name
 */
public record DraClaim(String namespace, String name, String uid) {

  /** The longest namespace, name or UID, in characters. */
  private static final int MAXIMUM = 253;

  /**
   * Checks the three names. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one of them is empty, longer than 253 characters, or has
   *     other characters than letters, digits, {@code -}, {@code .} and {@code _}
   */
  public DraClaim {
    check("namespace", namespace);
    check("name", name);
    check("uid", uid);
  }

  private static void check(String field, String value) {
    Objects.requireNonNull(value, field);
    if (!Names.isFileName(value, MAXIMUM)) {
      throw new IllegalArgumentException(
          ("claim: %s \"%s\" must be 1 to %d letters, digits, '-', '.' and '_', and begin with a"
                  + " letter or digit")
              .formatted(field, Names.shown(value), MAXIMUM));
    }
  }

  /** Returns the namespace, name and UID, for messages. */
  @Override
  public String toString() {
    return namespace + "/" + name + " (" + uid + ")";
  }
}
