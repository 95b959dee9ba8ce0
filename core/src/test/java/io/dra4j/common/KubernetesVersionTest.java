package io.dra4j.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesVersionTest {

  /**
   * The gates of kube_features.go that structured.Features has in that release, and those of what
   * the scheduler does without its allocator.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.32||DRAAdminAccess",
        "1.33||DRAAdminAccess DRADeviceTaints DRAPartitionableDevices DRAPrioritizedList",
        "1.34|DRAAdminAccess DRAPrioritizedList|DRAConsumableCapacity DRADeviceBindingConditions"
            + " DRADeviceTaints DRAPartitionableDevices",
        "1.35|DRAAdminAccess DRAPrioritizedList|DRAConsumableCapacity DRADeviceBindingConditions"
            + " DRADeviceTaints DRAPartitionableDevices",
        "1.36|DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints"
            + " DRAPartitionableDevices DRAPrioritizedList|",
        "1.37|DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints"
            + " DRAFractionalCapacityRange DRAPartitionableDevices DRAPrioritizedList|"
            + "DRADerivedAttributes DRADeviceCompatibilityGroups DRAListTypeAttributes"
            + " DRANodeAllocatableResources DRAOptionalNodeOperations",
        "1.38|DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints"
            + " DRAFractionalCapacityRange DRAPartitionableDevices DRAPrioritizedList|"
            + "DRADerivedAttributes DRADeviceCompatibilityGroups DRAListTypeAttributes"
            + " DRANodeAllocatableResources DRAOptionalNodeOperations",
      })
  void aReleaseHasTheGatesOfItsSources(String version, String on, String off) {
    KubernetesVersion release = KubernetesVersion.parse(version).orElseThrow();
    Set<Feature> switchable = new TreeSet<>(release.availableFeatures());
    switchable.removeAll(release.features());
    assertThat(gates(release.features())).isEqualTo(on == null ? "" : on);
    assertThat(gates(switchable)).isEqualTo(off == null ? "" : off);
  }

  private static String gates(Set<Feature> features) {
    return features.stream().map(f -> f.gates().get(0)).sorted().collect(Collectors.joining(" "));
  }

  @Test
  void whatALaterReleaseHasIsNeverLess() {
    KubernetesVersion earlier = KubernetesVersion.V1_32;
    for (KubernetesVersion version : KubernetesVersion.values()) {
      assertThat(version.features()).containsAll(earlier.features());
      assertThat(version.availableFeatures()).containsAll(earlier.availableFeatures());
      earlier = version;
    }
    assertThat(KubernetesVersion.V1_37.availableFeatures()).isEqualTo(Feature.kubernetes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.34", "v1.34", "1.34.0", "v1.34.2+k3s1", "v1.34.2-gke.1234"})
  void aVersionIsReadAsToolsPrintIt(String text) {
    assertThat(KubernetesVersion.parse(text)).contains(KubernetesVersion.V1_34);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "34", "1.31", "1.340", "2.34", "1.34x", "1.34.", " 1.34"})
  void otherTextsAreNone(String text) {
    assertThat(KubernetesVersion.parse(text)).isEmpty();
  }
}
