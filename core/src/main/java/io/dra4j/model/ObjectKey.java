package io.dra4j.model;

import java.util.Comparator;
import java.util.Objects;

/**
 * The kind, namespace and name that identify an object in a cluster. For ResourceClaims use {@link
 * ClaimKey}, which needs no kind.
 *
 * @param kind the kind, for example {@code ResourceSlice}
 * @param namespace the namespace; empty for kinds without namespace
 * @param name the name within the namespace; empty if the API server generates it
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

  /** Compares by name, then namespace, then kind; keeps maps fast if many hash codes are equal. */
  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }
}
