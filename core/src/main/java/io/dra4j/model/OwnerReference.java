package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The owner of an object ({@code metadata.ownerReferences}), for example the Job of a pod.
 *
 * @param apiVersion the API version of the owner, for example {@code batch/v1}
 * @param kind the kind of the owner
 * @param name the name of the owner, in the namespace of the object
 * @param uid the UID of the owner; empty if not given
 * @param controller whether the owner manages the object; at most one owner does
 */
public record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean controller) {

  /** Rejects null. {@inheritDoc} */
  public OwnerReference {
    Checks.value("OwnerReference.apiVersion", apiVersion);
    Checks.value("OwnerReference.kind", kind);
    Checks.value("OwnerReference.name", name);
    Checks.value("OwnerReference.uid", uid);
  }

  /**
   * {@return a reference without UID to an object that manages others, like the Job of a pod}
   *
   * @param apiVersion the API version of the owner, for example {@code batch/v1}
   * @param kind the kind of the owner
   * @param name the name of the owner
   */
  public static OwnerReference controller(String apiVersion, String kind, String name) {
    return new OwnerReference(apiVersion, kind, name, "", true);
  }
}
