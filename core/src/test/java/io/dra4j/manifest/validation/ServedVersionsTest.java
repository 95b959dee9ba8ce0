package io.dra4j.manifest.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.KubernetesVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which release a version of a kind of {@code scheduling.k8s.io} is there first. */
class ServedVersionsTest {

  @ParameterizedTest
  @CsvSource({
    "v1alpha2, PodGroup, V1_36",
    "v1alpha2, Workload, V1_36",
    "v1alpha3, PodGroup, V1_37",
    "v1beta1, PodGroup, V1_37",
    "v1beta1, Workload, V1_37",
    "v1alpha3, CompositePodGroup, V1_37",
    "v1beta1, CompositePodGroup, V1_38"
  })
  void kindsOfSchedulingComeWithTheirRelease(
      String version, String kind, KubernetesVersion release) {
    assertThat(ServedVersions.first("scheduling.k8s.io/" + version, kind)).isEqualTo(release);
  }
}
