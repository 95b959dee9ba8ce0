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
   * {@return the key of a claim, in the namespace {@code default} if the claim names none}
   *
   * @param claim the claim
   */
  public static ClaimKey of(ResourceClaim claim) {
    return of(Checks.value("claim", claim).metadata(), claim.metadata().name());
  }

  /**
   * {@return the key of a claim in another object's namespace; {@code default} if that names none}
   *
   * @param neighbour the metadata of the other object, for example of the pod that uses the claim
   * @param name the name of the claim
   */
  public static ClaimKey of(ObjectMeta neighbour, String name) {
    return new ClaimKey(Checks.value("neighbour", neighbour).namespaceOrDefault(), name);
  }

  /** Compares by namespace, then by name. */
  @Override
  public int compareTo(ClaimKey other) {
    return BY_NAME.compare(this, other);
  }

  /** {@return {@code namespace/name}, as Kubernetes writes the key in messages} */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
