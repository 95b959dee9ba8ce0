package io.dra4j.cel.internal.check;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.common.KubernetesVersion;

/**
 * An edition of the CEL environment of Kubernetes: the part of all variables and functions that it
 * has.
 *
 * @param version the release of Kubernetes
 * @param stored whether it is for stored expressions instead of new ones
 * @param multipleAllocations whether devices have the field for multiple allocations
 * @param listAttributes whether attributes may be lists, and {@code includes} exists
 */
public record EnvironmentVersion(
    KubernetesVersion version,
    boolean stored,
    boolean multipleAllocations,
    boolean listAttributes) {

  /** The edition of stored expressions in Kubernetes 1.37, which has all features. */
  public static final EnvironmentVersion STORED =
      new EnvironmentVersion(KubernetesVersion.V1_37, true, true, true);

  /**
   * {@return the edition of stored expressions in a release: all its features are on, so that
   * stored objects continue to work}
   *
   * @param version the release
   */
  public static EnvironmentVersion storedIn(KubernetesVersion version) {
    return version == KubernetesVersion.V1_37
        ? STORED
        : new EnvironmentVersion(
            version,
            true,
            Releases.hasMultipleAllocations(version, true),
            Releases.hasListAttributes(version, true));
  }

  /**
   * {@return the edition of new expressions in a release}
   *
   * @param version the release
   * @param multipleAllocations whether its feature of that name is on
   * @param listAttributes whether its feature of lists in attributes is on
   */
  public static EnvironmentVersion newIn(
      KubernetesVersion version, boolean multipleAllocations, boolean listAttributes) {
    boolean latest = version == KubernetesVersion.V1_37;
    return new EnvironmentVersion(
        version,
        false,
        multipleAllocations && (latest || Releases.hasMultipleAllocations(version, false)),
        listAttributes && (latest || Releases.hasListAttributes(version, false)));
  }

  /** {@return the type of device attributes} Loops can run over the dynamic type, not over any. */
  public CelType attributeType() {
    return listAttributes ? SimpleType.DYN : SimpleType.ANY;
  }

  /** Returns the rules of the release for the language itself. */
  public Dialect dialect() {
    return version.compareTo(KubernetesVersion.V1_38) < 0
        ? Dialect.KUBERNETES
        : Dialect.KUBERNETES_1_38;
  }

  /** Returns whether names of fields may be in backticks. */
  boolean hasEscapedNames() {
    return version.compareTo(KubernetesVersion.V1_37) >= 0;
  }

  /** Returns whether a function came after Kubernetes 1.37. */
  static boolean isLater(String function) {
    return function.equals("isMask");
  }

  /** Returns whether an overload may be called. */
  boolean has(String function, String overload) {
    if (function.equals("includes") && !listAttributes) {
      return false;
    }
    return version == KubernetesVersion.V1_37
        ? !isLater(function)
        : Releases.has(version, stored, function, overload);
  }
}
