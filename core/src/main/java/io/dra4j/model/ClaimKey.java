package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Comparator;

/**
 * The namespace and name that identify a resource claim in a cluster.
 *
 * @param namespace its namespace, never empty: {@code default} replaces an empty namespace
 * @param name its name in the namespace
 */
public record ClaimKey(String namespace, String name) implements Comparable<ClaimKey> {

  /** Rejects null, and replaces an empty namespace by {@code default}. {@inheritDoc} */
  public ClaimKey {
    Checks.value("ClaimKey.namespace", namespace);
    Checks.value("ClaimKey.name", name);
    namespace = namespace.isEmpty() ? ObjectMeta.DEFAULT_NAMESPACE : namespace;
  }

  private static final Comparator<ClaimKey> BY_NAME =
      Comparator.comparing(ClaimKey::namespace).thenComparing(ClaimKey::name);

  /**
   * Returns the key of a claim, with the namespace {@code default} for a claim that names none.
   *
   * @param claim the claim
   * @return its key
   */
  public static ClaimKey of(ResourceClaim claim) {
    return of(Checks.value("claim", claim).metadata(), claim.metadata().name());
  }

  /**
   * Returns the key of a claim that is in the namespace of another object, for example of the pod
   * that uses it; in the namespace {@code default} if that object names none.
   *
   * @param neighbour the metadata of the other object
   * @param name the name of the claim
   * @return its key
   */
  public static ClaimKey of(ObjectMeta neighbour, String name) {
    return new ClaimKey(Checks.value("neighbour", neighbour).namespaceOrDefault(), name);
  }

  /** Compares by namespace, then by name. */
  @Override
  public int compareTo(ClaimKey other) {
    return BY_NAME.compare(this, other);
  }

  /**
   * Returns the form in which Kubernetes writes the key in messages.
   *
   * @return {@code namespace/name}
   */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
