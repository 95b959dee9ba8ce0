package io.dra4j.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class FeatureTest {

  @Test
  void everyFeatureIsEitherOfKubernetesOrOurOwn() {
    EnumSet<Feature> both = EnumSet.copyOf(Feature.kubernetes());
    both.addAll(Feature.extensions());
    assertThat(both).containsExactly(Feature.values());
    assertThat(Feature.kubernetes())
        .allSatisfy(feature -> assertThat(feature.gates()).isNotEmpty())
        .hasSize(Feature.values().length - Feature.extensions().size());
  }

  @Test
  void aFeatureIsFoundByItsNameAndByItsOwnGate() {
    assertThat(Feature.byName("DeviceTaints")).contains(Feature.DEVICE_TAINTS);
    assertThat(Feature.byName("dradevicetaints")).contains(Feature.DEVICE_TAINTS);
    assertThat(Feature.byName("DRADeviceBindingConditions"))
        .contains(Feature.DEVICE_BINDING_AND_STATUS);
    assertThat(Feature.byName("DRAResourceClaimDeviceStatus")).isEmpty();
    assertThat(Feature.byName("")).isEmpty();
  }
}
