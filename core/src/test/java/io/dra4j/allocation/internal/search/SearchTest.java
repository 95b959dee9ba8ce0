package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Which choices the search makes, and how many steps it takes: as many as the reference, which
 * counts the same. Steps show what is pruned where results do not.
 */
class SearchTest {

  /** What came of a search: the devices of each claim, and the steps. */
  private static String search(Cluster cluster, ResourceClaim... claims) throws Exception {
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    Search search = Search.unpruned(new SearchPlan(context, List.of(claims), position), position);
    String found =
        search.run()
            ? search.results().stream().map(SearchTest::textOf).collect(Collectors.joining(" | "))
            : "nothing";
    return found + " in " + search.steps();
  }

  private static String textOf(List<Search.PlacedDevice> devices) {
    return devices.stream()
        .map(placed -> placed.target().resultName() + ":" + placed.candidate().device().name())
        .collect(Collectors.joining(" "));
  }

  private static DeviceRequest alternatives(String name, ExactDeviceRequest.Builder... each) {
    List<DeviceSubRequest> alternatives =
        java.util.stream.IntStream.range(0, each.length)
            .mapToObj(i -> new DeviceSubRequest("" + i, each[i].build()))
            .toList();
    return DeviceRequest.firstAvailable(name, alternatives);
  }

  private static ExactDeviceRequest.Builder count(long devices) {
    return ExactDeviceRequest.ofClass("any").count(devices);
  }

  private static ResourceClaim claim(String name, DeviceRequest... requests) {
    ResourceClaim.Builder claim = ResourceClaim.named(name);
    Arrays.asList(requests).forEach(claim::request);
    return claim.build();
  }

  private static DeviceRequest request(String name, long devices) {
    return DeviceRequest.exactly(name, count(devices).build());
  }

  @Test
  void devicesOfOneRequestAreCombinationsNotPermutations() throws Exception {
    // Every pair differs, so the second device always fails: one step each, and the first.
    Device[] devices = new Device[32];
    Arrays.setAll(devices, i -> Device.named("d" + i).attribute("m", i).build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(request("r", 4))
            .constraint(DeviceConstraint.matchAttribute("gpu/m"))
            .build();
    assertThat(search(Cluster.withDevices(devices), claim)).isEqualTo("nothing in 33");
  }

  @Test
  void identicalRequestsArePermutations() throws Exception {
    ResourceClaim claim =
        claim(
            "c",
            request("a", 1),
            request("b", 1),
            request("c", 1),
            DeviceRequest.exactly("impossible", ExactDeviceRequest.ofClass("nic").build()));
    assertThat(search(Cluster.withDevices(16), claim)).isEqualTo("nothing in 7233");
  }

  @Test
  void anAlternativeThatExceedsTheLimitGivesWayAtOnce() throws Exception {
    ResourceClaim claim = claim("c", alternatives("r", count(31), count(1)), request("s", 5));
    assertThat(search(Cluster.withDevices(40), claim))
        .isEqualTo("r/1:d0 s:d1 s:d2 s:d3 s:d4 s:d5 in 44");
    assertThat(search(Cluster.withDevices(5), claim)).isEqualTo("nothing in 119");
  }

  @Test
  void anAlternativeOfMoreDevicesThanThereAreNumbersForIsPassedOver() throws Exception {
    ResourceClaim claim =
        claim("c", request("r", 1), alternatives("s", count(Long.MAX_VALUE), count(1)));
    assertThat(search(Cluster.withDevices(2), claim)).isEqualTo("r:d0 s/1:d1 in 8");
  }

  @Test
  void twoHalvesOfTheLimitAreFoundOnceTheWholesAreTried() throws Exception {
    ResourceClaim claim =
        claim(
            "c", alternatives("r", count(32), count(16)), alternatives("s", count(32), count(16)));
    assertThat(search(Cluster.withDevices(64), claim)).startsWith("r/1:d0 ").endsWith(" in 75");
  }

  @Test
  void allButOneOfTheLimitLeavesNoRoomForTwo() throws Exception {
    Device[] gpus = new Device[31];
    Arrays.setAll(gpus, i -> Device.named("g" + i).build());
    Cluster cluster =
        Cluster.withDevices(gpus)
            .add(
                ResourceSlice.onNode(
                    "nics",
                    "nic",
                    "n",
                    List.of(Device.named("n0").build(), Device.named("n1").build())));
    ResourceClaim claim =
        claim(
            "c",
            alternatives(
                "r",
                ExactDeviceRequest.ofClass("gpu").all(),
                ExactDeviceRequest.ofClass("gpu").count(2)),
            DeviceRequest.exactly("s", nic(2).build()));
    assertThat(search(cluster, claim)).isEqualTo("r/1:g0 r/1:g1 s:n0 s:n1 in 42");
  }

  @Test
  void moreDevicesThanThereAreTakeAStepForEachCombination() throws Exception {
    assertThat(search(Cluster.withDevices(4), claim("c", request("r", 5))))
        .isEqualTo("nothing in 16");
  }

  /** Three devices, of which only the first is special. */
  private static Cluster oneSpecial() {
    return Cluster.withDevices(
        Device.named("d0").attribute("special", true).attribute("plain", false).build(),
        Device.named("d1").attribute("special", false).attribute("plain", true).build(),
        Device.named("d2").attribute("special", false).attribute("plain", true).build());
  }

  private static ExactDeviceRequest.Builder selecting(long devices, String attribute) {
    return count(devices).selector(attribute);
  }

  @Test
  void aDeviceThatALaterRequestNeedsIsGivenBack() throws Exception {
    ResourceClaim claim =
        claim("c", request("r", 2), DeviceRequest.exactly("s", selecting(1, "special").build()));
    assertThat(search(oneSpecial(), claim)).isEqualTo("r:d1 r:d2 s:d0 in 12");
  }

  @Test
  void alternativesAreTriedUntilALaterRequestHasItsDevice() throws Exception {
    ResourceClaim claim =
        claim(
            "c",
            alternatives("r", selecting(3, "plain"), count(2)),
            alternatives("s", count(2), selecting(1, "special")));
    assertThat(search(oneSpecial(), claim)).isEqualTo("r/1:d1 r/1:d2 s/1:d0 in 26");
  }

  @Test
  void alternativesThatAllExceedTheLimitAskForAnotherAlternativeOfAnEarlierRequest()
      throws Exception {
    // Another 31 of 40 devices would not help; there are 273 million of them.
    ResourceClaim claim =
        claim("c", alternatives("r", count(31), count(1)), alternatives("s", count(6), count(5)));
    assertThat(search(Cluster.withDevices(40), claim)).startsWith("r/1:d0 s/0:d1 s/0:d2 ");
  }

  @Test
  void aRequestForNothingLeavesTheSearchWhereItWas() throws Exception {
    assertThat(search(Cluster.withDevices(1))).isEqualTo(" in 1");
    assertThat(search(Cluster.withDevices(1), claim("c"))).isEqualTo(" in 2");
    assertThat(search(Cluster.withDevices(1), claim("c", request("r", 1)))).isEqualTo("r:d0 in 4");
  }

  @Test
  void aMisfitIsTriedAgainWithEachOtherDeviceOfAnEarlierClaim() throws Exception {
    ResourceClaim first = claim("a", request("r", 1));
    ResourceClaim second = claim("b", alternatives("s", count(31), nic(1)), request("t", 2));
    assertThat(search(Cluster.withDevices(3), first, second)).isEqualTo("nothing in 25");
  }

  private static ExactDeviceRequest.Builder nic(long devices) {
    return ExactDeviceRequest.ofClass("nic").count(devices);
  }

  @Test
  void thirtyTwoDevicesAreWithinTheLimit() throws Exception {
    ResourceClaim claim = claim("c", alternatives("r", count(20), count(1)), request("s", 12));
    assertThat(search(Cluster.withDevices(40), claim)).startsWith("r/0:d0 ").contains(" s:d31 ");
  }

  @Test
  void allTakesItsDevicesInOrderAndTriesNoOthers() throws Exception {
    ResourceClaim all = claim("all", DeviceRequest.exactly("r", r -> r.deviceClass("any").all()));
    assertThat(search(Cluster.withDevices(3), all)).isEqualTo("r:d0 r:d1 r:d2 in 6");
    assertThat(search(Cluster.withDevices(0), all)).isEqualTo("nothing in 1");
    assertThat(search(Cluster.withDevices(3), claim("a", request("r", 1)), all))
        .startsWith("nothing in ");
  }

  @Test
  void allOfMoreThanTheLimitIsPassedOverAsAnAlternative() throws Exception {
    ResourceClaim claim =
        claim("c", alternatives("r", ExactDeviceRequest.ofClass("any").all(), count(2)));
    assertThat(search(Cluster.withDevices(33), claim)).startsWith("r/1:d0 r/1:d1 in ");
    assertThat(search(Cluster.withDevices(32), claim)).startsWith("r/0:d0 r/0:d1 ");
    ResourceClaim alone = claim("c", DeviceRequest.exactly("r", r -> r.deviceClass("any").all()));
    assertThatThrownBy(() -> search(Cluster.withDevices(33), alone))
        .isInstanceOf(RejectedException.class)
        .hasMessage(
            "claim default/c, request r: asks for 33 devices, but a claim can have no more than 32");
  }

  @Test
  void aLaterClaimMayMakeAnEarlierOneTakeAnotherAlternative() throws Exception {
    ResourceClaim first = claim("a", alternatives("r", count(3), count(2), count(1)));
    ResourceClaim second = claim("b", request("s", 2));
    assertThat(search(Cluster.withDevices(4), first, second))
        .startsWith("r/1:d0 r/1:d1 | s:d2 s:d3 in ");
  }

  @Test
  void alternativesOfSeveralRequestsAreTriedLastRequestFirst() throws Exception {
    ResourceClaim claim =
        claim("c", alternatives("r", count(2), count(1)), alternatives("s", count(3), count(2)));
    assertThat(search(Cluster.withDevices(5), claim)).startsWith("r/0:d0 r/0:d1 s/0:d2 ");
    assertThat(search(Cluster.withDevices(4), claim)).startsWith("r/0:d0 r/0:d1 s/1:d2 s/1:d3 ");
    assertThat(search(Cluster.withDevices(3), claim)).startsWith("r/1:d0 s/1:d1 s/1:d2 ");
  }

  @Test
  void aSearchMayTakeExactlyAsManyStepsAsItIsAllowed() throws Exception {
    SearchContext context =
        Cluster.withDevices(2).context(Cluster.withDevices(2).inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    List<ResourceClaim> claims = List.of(claim("c", request("r", 2)));
    Search free = Search.unpruned(new SearchPlan(context, claims, position), position);
    assertThat(free.run()).isTrue();
    Search enough =
        Search.unpruned(new SearchPlan(context, claims, position), position).atMost(free.steps());
    assertThat(enough.run()).isTrue();
    Search tooFew =
        Search.unpruned(new SearchPlan(context, claims, position), position)
            .atMost(free.steps() - 1);
    assertThatThrownBy(tooFew::run)
        .isInstanceOf(io.dra4j.common.BudgetExceededException.class)
        .hasMessage("no answer within " + (free.steps() - 1) + " steps");
  }

  @Test
  void whatWasTakenBackIsNotTakenBackAgain() throws Exception {
    Cluster cluster = Cluster.withDevices(2);
    SearchContext context = cluster.context(cluster.inventory(), Compatibility.REFERENCE);
    SearchPosition position = new SearchPosition("in a test");
    List<ResourceClaim> claims = List.of(claim("a", request("r", 1)), claim("b", request("r", 1)));
    SearchPlan plan = new SearchPlan(context, claims, position);
    Search first = Search.unpruned(plan, position);
    assertThat(first.run()).isTrue();
    assertThat(first.takeBack().stream().map(SearchTest::textOf)).containsExactly("r:d0", "r:d1");
    assertThat(first.takeBack()).containsExactly(List.of(), List.of());
    // Were a device given back twice, two claims could have it.
    Search second = Search.unpruned(plan, position);
    assertThat(second.run()).isTrue();
    assertThat(second.results().stream().map(SearchTest::textOf)).containsExactly("r:d0", "r:d1");
  }
}
