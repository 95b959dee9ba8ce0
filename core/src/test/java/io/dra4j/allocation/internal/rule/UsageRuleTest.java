package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.Features;
import io.dra4j.model.ResourceClaim;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageRuleTest {

  private static final ResourceClaim FIRST = claim("first");
  private static final ResourceClaim SECOND = claim("second");

  private static ResourceClaim claim(String name) {
    return ResourceClaim.named(name)
        .request("plain", request -> request.deviceClass("any"))
        .request("other", request -> request.deviceClass("any"))
        .request("admin", request -> request.deviceClass("any").adminAccess())
        .build();
  }

  private static Bench bench(Cluster cluster, Compatibility compatibility) throws Exception {
    return Bench.of(cluster, Feature.kubernetes(), compatibility, FIRST, SECOND)
        .withPlaced(UsageRule::new);
  }

  private static Bench bench(Cluster cluster) throws Exception {
    return bench(cluster, Compatibility.REFERENCE);
  }

  @Test
  void aDeviceThatAClaimHasIsInUseForAllButAdminAccess() throws Exception {
    Bench bench = bench(Cluster.withDevices(2).add(Cluster.holding("a", "d0")));
    assertThat(bench.check("plain", "d0")).isEqualTo("is in use");
    assertThat(bench.place("plain", "d0")).isEqualTo("is in use");
    assertThat(bench.check("plain", "d1")).isEqualTo("passes");
    assertThat(bench.check("admin", "d0")).isEqualTo("passes");
    assertThat(bench.place("admin", "d0")).isEqualTo("placed");
  }

  @Test
  void aDeviceIsInUseForEveryClaimFromPlacingToUndoing() throws Exception {
    Bench bench = bench(Cluster.withDevices(2));
    assertThat(bench.place(0, "plain", "d0")).isEqualTo("placed");
    assertThat(bench.check(0, "other", "d0")).isEqualTo("is in use");
    assertThat(bench.check(1, "plain", "d0")).isEqualTo("is in use");
    assertThat(bench.check(1, "plain", "d1")).isEqualTo("passes");
    bench.undo(0, "plain", "d0");
    assertThat(bench.check(0, "other", "d0")).isEqualTo("passes");
    assertThat(bench.check(1, "plain", "d0")).isEqualTo("passes");
  }

  @Test
  void adminAccessTakesADeviceOnceForEachClaim() throws Exception {
    Bench bench = bench(Cluster.withDevices(1));
    assertThat(bench.place(0, "plain", "d0")).isEqualTo("placed");
    assertThat(bench.check(0, "admin", "d0")).isEqualTo("is already in this claim");
    assertThat(bench.place(1, "admin", "d0")).isEqualTo("placed");
    assertThat(bench.check(1, "admin", "d0")).isEqualTo("is already in this claim");
    bench.undo(1, "admin", "d0");
    assertThat(bench.check(1, "admin", "d0")).isEqualTo("passes");
  }

  @Test
  void whatAdminAccessTookIsInUseForOthersUnlessStrict() throws Exception {
    Bench reference = bench(Cluster.withDevices(1));
    assertThat(reference.place(0, "admin", "d0")).isEqualTo("placed");
    assertThat(reference.check(1, "plain", "d0")).isEqualTo("is in use");
    reference.undo(0, "admin", "d0");
    assertThat(reference.check(1, "plain", "d0")).isEqualTo("passes");

    Bench strict = bench(Cluster.withDevices(1), Compatibility.STRICT);
    assertThat(strict.place(0, "admin", "d0")).isEqualTo("placed");
    assertThat(strict.check(1, "plain", "d0")).isEqualTo("passes");
    assertThat(strict.check(0, "plain", "d0")).isEqualTo("is already in this claim");
    assertThat(strict.place(1, "plain", "d0")).isEqualTo("placed");
    assertThat(strict.check(0, "plain", "d0")).isEqualTo("is in use");
    strict.undo(1, "plain", "d0");
    assertThat(strict.check(1, "plain", "d0")).isEqualTo("passes");
  }

  @Test
  void sharesOfADeviceDoNotKeepEachOtherAway() throws Exception {
    Cluster cluster =
        Cluster.withDevices(Device.named("s").allowMultipleAllocations().build())
            .add(Cluster.sharing("a", "s", Map.of()));
    Bench bench = bench(cluster);
    assertThat(bench.place(0, "plain", "s")).isEqualTo("placed");
    assertThat(bench.place(0, "other", "s")).isEqualTo("placed");
    assertThat(bench.place(0, "admin", "s")).isEqualTo("placed");
    assertThat(bench.place(1, "plain", "s")).isEqualTo("placed");
  }

  @Test
  void whereSharingIsOffAShareIsTheWholeDevice() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("s").allowMultipleAllocations().build(),
                Device.named("t").allowMultipleAllocations().build())
            .add(Cluster.sharing("a", "s", Map.of()));
    Bench bench =
        Bench.of(
                cluster,
                Features.without(Feature.CONSUMABLE_CAPACITY),
                Compatibility.REFERENCE,
                FIRST,
                SECOND)
            .withPlaced(UsageRule::new);
    assertThat(bench.check("plain", "s")).isEqualTo("is in use");
    assertThat(bench.place("plain", "t")).isEqualTo("placed");
    assertThat(bench.check("other", "t")).isEqualTo("is in use");
  }

  @Test
  void aShareOfADeviceThatCanBeSharedNoLongerKeepsOthersAwayIfStrict() throws Exception {
    Cluster cluster = Cluster.withDevices(2).add(Cluster.sharing("a", "d0", Map.of()));
    assertThat(bench(cluster).check("plain", "d0")).isEqualTo("passes");
    Bench strict = bench(cluster, Compatibility.STRICT);
    assertThat(strict.check("plain", "d0")).isEqualTo("is in use");
    assertThat(strict.place("plain", "d0")).isEqualTo("is in use");
    assertThat(strict.check("admin", "d0")).isEqualTo("passes");
    assertThat(strict.check("plain", "d1")).isEqualTo("passes");
  }

  @Test
  void aShareableDeviceThatAClaimHasAsAWholeIsInUse() throws Exception {
    Cluster cluster =
        Cluster.withDevices(Device.named("s").allowMultipleAllocations().build())
            .add(Cluster.holding("a", "s"));
    assertThat(bench(cluster).check("plain", "s")).isEqualTo("is in use");
  }
}
