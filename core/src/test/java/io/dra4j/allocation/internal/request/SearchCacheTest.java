package io.dra4j.allocation.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchCacheTest {

  private static final class Part {
    private final SearchCache.Share share;
    boolean forgotten;

    Part(SearchCache memory) {
      this.share = memory.share(() -> forgotten = true);
    }

    void keep(long size) {
      share.keep(size);
    }
  }

  @Test
  void theOldestIsForgottenFirst() {
    SearchCache memory = new SearchCache(100);
    Part[] parts = {new Part(memory), new Part(memory), new Part(memory), new Part(memory)};
    parts[0].keep(40);
    parts[1].keep(60);
    assertThat(memory.bytes()).isEqualTo(100);
    assertThat(parts[0].forgotten).isFalse();
    parts[2].keep(1);
    assertThat(parts[0].forgotten).isTrue();
    assertThat(parts[1].forgotten).isFalse();
    assertThat(memory.bytes()).isEqualTo(61);
    parts[3].keep(100);
    assertThat(Arrays.stream(parts).map(part -> part.forgotten))
        .containsExactly(true, true, true, false);
    assertThat(memory.bytes()).isEqualTo(100);
  }

  @Test
  void aPartThatGrowsKeepsItsAge() {
    SearchCache memory = new SearchCache(100);
    Part first = new Part(memory);
    Part second = new Part(memory);
    first.keep(40);
    second.keep(40);
    first.keep(20);
    assertThat(memory.bytes()).isEqualTo(100);
    assertThat(first.forgotten).isFalse();
    second.keep(1);
    assertThat(first.forgotten).isTrue();
    assertThat(second.forgotten).isFalse();
    assertThat(memory.bytes()).isEqualTo(41);
  }

  @Test
  void onlyWhatWasWorkedOutCounts() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            IntStream.range(0, 1_000)
                .mapToObj(i -> Device.named("d" + i).capacity("bw", "4").build())
                .toArray(Device[]::new));
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchCache memory = new SearchCache(1 << 20);
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").capacity("bw", "2"))
            .build();
    SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    PlannedRequest target = plan.claims.get(0).requests().get(0).alternatives().get(0);
    CapacityDemand consumption = new CapacityDemand(context, memory, target.request.capacity());
    assertThat(consumption.of(target, context.candidates().get(0))).isNotNull();
    assertThat(memory.bytes()).isEqualTo(8 * 1_000 + 80);
    assertThat(consumption.of(target, context.candidates().get(0))).isNotNull();
    assertThat(memory.bytes()).isEqualTo(8 * 1_000 + 80);
    assertThat(consumption.of(target, context.candidates().get(999))).isNotNull();
    assertThat(memory.bytes()).isEqualTo(8 * 1_000 + 2 * 80);
  }

  @Test
  void tablesOfAConstraintAreMadeOnceHoweverTargetsAlternate() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("dom/x", true).attribute("y", true).build(),
            Device.named("b").attribute("dom/x", true).attribute("y", false).build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("p", r -> r.deviceClass("any"))
            .request("q", r -> r.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("dom/x"))
            .build();
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    PlannedRequest p = plan.claims.get(0).requests().get(0).alternatives().get(0);
    PlannedRequest q = plan.claims.get(0).requests().get(1).alternatives().get(0);
    SearchCache memory = new SearchCache(1 << 20);
    Constraint constraint =
        new Constraint(new AttributeTables(context, memory), claim.spec().constraints().get(0), 0);
    for (int i = 0; i < 3; i++) {
      for (PlannedRequest target : List.of(p, q)) {
        assertThat(constraint.valuesOf(target, context.candidates().get(i % 2))).isNotNull();
      }
    }
    assertThat(memory.bytes()).isEqualTo(8 * 2);
  }

  @Test
  void aPartThatIsTooLargeIsKeptAlone() {
    SearchCache memory = new SearchCache(100);
    Part large = new Part(memory);
    new Part(memory).keep(1);
    large.keep(1_000);
    assertThat(large.forgotten).isFalse();
    assertThat(memory.bytes()).isEqualTo(1_000);
    new Part(memory).keep(1);
    assertThat(large.forgotten).isTrue();
    assertThat(memory.bytes()).isEqualTo(1);
  }

  @Test
  void whatWasForgottenIsWorkedOutAgain() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("yes").attribute("ok", true).capacity("bw", "4").build(),
            Device.named("no").attribute("ok", false).capacity("bw", "1").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector("ok").capacity("bw", "2"))
            .build();
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPlan plan = new SearchPlan(context, List.of(claim), new SearchPosition("in a test"));
    PlannedRequest target = plan.claims.get(0).requests().get(0).alternatives().get(0);
    Candidates candidates = context.candidates();
    for (int i = 0; i < 2; i++) {
      assertThat(target.selects(candidates.get(0))).isTrue();
      assertThat(target.selects(candidates.get(1))).isFalse();
      target.selection.forget();
      assertThat(target.consumptionOf(candidates.get(0))).isNotNull();
      assertThat(target.consumptionOf(candidates.get(1))).isNull();
    }
  }

  @Test
  void manyAlternativesThatDifferAreTriedInBoundedMemory() {
    Device[] devices =
        IntStream.range(0, 1_024)
            .mapToObj(i -> Device.named("d" + i).attribute("ok", i == 1_023).build())
            .toArray(Device[]::new);
    Cluster cluster = Cluster.withDevices(devices);
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      alternatives.add(
          new DeviceSubRequest(
              "a" + i,
              ExactDeviceRequest.ofClass("any").selector("ok").capacity("c" + i, "1").build()));
    }
    alternatives.add(
        new DeviceSubRequest("last", ExactDeviceRequest.ofClass("any").selector("ok").build()));
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.firstAvailable("r", alternatives)).build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("d1023");
  }

  @Test
  void whatIsKeptForGoodIsAtMostHalfAndPushesTheRestOut() {
    SearchCache memory = new SearchCache(1_000);
    boolean[] forgotten = {false};
    memory.share(() -> forgotten[0] = true).keep(700);
    assertThat(memory.keepForGood(300)).isTrue();
    assertThat(forgotten[0]).isFalse();
    assertThat(memory.keepForGood(200)).isTrue();
    assertThat(forgotten[0]).isTrue();
    assertThat(memory.bytes()).isEqualTo(500);
    assertThat(memory.keepForGood(1)).isFalse();
    assertThat(memory.bytes()).isEqualTo(500);
  }
}
