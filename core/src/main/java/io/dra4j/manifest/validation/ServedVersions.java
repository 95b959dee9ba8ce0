package io.dra4j.manifest.validation;

import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import java.util.List;
import java.util.Objects;

/**
 * Reports objects in versions of the API that a release of Kubernetes does not have yet.
 *
 * <p>Source: {@code APILifecycleIntroduced} of the kinds in {@code k8s.io/api} v0.37.2 and
 * v0.38.0-beta.0, and the packages of {@code scheduling} in v0.36 and v0.37.
 *
 * @param release the release of the cluster
 */
public record ServedVersions(KubernetesVersion release) implements ManifestInspector {

  @Override
  public void inspect(RawObject object, Findings findings) {
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(findings, "findings");
    KubernetesVersion first = first(object.apiVersion(), object.kind());
    if (release.compareTo(first) < 0) {
      findings.add(
          ValidationRule.KNOWN_VERSION.id(),
          "apiVersion",
          "%s %s requires Kubernetes %s, but the release is %s"
              .formatted(object.apiVersion(), object.kind(), first, release),
          List.of());
    }
  }

  /**
   * {@return the first release with a version of a kind; 1.32 for older and unknown versions}
   *
   * @param apiVersion for example {@code resource.k8s.io/v1}
   * @param kind for example {@code DeviceTaintRule}
   */
  public static KubernetesVersion first(String apiVersion, String kind) {
    Objects.requireNonNull(apiVersion, "apiVersion");
    Objects.requireNonNull(kind, "kind");
    boolean isTaintRule = kind.equals("DeviceTaintRule");
    return switch (apiVersion) {
      case "resource.k8s.io/v1" -> isTaintRule ? KubernetesVersion.V1_37 : KubernetesVersion.V1_34;
      case "resource.k8s.io/v1beta2" ->
          isTaintRule ? KubernetesVersion.V1_36 : KubernetesVersion.V1_33;
      case "resource.k8s.io/v1alpha3" -> KubernetesVersion.V1_33;
      case "scheduling.k8s.io/v1alpha2" -> KubernetesVersion.V1_36;
      case "scheduling.k8s.io/v1alpha3" -> KubernetesVersion.V1_37;
      case "scheduling.k8s.io/v1beta1" ->
          kind.equals("CompositePodGroup") ? KubernetesVersion.V1_38 : KubernetesVersion.V1_37;
      default -> KubernetesVersion.V1_32;
    };
  }
}
