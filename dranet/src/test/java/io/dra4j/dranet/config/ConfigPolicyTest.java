package io.dra4j.dranet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigPolicyTest {

  private static final ConfigPolicy POLICY =
      ConfigPolicy.classOnly(List.of("/interface/vrf", "/rules"));

  @Test
  void eachFieldThatAClaimMayNotSetIsAProblem() {
    assertThat(
            POLICY.check("{\"interface\": {\"vrf\": {\"name\": \"v\"}}, \"rules\": null}").stream()
                .map(ConfigurationProblem::pointer))
        .containsExactly("/interface/vrf", "/rules");
  }

  @Test
  void otherFieldsAreLeftToTheClaim() {
    assertThat(POLICY.check("{\"interface\": {\"mtu\": 9000}}")).isEmpty();
    assertThat(POLICY.check("{")).isEmpty();
    assertThat(ConfigPolicy.NONE.check("{\"rules\": []}")).isEmpty();
  }

  @Test
  void aPointerThatNamesNoFieldIsRefused() {
    assertThatThrownBy(() -> ConfigPolicy.classOnly(List.of("/interface/mtv")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/interface/mtv");
  }

  @Test
  void everyFieldOfAConfigurationCanBeNamed() {
    assertThat(ConfigReader.pointers())
        .hasSize(24)
        .contains(
            "/profile",
            "/interface/hardwareAddr",
            "/interface/vrf",
            "/interface/vrf/table",
            "/routes",
            "/neighbors",
            "/ethtool/privateFlags")
        .doesNotContain("/routes/destination");
    assertThat(ConfigPolicy.classOnly(List.copyOf(ConfigReader.pointers())).classOnly())
        .hasSize(24);
    assertThatThrownBy(() -> ConfigPolicy.classOnly(List.of("/routes/0")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
