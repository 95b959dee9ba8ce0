package io.dra4j.cli.input;

import static io.dra4j.common.Feature.ADMIN_ACCESS;
import static io.dra4j.common.Feature.DEVICE_TAINTS;
import static io.dra4j.common.Feature.PRIORITIZED_LIST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeatureSetTest {

  private static Set<Feature> features(String text, @Nullable KubernetesVersion release) {
    return new FeatureSet.Converter().convert(text).in(release);
  }

  @Test
  void withoutReleaseNamedFeaturesAreOn() {
    assertThat(features("all", null)).isEqualTo(Feature.kubernetes());
    assertThat(features("none", null)).isEmpty();
    assertThat(features("DeviceTaints, dradevicetaints=true,AdminAccess=false", null))
        .containsExactly(DEVICE_TAINTS);
    assertThat(features("DeviceTaints=false", null))
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(DEVICE_TAINTS)).stream()
                .filter(Feature.kubernetes()::contains)
                .toList());
  }

  @Test
  void withAReleaseAListChangesItsDefaults() {
    KubernetesVersion release = KubernetesVersion.V1_34;
    assertThat(features("DRADeviceTaints,PrioritizedList=false", release))
        .containsExactlyInAnyOrder(ADMIN_ACCESS, DEVICE_TAINTS);
    assertThat(features("AdminAccess", release))
        .containsExactlyInAnyOrder(ADMIN_ACCESS, PRIORITIZED_LIST);
    assertThat(features("all", release)).isEqualTo(release.availableFeatures());
    assertThat(features("none", release)).isEmpty();
  }

  @Test
  void aReleaseCannotHaveWhatCameLater() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> features("DerivedAttributes", KubernetesVersion.V1_34))
        .withMessage("Kubernetes 1.34 has no feature DerivedAttributes");
  }
}
