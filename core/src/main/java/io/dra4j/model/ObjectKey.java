package io.dra4j.model;

import java.util.Comparator;
import java.util.Objects;

/**
 * What two objects of one cluster cannot have in common: the key of an object of any kind. That of
 * a claim, whose kind goes without saying, is {@link ClaimKey}.
 *
 * @param kind the kind, for example {@code ResourceSlice}
 * @param namespace the namespace; empty for kinds without
 * @param name the name within the namespace; empty where the API server makes it up
 */
public record ObjectKey(String kind, String namespace, String name)
    implements Comparable<ObjectKey> {

  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::name)
          .thenComparing(ObjectKey::namespace)
          .thenComparing(ObjectKey::kind);

  /** Checks that nothing is null. {@inheritDoc} */
  public ObjectKey {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  /**
   * Compares by name, then by namespace and kind. Keeps the look-ups of maps short where an author
   * chose names of one hash code.
   */
  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }
}
