package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.explain.AdvisorRun;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceConstraint.Kind;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";

  private static Explanation explain(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation();
  }

  private static Cluster onePairPerRoot(int roots) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < roots; i++) {
      gpus.add(Device.named("gpu" + i).attribute(ROOT, "pci0000:0" + i).build());
      nics.add(Device.named("nic" + i).attribute(ROOT, "pci0000:0" + i).build());
    }
    return Cluster.of(
        ResourceSlice.onNode("gpus", "gpu", "n", gpus),
        ResourceSlice.onNode("nics", "nic", "n", nics));
  }

  @Test
  void aConstraintOverTwoRequestsIsNamedWithTheRequestsAndTheBestValue() {
    ResourceClaim claim =
        ResourceClaim.named("aligned")
            .request("gpus", request -> request.deviceClass("gpu").count(2))
            .request("nics", request -> request.deviceClass("nic").count(2))
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    assertThat(explain(onePairPerRoot(8), claim).summary())
        .isEqualTo(
            "claim default/aligned: no PCIe root has 2 free devices for gpus and 2 for nics, and"
                + " matchAttribute resource.kubernetes.io/pcieRoot needs all 4 to share one; the"
                + " best of 8 values, pci0000:00, has 1 and 1");
  }

  @Test
  void aRequestThatIsShortOfDevicesSaysWhatBecameOfEach() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(3))
            .build();
    assertThat(explain(onePairPerRoot(2), claim).summary())
        .isEqualTo(
            "claim default/c, request r: needs 3 devices of class gpu, but the node has only 2");
  }

  @Test
  void claimsThatFitOnlyAloneAreSaidToBe() {
    ResourceClaim a =
        ResourceClaim.named("a").request("r", r -> r.deviceClass("gpu").count(2)).build();
    ResourceClaim b =
        ResourceClaim.named("b").request("r", r -> r.deviceClass("gpu").count(1)).build();
    assertThat(explain(onePairPerRoot(2), a, b).summary())
        .isEqualTo(
            "claim default/a, request r and 1 more like it: together need 3 devices of class gpu,"
                + " but the node has only 2");
  }

  @Test
  void moreRequestsThanThereAreDevicesAreCountedTogether() {
    assertThat(explain(onePairPerRoot(2), pairs(3)).summary())
        .isEqualTo(
            "claim default/c, request g0 and 2 more like it: together need 3 devices of class gpu,"
                + " but the node has only 2");
  }

  @Test
  void pairsThatFindNoValueAreCounted() {
    // Two GPUs and two NICs, of which only one of each is on a root with the other kind.
    Cluster cluster =
        Cluster.of(
            ResourceSlice.onNode(
                "gpus", "gpu", "n", List.of(rooted("g0", "r0"), rooted("g1", "r1"))),
            ResourceSlice.onNode(
                "nics", "nic", "n", List.of(rooted("n0", "r0"), rooted("n2", "r2"))));
    assertThat(explain(cluster, pairs(2)).summary())
        .isEqualTo(
            "claim default/c: needs 2 sets of devices like g0 and n0, each set on one PCIe root,"
                + " but the free devices make only 1");
  }

  private static Device rooted(String name, String root) {
    return Device.named(name).attribute(ROOT, root).build();
  }

  private static ResourceClaim pairs(int pairs) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < pairs; i++) {
      claim.request("g" + i, r -> r.deviceClass("gpu"));
      claim.request("n" + i, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute(ROOT, "g" + i, "n" + i));
    }
    return claim.build();
  }

  @Test
  void aPoolThatWasLeftOutComesFirstWhereItsClassIsMissing() {
    Cluster cluster =
        Cluster.withDevices(2)
            .add(
                ResourceSlice.named("b", "nic")
                    .pool("p", 1, 2)
                    .nodeSelection(NodeSelection.ofNode("n"))
                    .device(Device.named("x").build())
                    .build());
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    assertThat(explain(cluster, claim).lines())
        .containsExactly(
            "pool nic/p is incomplete (1 of its 2 slices is there): none of its devices can be"
                + " allocated; 1 of them is of a class that the claims request",
            "claim default/c, request r: needs 1 device of class nic, but none of the node's 2"
                + " devices is of that class");
  }

  /** What is said of a claim for three devices of the class any where there are not so many. */
  private static String shortOf(Cluster cluster) {
    return shortOf(cluster, request -> {});
  }

  private static String shortOf(Cluster cluster, Consumer<ExactDeviceRequest.Builder> more) {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                "r",
                request -> {
                  request.deviceClass("any").count(3);
                  more.accept(request);
                })
            .build();
    String summary = explain(cluster, claim).summary();
    assertThat(summary)
        .startsWith("claim default/c, request r: needs 3 devices of class any, but ");
    return summary.substring(summary.indexOf("any, but ") + "any, but ".length());
  }

  @Test
  void everyRuleSaysHowManyDevicesItRefuses() {
    DeviceTaint taint = DeviceTaint.of("k", "v", TaintEffect.NO_SCHEDULE);
    Cluster cluster =
        Cluster.withDevices(
                Device.named("fits").capacity("bw", "4").attribute("ok", true).build(),
                Device.named("held").capacity("bw", "4").attribute("ok", true).build(),
                Device.named("held-too").capacity("bw", "4").attribute("ok", true).build(),
                Device.named("wrong").capacity("bw", "4").attribute("ok", false).build(),
                Device.named("small").capacity("bw", "1").attribute("ok", true).build(),
                Device.named("bad").capacity("bw", "4").attribute("ok", true).taint(taint).build())
            .add(Cluster.holding("h", "held", "held-too"));
    assertThat(shortOf(cluster, request -> request.selector("ok").capacity("bw", "2")))
        .isEqualTo(
            "of the node's 6 only 1 can be allocated: 2 are in use by default/h, 1"
                + " has less capacity than requested (small: 1 of bw, 2 are requested), 1 has the"
                + " taint k=v:NoSchedule,"
                + " which the request does not tolerate, 1 does not match the request's selectors");
  }

  @Test
  void aNodeWithoutDevicesOrWithoutOthersIsSaidToBe() {
    assertThat(shortOf(new Cluster())).isEqualTo("the node has no devices");
    assertThat(shortOf(Cluster.withDevices(1))).isEqualTo("the node has only 1");
  }

  @Test
  void devicesForOtherNodesAreSaidToBe() {
    ResourceSlice slice =
        ResourceSlice.named("s", "gpu")
            .pool("p", 1, 1)
            .perDeviceNodeSelection(true)
            .device(Device.named("here").nodeSelection(NodeSelection.ofNode("n")).build())
            .device(Device.named("there").nodeSelection(NodeSelection.ofNode("m")).build())
            .build();
    assertThat(shortOf(Cluster.of(slice)))
        .isEqualTo("of the node's 2 only 1 can be allocated: 1 is for other nodes");
  }

  @Test
  void selectorsThatFailAreCountedAndTheFirstIsNamed() {
    Cluster cluster =
        Cluster.withDevices(5).add(Cluster.holding("h", "d0", "d1", "d2", "d3", "d4"));
    assertThat(shortOf(cluster, request -> request.selector("ok")))
        .isEqualTo(
            "of the node's 5 none can be allocated: 5 could not be checked (the first: claim"
                + " default/c,"
                + " request r: selector #0 on device gpu/n/d0: CEL runtime error: no such key:"
                + " ok)");
  }

  @Test
  void allDevicesAreNumberedWhereOneIsInUse() {
    ResourceClaim all =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").all()).build();
    Cluster cluster = Cluster.withDevices(3).add(Cluster.holding("h", "d1"));
    assertThat(explain(cluster, all).summary())
        .isEqualTo(
            "claim default/c, request r: needs all 3 devices of class gpu, but of the node's 3"
                + " only 2 can be allocated: 1 is in use by default/h");
    ResourceClaim none =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("nic").all()).build();
    assertThat(explain(Cluster.withDevices(1), none).summary())
        .isEqualTo(
            "claim default/c, request r: needs all devices of class nic, but the node's only device"
                + " is not of that class");
  }

  private static DeviceRequest oneOf(ExactDeviceRequest.Builder... alternatives) {
    return DeviceRequest.firstAvailable(
        "r",
        IntStream.range(0, alternatives.length)
            .mapToObj(i -> new DeviceSubRequest("a" + i, alternatives[i].build()))
            .toList());
  }

  @Test
  void everyAlternativeIsExplainedUnlessOneFits() {
    ExactDeviceRequest.Builder two = ExactDeviceRequest.ofClass("any").count(2);
    ExactDeviceRequest.Builder one = ExactDeviceRequest.ofClass("nic");
    ResourceClaim claim = ResourceClaim.named("c").request(oneOf(two, one)).build();
    assertThat(explain(Cluster.withDevices(1), claim).lines())
        .containsExactly(
            "claim default/c, request r: none of its 2 alternatives can be allocated: request"
                + " r/a0: needs"
                + " 2 devices of class any, but the node has only 1; request r/a1: needs 1 device"
                + " of class nic, but the node's only device is not of that class",
            "claim default/c, request r/a0: needs 2 devices of class any, but the node has only 1",
            "claim default/c, request r/a1: needs 1 device of class nic, but the node's only device"
                + " is not of that class");
    ResourceClaim other =
        claim.toBuilder().request("s", request -> request.deviceClass("nic")).build();
    assertThat(explain(Cluster.withDevices(2), other).lines())
        .containsExactly(
            "claim default/c, request s: needs 1 device of class nic, but none of the node's 2"
                + " devices is of that class");
  }

  @Test
  void anAlternativeForMoreThanAClaimCanHaveIsNoneThatFits() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                oneOf(ExactDeviceRequest.ofClass("any").all(), ExactDeviceRequest.ofClass("nic")))
            .build();
    assertThat(explain(Cluster.withDevices(33), claim).lines())
        .containsExactly(
            "claim default/c, request r: none of its 2 alternatives can be allocated: request"
                + " r/a0: needs"
                + " 33 devices, but a claim can have no more than 32; request r/a1: needs 1 device"
                + " of class nic, but none of the node's 33 devices is of that class",
            "claim default/c, request r/a0: needs 33 devices, but a claim can have no more than 32",
            "claim default/c, request r/a1: needs 1 device of class nic, but none of the node's 33"
                + " devices is of that class");
  }

  @Test
  void poolsWithDevicesOfTheClassAreNamedFirstAndOthersLast() {
    Device twin = Device.named("twin").build();
    Cluster cluster =
        Cluster.withDevices(1)
            .add(
                ResourceSlice.onNode("a", "broken", "n", List.of(twin, twin)),
                ResourceSlice.named("b", "half")
                    .pool("p", 1, 2)
                    .nodeSelection(NodeSelection.ofNode("n"))
                    .build());
    ResourceClaim two =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(2)).build();
    Explanation explanation = explain(cluster, two);
    assertThat(explanation.lines())
        .containsExactly(
            explanation.summary(),
            "claim default/c, request r: needs 2 devices of class any, but the node has only 1",
            "pool half/p is incomplete (1 of its 2 slices is there): none of its devices can be"
                + " allocated");
    assertThat(explanation.summary())
        .isEqualTo(
            "pool broken/n is invalid (duplicate device name twin): none of its devices can be"
                + " allocated; 2 of them are of a class that the claims request");
    assertThat(explanation.toString()).isEqualTo(String.join("\n", explanation.lines()));
    assertThat(explanation.invalidPools()).containsExactly("broken/n: duplicate device name twin");
  }

  private static final String TOO_FEW =
      "claim default/c, request x and 1 more like it: together need 3 devices of class any, but the"
          + " node has only 2";

  @Test
  void aConstraintIsBlamedOnlyIfNoValueHasEnoughDevices() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").attribute("m", 1).build(),
            Device.named("d1").attribute("m", 1).build(),
            Device.named("d2").attribute("m", 2).build());
    assertThat(explain(cluster, pair(DeviceConstraint.matchAttribute("gpu/m")).build()).summary())
        .isEqualTo(
            "claim default/c: no value of gpu/m has 2 free devices for x and 1 for y, and"
                + " matchAttribute gpu/m needs all 3 to share one; the best of 2 values, 1, has 2"
                + " and 2, which are the same 2");
    // Enough for each request, and for both: it is the distinct one that cannot be fulfilled.
    assertThat(
            explain(
                    Cluster.withDevices(
                        Device.named("d0").attribute("m", 1).build(),
                        Device.named("d1").attribute("m", 1).build(),
                        Device.named("d2").attribute("m", 1).build()),
                    pair(DeviceConstraint.matchAttribute("gpu/m"))
                        .constraint(DeviceConstraint.distinctAttribute("gpu/m"))
                        .build())
                .lines())
        .containsExactly(
            "claim default/c: there are enough devices, but no 3 of them differ in gpu/m, whose"
                + " only value is 1");
  }

  /** Two devices for x and one for y. */
  private static ResourceClaim.Builder pair(DeviceConstraint constraint) {
    return ResourceClaim.named("c")
        .request("x", request -> request.deviceClass("any").count(2))
        .request("y", request -> request.deviceClass("any"))
        .constraint(constraint);
  }

  @Test
  void theClosestValueIsTheOneWithMostDevices() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").attribute("m", "a").build(),
            Device.named("d1").attribute("m", "b").build(),
            Device.named("d2").attribute("m", "b").build(),
            Device.named("d3").attribute("m", "c").build());
    assertThat(explain(cluster, pair(DeviceConstraint.matchAttribute("gpu/m")).build()).summary())
        .endsWith("the best of 3 values, b, has 2 and 2, which are the same 2");
  }

  @Test
  void aConstraintAboutNobodyIsNotBlamed() {
    Cluster cluster = Cluster.withDevices(2);
    assertThat(
            explain(cluster, pair(DeviceConstraint.matchAttribute("gpu/m", "gone")).build())
                .lines())
        .containsExactly(TOO_FEW);
    // As a manifest may say it; a request for nothing needs no value.
    ExactDeviceRequest nothing =
        new ExactDeviceRequest(
            "any", List.of(), AllocationMode.EXACT_COUNT, 0, null, List.of(), null, List.of());
    ResourceClaim claim =
        pair(DeviceConstraint.matchAttribute("gpu/m", "z"))
            .request(DeviceRequest.exactly("z", nothing))
            .build();
    assertThat(explain(cluster, claim).lines()).containsExactly(TOO_FEW);
  }

  @Test
  void aConstraintBesideAlternativesIsNotExplained() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").attribute("m", 1).build(),
            Device.named("d1").attribute("m", 2).build());
    DeviceConstraint match = DeviceConstraint.matchAttribute("gpu/m");
    DeviceConstraint both = // of which matchAttribute counts
        new DeviceConstraint(
            List.of(), Map.of(Kind.MATCH_ATTRIBUTE, "gpu/m", Kind.DISTINCT_ATTRIBUTE, "gpu/m"));
    for (DeviceConstraint constraint : List.of(match, both)) {
      ResourceClaim claim =
          ResourceClaim.named("c")
              .request("x", request -> request.deviceClass("any"))
              .request(oneOf(ExactDeviceRequest.ofClass("any")))
              .constraint(constraint)
              .build();
      assertThat(explain(cluster, claim).lines())
          .containsExactly(
              "claim default/c: there are enough devices, but no choice of them satisfies"
                  + " matchAttribute gpu/m of all requests");
    }
  }

  /** A partition of a GPU, which draws 1 of "gpu.memory" and is of a compatibility group. */
  private static Device partition(String name, String... groups) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption("gpu", Map.of("memory", Quantity.of(1)), List.of(groups)))
        .attribute("m", name.substring(0, 1))
        .build();
  }

  private static String together(Cluster cluster, DeviceConstraint... constraints) {
    ResourceClaim.Builder claim =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any").count(2));
    for (DeviceConstraint constraint : constraints) {
      claim.constraint(constraint);
    }
    return explain(cluster, claim.build()).summary();
  }

  private static ResourceSlice memory(int amount) {
    return Cluster.counters(new CounterSet("gpu", Map.of("memory", Quantity.of(amount))));
  }

  @Test
  void whatKeepsDevicesApartIsNamed() {
    assertThat(together(Cluster.partitioned(memory(1), partition("a"), partition("b"))))
        .isEqualTo(
            "claim default/c: there are enough devices, but together they draw more from the shared"
                + " counters gpu.memory than is left");
    assertThat(
            together(Cluster.partitioned(memory(2), partition("a", "mig"), partition("b", "vgpu"))))
        .isEqualTo(
            "claim default/c: there are enough devices, but"
                + " the devices on one counter set have no compatibility group in common");
    Cluster shared =
        Cluster.withDevices(
            Device.named("d").capacity("bw", "10").allowMultipleAllocations(true).build());
    ResourceClaim shares =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("any").capacity("bw", "6"))
            .request("y", request -> request.deviceClass("any").capacity("bw", "6"))
            .build();
    assertThat(explain(shared, shares).summary())
        .isEqualTo(
            "claim default/c: there are enough devices, but together the requests need more bw"
                + " than the devices have left");
  }

  @Test
  void oneMoreCanBeAskedWhatWouldHelp() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .build();
    Explanation explanation = explain(Cluster.withDevices(1), claim);
    Advisor oneMore =
        problem ->
            List.of(
                new Suggestion(
                    "plug a device in", Cluster.withDevices(2).inventory(), List.of(claim)),
                new Suggestion("hope", problem.inventory(), problem.claims()));
    assertThat(explanation.withAdvisor(oneMore).suggestions())
        .extracting(Suggestion::text)
        .contains("plug a device in")
        .doesNotContain("hope");
    assertThat(explanation.suggestions())
        .extracting(Suggestion::text)
        .doesNotContain("plug a device in");
  }

  @Test
  void constraintsThatAreNoProblemAreNotNamed() {
    Cluster cards =
        Cluster.withDevices(
            Device.named("a0").attribute("numa", 0).attribute("card", "a").build(),
            Device.named("a1").attribute("numa", 0).attribute("card", "a").build(),
            Device.named("b0").attribute("numa", 1).attribute("card", "b").build());
    DeviceConstraint driver = DeviceConstraint.distinctAttribute("gpu/card", "other");
    assertThat(
            together(
                cards,
                driver,
                DeviceConstraint.matchAttribute("gpu/numa"),
                DeviceConstraint.distinctAttribute("gpu/card")))
        .isEqualTo(
            "claim default/c: there are enough devices, but no choice of them satisfies at once"
                + " matchAttribute gpu/numa of all requests and distinctAttribute gpu/card of all"
                + " requests");
  }

  @Test
  void whereTwoThingsKeepDevicesApartNoneIsBlamed() {
    assertThat(
            together(
                Cluster.partitioned(memory(1), partition("a1"), partition("a2")),
                DeviceConstraint.distinctAttribute("gpu/m")))
        .isEqualTo(
            "claim default/c: each request finds devices by itself, but not all of them at once");
  }

  private static Cluster aFastAndASlowDevice() {
    return Cluster.withDevices(
        Device.named("a").attribute("fast", true).build(),
        Device.named("b").attribute("fast", false).build());
  }

  @Test
  void aCounterThatIsOverdrawnElsewhereInThePoolIsNamed() {
    Device big =
        Device.named("big")
            .consumesCounters(
                new DeviceCounterConsumption("other", Map.of("memory", Quantity.of(9)), List.of()))
            .build();
    ResourceSlice counters =
        Cluster.counters(
            new CounterSet("gpu", Map.of("memory", Quantity.of(1))),
            new CounterSet("other", Map.of("memory", Quantity.of(5))));
    Cluster cluster =
        Cluster.partitioned(counters, partition("a"), big).add(Cluster.holding("h", "big"));
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
    assertThat(explain(cluster, claim).summary())
        .isEqualTo(
            "claim default/c, request r: needs 1 device of class any, but of the node's 2"
                + " none can be allocated: 1 needs shared counters of a pool whose counter"
                + " other.memory is"
                + " overdrawn (used by default/h), 1 is in use by default/h");
  }

  @Test
  void requestsThatWantPartlyTheSameDevicesAreNamed() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("all", r -> r.deviceClass("any").count(2))
            .request("quick", r -> r.deviceClass("any").selector("fast"))
            .build();
    Explanation explanation = explain(aFastAndASlowDevice(), claim);
    assertThat(explanation.summary())
        .isEqualTo(
            "claim default/c: requests all and quick together need 3 devices, but only 2"
                + " can be allocated to them; of the node's 2 devices of class any, 1 does not"
                + " match the"
                + " request's selectors");
    assertThat(explanation.reasons().get(0).summary())
        .isEqualTo("fewer than 3 devices for requests all and quick together");
    assertThat(explanation.reasons().get(0).requirements()).hasSize(2);
  }

  @Test
  void requestsWithAlternativesCountWithTheLeastThatTheyTake() {
    ExactDeviceRequest one = ExactDeviceRequest.ofClass("any").build();
    ExactDeviceRequest two = ExactDeviceRequest.ofClass("any").count(2).build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").count(2))
            .request(
                DeviceRequest.firstAvailable(
                    "q",
                    List.of(new DeviceSubRequest("best", two), new DeviceSubRequest("some", one))))
            .build();
    assertThat(explain(aFastAndASlowDevice(), claim).summary())
        .isEqualTo(
            "claim default/c: requests r and q together need 3 devices, but only 2"
                + " can be allocated to them");
  }

  @Test
  void requestsOfOneClaimDoNotShareADeviceWithAdminAccess() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("watch", r -> r.deviceClass("any").adminAccess())
            .request("use", r -> r.deviceClass("any"))
            .build();
    assertThat(explain(Cluster.withDevices(1), claim).summary())
        .isEqualTo(
            "claim default/c: requests watch and use together need 2 devices, but only 1"
                + " can be allocated to them");
  }

  @Test
  void requestsOfSeveralClaimsThatWantPartlyTheSameDevicesAreNamed() {
    ResourceClaim all =
        ResourceClaim.named("a").request("r", r -> r.deviceClass("any").count(2)).build();
    ResourceClaim quick =
        ResourceClaim.named("b").request("q", r -> r.deviceClass("any").selector("fast")).build();
    assertThat(explain(aFastAndASlowDevice(), all, quick).summary())
        .startsWith(
            "claims default/a and default/b: their requests r and q together need 3 devices, but"
                + " only 2 can be allocated to them");
  }

  @Test
  void aConstraintThatComparesNothingIsNamedByItsPlace() {
    DeviceConstraint empty = new DeviceConstraint(List.of("r"), Map.of());
    assertThat(new Requirement.Constraint(new ClaimKey("default", "c"), 2, empty).text())
        .isEqualTo("constraint #2 of r");
  }

  @Test
  void devicesThatCannotBeHadHaveNoValue() {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("d0").attribute("m", 1).build(),
                Device.named("d1").attribute("m", 1).build(),
                Device.named("d2").attribute("m", 1).build(),
                Device.named("d3").attribute("m", 2).build(),
                Device.named("d4").attribute("m", 2).build())
            .add(Cluster.holding("h", "d0"));
    assertThat(explain(cluster, pair(DeviceConstraint.matchAttribute("gpu/m")).build()).summary())
        .endsWith(
            "the best of 2 values, 1, has 2 and 2, which are the same 2; of the node's 5 devices of"
                + " class any, 1 is in use by default/h");
  }

  private static ResourceClaim[] claims(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> ResourceClaim.named("c" + i).request("r", r -> r.deviceClass("gpu")).build())
        .toArray(ResourceClaim[]::new);
  }

  @Test
  void aThousandClaimsOnOneDeviceLessAreRefusedWithTheReason() {
    Cluster cluster = Cluster.withDevices(1_000);
    assertThat(explain(cluster, claims(1_001)).summary())
        .isEqualTo(
            "claim default/c0, request r and 1000 more like it: together need 1001 devices of class"
                + " gpu, but the node has only 1000");
    assertThat(cluster.allocate(claims(1_000))).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  void alikeRequestsAreToldOfTheirOwnDevices() {
    Cluster cluster = Cluster.withDevices(1).add(Cluster.holding("train", "d0"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", r -> r.deviceClass("gpu"))
            .request("b", r -> r.deviceClass("gpu"))
            .build();
    assertThat(
            explain(cluster, claim).reasons().stream()
                .flatMap(refusal -> refusal.refused().stream())
                .map(device -> device.request().request()))
        .containsExactly("a", "b");
  }

  @Test
  void whatThereWasNoTimeForIsMarked() {
    Cluster cluster = Cluster.withDevices(2).add(Cluster.holding("train", "d0"));
    ResourceClaim two =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(2)).build();
    Explanation explanation = explain(cluster, two);
    Budget none = Budget.of(Duration.ZERO);
    assertThat(explanation.findConflict(none))
        .isEqualTo(
            PartialResult.some(
                List.of(), "no answer within 0 ms, stopped before it checked the claims"));
    assertThat(explanation.findSuggestions(none))
        .isEqualTo(PartialResult.some(List.of(), "no answer within 0 ms"));
    assertThat(explanation.findConflict(Budget.unlimited()).complete()).isTrue();
    assertThat(explanation.findSuggestions(Budget.unlimited()).found()).isNotEmpty();
    assertThat(explanation.reasons(none).get(explanation.reasons(none).size() - 1))
        .isInstanceOf(Reason.Undecided.class);
  }

  @Test
  void advisorsAreNotAskedOnceThereAreEnoughSuggestions() {
    Cluster cluster = Cluster.withDevices(8);
    String[] devices = IntStream.range(0, 8).mapToObj(i -> "d" + i).toArray(String[]::new);
    for (String device : devices) {
      cluster.add(Cluster.holding("of-" + device, device));
    }
    AtomicInteger asked = new AtomicInteger();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    Explanation explanation =
        ((Unallocatable) cluster.allocate(claim))
            .explanation()
            .withAdvisor(
                problem -> {
                  asked.incrementAndGet();
                  return List.of();
                });
    assertThat(explanation.suggestions()).hasSize(5);
    assertThat(asked).hasValue(0);
  }

  @Test
  void anAdvisorThatLeavesSomethingOpenMakesTheSuggestionsIncomplete() {
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    Explanation explanation = explain(new Cluster(), claim);
    assertThat(explanation.findSuggestions(Budget.unlimited()).complete()).isTrue();
    assertThat(
            explanation
                .withAdvisor(
                    problem -> {
                      problem.markIncomplete("nobody knows");
                      problem.markIncomplete("nor does anybody else");
                      return List.of();
                    })
                .findSuggestions(Budget.unlimited()))
        .isEqualTo(PartialResult.some(List.of(), "nobody knows"));
  }

  @Test
  void aPolicyThatCannotTellOfAnIdeaLeavesTheSuggestionsOpen() {
    Cluster cluster = Cluster.withDevices(2).add(Cluster.holding("train", "d0"));
    AllocationPolicy undecided =
        new AllocationPolicy() {
          @Override
          public Choice choose(PolicyContext question) throws BudgetExceededException {
            throw new BudgetExceededException("not all sets were tried");
          }

          @Override
          public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
            return Optional.empty();
          }
        };
    ResourceClaim two =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(2)).build();
    Explanation explanation =
        ((Unallocatable) cluster.allocate(Allocator.builder().policy(undecided), two))
            .explanation();
    PartialResult<Suggestion> found = explanation.findSuggestions(Budget.unlimited());
    assertThat(found.found()).isEmpty();
    assertThat(found.gap().orElseThrow()).startsWith("not all sets were tried, stopped ");
  }

  @Test
  void aClusterIsExplainedWithinTheTime() {
    Cluster cluster = Cluster.withDevices(1);
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(2)).build();
    ClusterQuery fit =
        Allocator.builder()
            .selectors(cluster.words)
            .build()
            .query(cluster.inventory(), List.of(claim));
    ClusterExplanation over = fit.explain(Budget.of(Duration.ZERO));
    assertThat(over.groups()).hasSize(1);
    assertThat(over.groups().get(0).nodes()).containsExactly("n");
    assertThat(fit.explain(Budget.unlimited()).summary()).contains("the node has only 1");
  }

  @Test
  void nodesThatTakeTheClaimsAreNamedFirst() {
    Cluster cluster = Cluster.withDevices(1).add(Node.named("empty"));
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    assertThat(
            Allocator.builder()
                .selectors(cluster.words)
                .build()
                .query(cluster.inventory(), List.of(claim))
                .explain(Budget.unlimited())
                .summary())
        .startsWith("fits on n; 1 node: ");
  }

  @Test
  void linesAreBoundedAndMoveNoCursor() {
    String name = "evil\u001b[2J\nnode n: fits";
    ResourceClaim claim =
        ResourceClaim.named(name).request("r\r\u2028x", r -> r.deviceClass("gpu").count(2)).build();
    String line = explain(Cluster.withDevices(1), claim).summary();
    assertThat(line.codePoints().noneMatch(Character::isISOControl)).isTrue();
    assertThat(line).contains("evil\\u001b[2J\\u000anode n: fits", "r\\u000d\\u2028x");

    ResourceClaim longer =
        ResourceClaim.named("c")
            .request("r".repeat(100_000), r -> r.deviceClass("gpu").count(2))
            .build();
    Explanation explanation = explain(Cluster.withDevices(1), longer);
    assertThat(explanation.summary()).hasSizeLessThan(2_100).contains("characters ...]");
    assertThat(explanation.summary()).endsWith("but the node has only 1");
    assertThat(explanation.reasons().get(0).text()).hasSizeGreaterThan(100_000);
  }

  @Test
  void aThousandDevicesWithAReasonEachAreCounted() {
    Device[] tainted =
        IntStream.range(0, 1_000)
            .mapToObj(
                i ->
                    Device.named("d" + i)
                        .taint(DeviceTaint.of("key" + i, "", TaintEffect.NO_SCHEDULE))
                        .build())
            .toArray(Device[]::new);
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    assertThat(explain(Cluster.withDevices(tainted), claim).reasons().get(0).text())
        .hasSizeLessThan(1_000)
        .endsWith(" and 994 for 994 more reasons");
  }

  @Test
  void aConstraintOnARequestThatIsNotThereIsRefusedStrictly() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("gpu"))
            .constraint(DeviceConstraint.matchAttribute(ROOT, "r", "typo"))
            .build();
    assertThat(claim.spec().unknownRequestsOfConstraints().toString())
        .isEqualTo("{spec.devices.constraints[0].requests[1]=typo}");
    Cluster cluster = onePairPerRoot(1);
    assertThat(cluster.devicesOf(claim)).isEqualTo("gpu0");
    assertThat(
            Cluster.textOf(
                cluster.allocate(Allocator.builder().compatibility(Compatibility.STRICT), claim)))
        .isEqualTo(
            "rejected: claim default/c, spec.devices.constraints[0].requests[1]: expected the name"
                + " of a request or request/alternative of the claim, found \"typo\"");
  }

  @Test
  void alternativesAreNamesOfRequestsToo() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(new DeviceSubRequest("a", ExactDeviceRequest.ofClass("gpu").build()))))
            .constraint(DeviceConstraint.matchAttribute(ROOT, "r", "r/a", "r/b", "a"))
            .build();
    assertThat(claim.spec().unknownRequestsOfConstraints().values()).containsExactly("r/b", "a");
  }

  @Test
  void anAttributeOfAnotherDomainWithASimilarNameIsNamed() {
    Map<String, String> nearOfCompared =
        Map.of(
            "resource.kubernetes.io/pcieRoot", "gpu.intel.com/pciRoot",
            "resource.kubernetes.io/numaNode", "dra.cpu/numaNodeID",
            "dra.net/numaNode", "gpu.example.com/numa",
            "dra.net/pciBusID", "resource.kubernetes.io/pciBusId");
    nearOfCompared.forEach(
        (compared, near) -> {
          ResourceClaim claim =
              ResourceClaim.named("c")
                  .request("r", r -> r.deviceClass("gpu").count(2))
                  .constraint(DeviceConstraint.matchAttribute(compared))
                  .build();
          Cluster cluster =
              Cluster.withDevices(
                  Device.named("a").attribute(near, "x").attribute("model", "m").build(),
                  Device.named("b").attribute(near, "x").attribute("model", "m").build());
          assertThat(explain(cluster, claim).summary())
              .contains("did you mean " + near + "?")
              .doesNotContain("model");
        });
  }

  @Test
  void whoHoldsAnotherCounterOfTheSetIsNotBlamed() {
    ResourceSlice counters =
        Cluster.counters(
            new CounterSet(
                "gpu",
                Map.of(
                    "slice-0", Quantity.of(1), "slice-1", Quantity.of(1), "sms", Quantity.of(9))));
    Cluster cluster =
        Cluster.partitioned(
                counters,
                drawing("first", "slice-0"),
                drawing("second", "slice-1"),
                drawing("whole", "slice-0", "slice-1", "sms"),
                drawing("upper", "slice-1", "sms"))
            .add(Cluster.holding("lower", "first"))
            .add(Cluster.holding("higher", "second"));
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
    assertThat(explain(cluster, claim).summary())
        .contains("gpu.slice-1 than is left (used by default/higher)")
        .contains("gpu.slice-0 than is left (used by default/higher and default/lower)");
  }

  @Test
  void aDeviceThatDrawsMoreThanThereIsIsNotToldThatOthersHaveTheRest() {
    ResourceSlice counters = Cluster.counters(new CounterSet("gpu", Map.of("sms", Quantity.of(0))));
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();

    assertThat(explain(Cluster.partitioned(counters, drawing("whole", "sms")), claim).summary())
        .contains("more of the shared counter gpu.sms than there is")
        .doesNotContain("left");
  }

  private static Device drawing(String name, String... counters) {
    Map<String, Quantity> one = new TreeMap<>();
    for (String counter : counters) {
      one.put(counter, Quantity.of(1));
    }
    return Device.named(name)
        .consumesCounters(new DeviceCounterConsumption("gpu", one, List.of()))
        .build();
  }

  @Test
  void anAttributeThatNoDeviceHasIsSaidInConstraintsOfBothKinds() {
    for (boolean match : new boolean[] {true, false}) {
      for (String typo :
          List.of("resource.kubernetes.io/pcieRot", "resource.kubernets.io/pcieRoot")) {
        ResourceClaim claim =
            ResourceClaim.named("c")
                .request("r", r -> r.deviceClass("gpu").count(2))
                .constraint(
                    match
                        ? DeviceConstraint.matchAttribute(typo)
                        : DeviceConstraint.distinctAttribute(typo))
                .build();
        Cluster cluster =
            Cluster.withDevices(
                Device.named("a").attribute(ROOT, "x").build(),
                Device.named("b").attribute(ROOT, match ? "x" : "y").build());
        Explanation explanation = explain(cluster, claim);
        assertThat(explanation.summary()).contains("did you mean " + ROOT);
        assertThat(explanation.suggestions().get(0).text())
            .isEqualTo("compare " + ROOT + " instead of " + typo);
      }
    }
  }

  // ---- Capacities

  private static Device withMemory(CapacityRequestPolicy policy) {
    return Device.named("d")
        .capacity("mem", new DeviceCapacity(Quantity.parse("8"), policy))
        .allowMultipleAllocations()
        .build();
  }

  @Test
  void whatADeviceHasOfACapacityIsToldBesideWhatIsAskedFor() {
    CapacityRequestPolicy upTo4 =
        CapacityRequestPolicy.builder().validRange("1", "4", null).build();
    CapacityRequestPolicy values =
        CapacityRequestPolicy.builder()
            .validValues(List.of(Quantity.parse("1"), Quantity.parse("2")))
            .build();
    CapacityRequestPolicy more = CapacityRequestPolicy.builder().defaultValue("9").build();
    Cluster some = Cluster.withDevices(Device.named("d").capacity("mem", "8").build());
    assertThat(shortOf(some, r -> r.capacity("mem", "9")))
        .contains("(d: 8 of mem, 9 are requested)");
    assertThat(shortOf(some, r -> r.capacity("disk", "9"))).contains("no capacity disk, but mem");
    assertThat(shortOf(Cluster.withDevices(1), r -> r.capacity("disk", "9")))
        .contains("no capacity disk and no other");
    assertThat(shortOf(Cluster.withDevices(withMemory(upTo4)), r -> r.capacity("mem", "5")))
        .contains("(d: at most 4 of mem in one request, 5 are requested)");
    assertThat(shortOf(Cluster.withDevices(withMemory(values)), r -> r.capacity("mem", "3")))
        .contains("(d: only 1 and 2 of mem in one request, 3 are requested)");
    assertThat(shortOf(Cluster.withDevices(withMemory(more)), r -> {}))
        .contains("(d: 8 of mem, 9 are the default)");
  }

  /** A device that differs from others in this attribute. */
  private static Device differing(String name, String attribute) {
    Device.Builder device = Device.named(name);
    for (String each : List.of("a", "b", "c", "d")) {
      device.attribute(each, each.equals(attribute) ? name : "same");
    }
    return device.build();
  }

  @Test
  void threeConstraintsThatAreNotSatisfiedAtOnceAreNamedAndMoreAreCounted() {
    Device base = differing("base", "none");
    Device a = differing("da", "a");
    Device b = differing("db", "b");
    Device c = differing("dc", "c");
    Device d = differing("dd", "d");
    DeviceConstraint[] all =
        List.of("a", "b", "c", "d").stream()
            .map(name -> DeviceConstraint.matchAttribute("gpu/" + name))
            .toArray(DeviceConstraint[]::new);
    assertThat(together(Cluster.withDevices(base, a, b, c), all[0], all[1], all[2]))
        .endsWith(
            "but no choice of them satisfies at once matchAttribute gpu/a of all requests,"
                + " matchAttribute gpu/b of all requests and matchAttribute gpu/c of all requests");
    assertThat(together(Cluster.withDevices(base, a, b, c, d), all))
        .endsWith(
            "but no choice of them satisfies at once matchAttribute gpu/a of all requests,"
                + " matchAttribute gpu/b of all requests and matchAttribute gpu/c of all requests"
                + " and 1 more");
  }

  @Test
  void valuesAreNamedWhereThereAreTooFewOfThem() {
    List<Device> devices = new ArrayList<>();
    String[] values = {"x", "x", "y", "z"};
    String[] requests = {"q", "r", "s", "s"};
    for (int i = 0; i < values.length; i++) {
      Device.Builder device = Device.named("d" + i).attribute("v", values[i]);
      for (String request : List.of("q", "r", "s")) {
        device.attribute(request, request.equals(requests[i]));
      }
      devices.add(device.build());
    }
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (String name : List.of("q", "r", "s")) {
      claim.request(name, request -> request.deviceClass("any").selector(name));
    }
    claim.constraint(DeviceConstraint.distinctAttribute("gpu/v"));
    String differ = "claim default/c: there are enough devices, but no 3 of them differ in gpu/v";
    assertThat(
            explain(Cluster.withDevices(devices.toArray(new Device[0])), claim.build()).summary())
        .startsWith(differ + "; ");
    assertThat(
            explain(
                    Cluster.withDevices(devices.subList(0, 3).toArray(new Device[0])),
                    claim.build())
                .summary())
        .startsWith(differ + ", whose only values are x and y; ");
  }

  @Test
  void nothingIsProposedForClaimsOfVeryManyParts() {
    ResourceClaim[] claims = new ResourceClaim[AdvisorRun.MAX_PARTS];
    for (int i = 0; i < claims.length; i++) {
      claims[i] = ResourceClaim.named("c" + i).request("r", r -> r.deviceClass("any")).build();
    }
    Explanation explanation = explain(Cluster.withDevices(1), claims);
    PartialResult<Suggestion> suggestions = explanation.findSuggestions(Budget.unlimited());
    assertThat(suggestions).isEqualTo(PartialResult.some(List.of(), AdvisorRun.TOO_MANY_PARTS));
  }
}
