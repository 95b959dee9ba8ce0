package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityRuleTest {

  private static final String TOO_SMALL = "has less capacity than requested";
  private static final String CONSUMED = "has not enough capacity left";

  private static final ResourceClaim CLAIM =
      ResourceClaim.named("c")
          .request("six", request -> request.deviceClass("any").capacity("bw", "6"))
          .request("four", request -> request.deviceClass("any").capacity("bw", "4"))
          .request("eleven", request -> request.deviceClass("any").capacity("bw", "11"))
          .request("unknown", request -> request.deviceClass("any").capacity("other", "1"))
          .request("nothing", request -> request.deviceClass("any"))
          .request("admin", request -> request.deviceClass("any").adminAccess().capacity("bw", "6"))
          .build();

  private static Device.Builder ten(String name) {
    return Device.named(name).capacity("bw", "10");
  }

  private static Bench bench(Cluster cluster, Compatibility compatibility) throws Exception {
    return Bench.of(cluster, Feature.kubernetes(), compatibility, CLAIM).with(CapacityRule::new);
  }

  private static Bench bench(Cluster cluster) throws Exception {
    return bench(cluster, Compatibility.REFERENCE);
  }

  private static Cluster shared() {
    return Cluster.withDevices(ten("s").allowMultipleAllocations().build(), ten("d").build());
  }

  @Test
  void sharesConsumeUntilNothingIsLeftAndGiveItBack() throws Exception {
    Bench bench = bench(shared());
    assertThat(bench.place("six", "s")).isEqualTo("placed");
    assertThat(bench.check("six", "s")).isEqualTo(CONSUMED);
    assertThat(bench.place("six", "s")).isEqualTo(CONSUMED);
    assertThat(bench.check("four", "s")).isEqualTo("passes");
    assertThat(bench.place("four", "s")).isEqualTo("placed");
    assertThat(bench.place("four", "s")).isEqualTo(CONSUMED);
    bench.undo("four", "s");
    assertThat(bench.place("six", "s")).isEqualTo(CONSUMED);
    bench.undo("six", "s");
    assertThat(bench.place("four", "s")).isEqualTo("placed");
    assertThat(bench.place("six", "s")).isEqualTo("placed");
  }

  @Test
  void aShareWithoutRequestTakesTheWholeDevice() throws Exception {
    Bench bench = bench(shared());
    assertThat(bench.place("nothing", "s")).isEqualTo("placed");
    assertThat(bench.place("four", "s")).isEqualTo(CONSUMED);
    bench.undo("nothing", "s");
    assertThat(bench.place("four", "s")).isEqualTo("placed");
    assertThat(bench.place("nothing", "s")).isEqualTo(CONSUMED);
  }

  @Test
  void sharesOfOtherClaimsHaveConsumed() throws Exception {
    Cluster cluster =
        shared()
            .add(
                Cluster.sharing("a", "s", Map.of("bw", Quantity.of(3))),
                Cluster.sharing("b", "s", Map.of("bw", Quantity.of(2))));
    Bench bench = bench(cluster);
    assertThat(bench.check("six", "s")).isEqualTo(CONSUMED);
    assertThat(bench.place("four", "s")).isEqualTo("placed");
    assertThat(bench.place("four", "s")).isEqualTo(CONSUMED);
    assertThat(bench.check("eleven", "s")).isEqualTo(TOO_SMALL);
  }

  /** The scheduler adds what statuses say, whatever it is. */
  @Test
  void aShareThatConsumesLessThanNothingMakesRoom() throws Exception {
    Cluster cluster = shared().add(Cluster.sharing("a", "s", Map.of("bw", Quantity.of(-5))));
    assertThat(bench(cluster).check("eleven", "s")).isEqualTo("passes");
    assertThat(bench(cluster).check("eleven", "d")).isEqualTo(TOO_SMALL);
  }

  @Test
  void aShareThatConsumesNothingOfACapacityLeavesAllOfIt() throws Exception {
    Cluster cluster = shared().add(Cluster.sharing("a", "s", Map.of("other", Quantity.of(9))));
    assertThat(bench(cluster).check("nothing", "s")).isEqualTo("passes");
  }

  @Test
  void eachCapacityIsCountedByItself() throws Exception {
    Device two = ten("s").capacity("mem", "4").allowMultipleAllocations().build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", r -> r.deviceClass("any").capacity("bw", "1").capacity("mem", "3"))
            .request("b", r -> r.deviceClass("any").capacity("bw", "9").capacity("mem", "1"))
            .request("c", r -> r.deviceClass("any").capacity("bw", "1").capacity("mem", "2"))
            .build();
    Bench bench = Bench.of(Cluster.withDevices(two), claim).with(CapacityRule::new);
    assertThat(bench.place("a", "s")).isEqualTo("placed");
    assertThat(bench.place("c", "s")).isEqualTo(CONSUMED);
    assertThat(bench.place("b", "s")).isEqualTo("placed");
    assertThat(bench.place("c", "s")).isEqualTo(CONSUMED);
  }

  @Test
  void aDeviceThatCannotBeSharedMustBeBigEnoughAndConsumesNothing() throws Exception {
    Bench bench = bench(shared());
    assertThat(bench.check("eleven", "d")).isEqualTo(TOO_SMALL);
    assertThat(bench.check("unknown", "d")).isEqualTo(TOO_SMALL);
    assertThat(bench.place("eleven", "d")).isEqualTo(TOO_SMALL);
    assertThat(bench.place("six", "d")).isEqualTo("placed");
    assertThat(bench.check("six", "d")).isEqualTo("passes");
    bench.undo("six", "d");
    assertThat(bench.place("six", "d")).isEqualTo("placed");
  }

  /** As in the reference: what its driver said of it before is in use still. */
  @Test
  void aDeviceThatCanBeSharedNoMoreKeepsWhatItsSharesHave() throws Exception {
    Bench bench =
        bench(
            Cluster.withDevices(ten("d").build(), ten("s").allowMultipleAllocations().build())
                .add(Cluster.sharing("a", "d", Map.of("bw", Quantity.of(3)))));
    assertThat(bench.check("nothing", "d")).isEqualTo(CONSUMED);
    assertThat(bench.check("four", "d")).isEqualTo("passes");
    assertThat(bench.check("nothing", "s")).isEqualTo("passes");
  }

  @Test
  void aShareableDeviceWithoutCapacitiesHasSharesForAll() throws Exception {
    Cluster cluster =
        Cluster.withDevices(Device.named("s").allowMultipleAllocations().build())
            .add(Cluster.sharing("a", "s", Map.of()));
    Bench bench = bench(cluster);
    assertThat(bench.place("nothing", "s")).isEqualTo("placed");
    assertThat(bench.place("nothing", "s")).isEqualTo("placed");
    bench.undo("nothing", "s");
    assertThat(bench.place("nothing", "s")).isEqualTo("placed");
  }

  @Test
  void adminAccessConsumesUnlessStrict() throws Exception {
    Bench reference = bench(shared());
    assertThat(reference.place("admin", "s")).isEqualTo("placed");
    assertThat(reference.check("six", "s")).isEqualTo(CONSUMED);
    assertThat(reference.check("admin", "s")).isEqualTo(CONSUMED);
    reference.undo("admin", "s");
    assertThat(reference.check("six", "s")).isEqualTo("passes");

    Bench strict = bench(shared(), Compatibility.STRICT);
    assertThat(strict.place("six", "s")).isEqualTo("placed");
    assertThat(strict.place("admin", "s")).isEqualTo("placed");
    assertThat(strict.check("four", "s")).isEqualTo("passes");
    assertThat(strict.check("six", "s")).isEqualTo(CONSUMED);
    strict.undo("admin", "s");
    assertThat(strict.check("six", "s")).isEqualTo(CONSUMED);
    strict.undo("six", "s");
    assertThat(strict.check("six", "s")).isEqualTo("passes");
  }
}
