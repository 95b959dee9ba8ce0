package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.TaintEffect;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaintRuleTest {

  private static final String TAINTED = "has a taint that is not tolerated";

  private static String place(List<DeviceTaint> taints, DeviceToleration... tolerations)
      throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").tolerations(List.of(tolerations)))
            .build();
    return Bench.of(Cluster.withDevices(Device.named("d").taints(taints).build()), claim)
        .with(TaintRule::new)
        .place("r", "d");
  }

  @ParameterizedTest(name = "a taint of effect {0}: {1}")
  @CsvSource({
    "NoSchedule, has a taint that is not tolerated",
    "NoExecute, has a taint that is not tolerated",
    "None, placed",
    "Later, placed",
  })
  void onlyTwoEffectsKeepAway(String effect, String outcome) throws Exception {
    DeviceTaint taint = DeviceTaint.of("health", "bad", new TaintEffect(effect));
    assertThat(place(List.of(taint))).isEqualTo(outcome);
  }

  @Test
  void everyTaintNeedsATolerationAndOneIsEnough() throws Exception {
    DeviceTaint bad = DeviceTaint.of("health", "bad", TaintEffect.NO_SCHEDULE);
    DeviceTaint drain = DeviceTaint.of("drain", "", TaintEffect.NO_EXECUTE);
    DeviceToleration health = DeviceToleration.exists("health");
    DeviceToleration draining = DeviceToleration.exists("drain");
    DeviceToleration other = DeviceToleration.exists("other");
    assertThat(place(List.of(bad, drain), health)).isEqualTo(TAINTED);
    assertThat(place(List.of(bad, drain), draining)).isEqualTo(TAINTED);
    assertThat(place(List.of(bad, drain), other)).isEqualTo(TAINTED);
    assertThat(place(List.of(bad, drain), other, health, draining)).isEqualTo("placed");
    assertThat(place(List.of())).isEqualTo("placed");
  }

  @Test
  void adminAccessIsNoToleration() throws Exception {
    Device tainted =
        Device.named("d").taint(DeviceTaint.of("k", "v", TaintEffect.NO_SCHEDULE)).build();
    ResourceClaim admin =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").adminAccess())
            .build();
    assertThat(Bench.of(Cluster.withDevices(tainted), admin).with(TaintRule::new).place("r", "d"))
        .isEqualTo(TAINTED);
  }
}
