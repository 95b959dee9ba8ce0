package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.internal.explain.NodeExplanation;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Features;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllocatorTest {

  private static ResourceClaim claim(String name, long count) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("any").count(count))
        .build();
  }

  private static ResourceClaim allOf(String deviceClass) {
    return ResourceClaim.named("c")
        .request("r", request -> request.deviceClass(deviceClass).all())
        .build();
  }

  private static DeviceSubRequest alternative(String name, ExactDeviceRequest.Builder request) {
    return new DeviceSubRequest(name, request.build());
  }

  private static Device device(String name, String attribute, String value) {
    return Device.named(name).attribute(attribute, value).build();
  }

  @Test
  void devicesAreTakenInPublishingOrder() {
    assertThat(Cluster.withDevices(4).devicesOf(claim("a", 2), claim("b", 1)))
        .isEqualTo("d0 d1 | d2");
  }

  @Test
  void slicesAreTriedByNameAndPoolsByDriverAndName() {
    Cluster cluster =
        Cluster.of(
            ResourceSlice.onNode("z", "gpu", "n", List.of(Device.named("g").build())),
            sliceOf("b", "dra", "p", 2, Device.named("second").build()),
            sliceOf("a", "dra", "p", 2, Device.named("first").build()));
    assertThat(cluster.devicesOf(claim("c", 3))).isEqualTo("first second g");
  }

  private static ResourceSlice sliceOf(
      String name, String driver, String pool, long count, Device... devices) {
    return ResourceSlice.named(name, driver)
        .pool(pool, 1, count)
        .nodeSelection(NodeSelection.ALL_NODES)
        .devices(List.of(devices))
        .build();
  }

  @Test
  void aDeviceInUseIsPassedOver() {
    Cluster cluster = Cluster.withDevices(2);
    Allocated first = (Allocated) cluster.allocate(claim("a", 1));
    DeviceInventory later =
        cluster
            .inventory()
            .apply(List.of(new ClaimPut(first.allocations().get(0).allocatedClaim())));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    assertThat(Cluster.textOf(allocator.allocate(later, "n", List.of(claim("b", 1)))))
        .isEqualTo("d1");
    assertThat(Cluster.textOf(allocator.allocate(later, "n", List.of(claim("b", 2)))))
        .isEqualTo("does not fit");
  }

  @Test
  void anInventoryIsNotChangedByItsSuccessor() {
    Cluster cluster = Cluster.withDevices(1);
    DeviceInventory before = cluster.inventory();
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    Allocated first = (Allocated) allocator.allocate(before, "n", List.of(claim("a", 1)));
    DeviceInventory after =
        before.apply(List.of(new ClaimPut(first.allocations().get(0).allocatedClaim())));
    assertThat(Cluster.textOf(allocator.allocate(after, "n", List.of(claim("b", 1)))))
        .isEqualTo("does not fit");
    assertThat(Cluster.textOf(allocator.allocate(before, "n", List.of(claim("b", 1)))))
        .isEqualTo("d0");
  }

  @Test
  void selectorsAreEvaluatedOncePerDeviceHoweverOftenTheInventoryIsAsked() {
    Cluster cluster = Cluster.withDevices(8);
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(8))
            .build();
    Cluster.Words words = cluster.words;
    var compiled = new java.util.HashMap<String, io.dra4j.selector.CompiledSelector>();
    io.dra4j.selector.SelectorCompiler cached =
        new io.dra4j.selector.SelectorCompiler() {
          @Override
          public io.dra4j.selector.CompiledSelector compileSelector(String expression)
              throws io.dra4j.selector.SelectorException {
            if (!compiled.containsKey(expression)) {
              compiled.put(expression, words.compileSelector(expression));
            }
            return java.util.Objects.requireNonNull(compiled.get(expression));
          }

          @Override
          public io.dra4j.selector.CompiledAttribute compileAttribute(String expression)
              throws io.dra4j.selector.SelectorException {
            return words.compileAttribute(expression);
          }
        };
    DeviceInventory inventory = cluster.inventory();
    Allocator allocator = Allocator.builder().selectors(cached).build();
    allocator.allocate(inventory, "n", List.of(claim));
    allocator.allocate(inventory, "n", List.of(claim));
    assertThat(words.evaluations).hasValue(8);
  }

  @Test
  void anEarlierClaimGivesUpItsChoiceForALaterOne() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("both").attribute("big", true).build(),
            Device.named("small").attribute("big", false).build());
    ResourceClaim any = claim("any", 1);
    ResourceClaim big =
        ResourceClaim.named("big")
            .request("r", request -> request.deviceClass("any").selector("big"))
            .build();
    assertThat(cluster.devicesOf(any, big)).isEqualTo("small | both");
  }

  @Test
  void aFailingSelectorMattersOnlyWhereItIsEvaluated() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").attribute("ok", true).build(), Device.named("d1").build());
    ResourceClaim one =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("ok"))
            .build();
    ResourceClaim two =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("ok").count(2))
            .build();
    assertThat(cluster.devicesOf(one)).isEqualTo("d0");
    assertThat(cluster.devicesOf(two)).startsWith("rejected").contains("gpu/n/d1", "no such key");
  }

  @Test
  void aBrokenSelectorAMissingClassAndAnUnknownModeAreRejectedByName() {
    Cluster cluster = Cluster.withDevices(1);
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", request -> request.deviceClass("any").selector("broken"))
                    .build()))
        .isEqualTo(
            "rejected: claim default/c, request r: selector #0: CEL compile error: syntax error");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c").request("r", r -> r.deviceClass("nope")).build()))
        .isEqualTo("rejected: claim default/c, request r: device class nope not found");
    ExactDeviceRequest some =
        ExactDeviceRequest.ofClass("any").allocationMode(new AllocationMode("Some"), 1).build();
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c").request(DeviceRequest.exactly("r", some)).build()))
        .contains("unsupported count mode Some");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c").request(new DeviceRequest("r", null, List.of())).build()))
        .contains("neither exactly nor firstAvailable");
  }

  @Test
  void moreThan32DevicesInOneClaimAreRejected() {
    assertThat(Cluster.withDevices(40).devicesOf(claim("c", 32)).split(" ")).hasSize(32);
    assertThat(Cluster.withDevices(40).devicesOf(claim("c", 33)))
        .contains("a claim can have no more than 32");
  }

  @Test
  void anAlternativeOverTheLimitGivesWayToTheNext() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "choice",
                    List.of(
                        alternative("many", ExactDeviceRequest.ofClass("any").count(31)),
                        alternative("one", ExactDeviceRequest.ofClass("any")))))
            .request("rest", request -> request.deviceClass("any").count(5))
            .build();
    Allocated allocated = (Allocated) Cluster.withDevices(40).allocate(claim);
    assertThat(allocated.allocations().get(0).result().results())
        .extracting(result -> result.request())
        .containsExactly("choice/one", "rest", "rest", "rest", "rest", "rest");
  }

  @Test
  void modeAllTakesEveryMatchAndFailsWhenOneIsInUse() {
    Cluster cluster = Cluster.withDevices(3);
    assertThat(cluster.devicesOf(allOf("gpu"))).isEqualTo("d0 d1 d2");
    assertThat(cluster.devicesOf(claim("a", 1), allOf("gpu"))).isEqualTo("does not fit");
    assertThat(cluster.devicesOf(allOf("nic"))).isEqualTo("does not fit");
  }

  @Test
  void anIncompletePoolIsPassedOverAndMakesAllAnError() {
    Cluster cluster =
        Cluster.withDevices(1).add(sliceOf("half", "dra", "p", 2, Device.named("x").build()));
    assertThat(cluster.devicesOf(claim("c", 1))).isEqualTo("d0");
    assertThat(cluster.devicesOf(claim("c", 2))).isEqualTo("does not fit");
    assertThat(cluster.devicesOf(allOf("gpu"))).contains("dra/p is incomplete");
  }

  @Test
  void anInvalidPoolIsNamedWhenNothingElseFits() {
    Device twin = Device.named("twin").build();
    Cluster cluster = Cluster.withDevices(twin, twin);
    Explanation explanation =
        cluster.allocate(claim("c", 1)).fold(a -> null, u -> u.explanation(), r -> null, u -> null);
    assertThat(explanation).isNotNull();
    assertThat(explanation.invalidPools()).containsExactly("gpu/n: duplicate device name twin");
  }

  @Test
  void aNewerGenerationReplacesTheOlder() {
    ResourceSlice old = ResourceSlice.onNode("old", "gpu", "n", List.of(Device.named("o").build()));
    ResourceSlice current =
        ResourceSlice.named("new", "gpu")
            .pool("n", 2, 1)
            .nodeSelection(NodeSelection.ofNode("n"))
            .device(Device.named("new").build())
            .build();
    assertThat(Cluster.of(old, current).devicesOf(claim("c", 1))).isEqualTo("new");
  }

  @Test
  void matchAttributeSpansTheRequestsItNames() {
    Cluster cluster =
        Cluster.withDevices(
            device("a0", "gpu/root", "r0"),
            device("a1", "gpu/root", "r1"),
            device("b1", "gpu/root", "r1"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("any"))
            .request("y", request -> request.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/root", "x", "y"))
            .build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("a1 b1");
  }

  @Test
  void anUnqualifiedAttributeBelongsToTheDriversDomain() {
    Cluster cluster = Cluster.withDevices(device("a", "root", "r"), device("b", "gpu/root", "r"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.matchAttribute("gpu/root"))
            .build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("a b");
  }

  @Test
  void backtrackingRestoresWhatListsHaveInCommon() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("wide").attribute("gpu/r", DeviceAttribute.strings("1", "2")).build(),
            Device.named("narrow").attribute("gpu/r", DeviceAttribute.strings("1")).build(),
            Device.named("two-a").attribute("gpu/r", DeviceAttribute.strings("2")).build(),
            Device.named("two-b").attribute("gpu/r", "2").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("any").count(3))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("wide two-a two-b");
  }

  @Test
  void distinctAttributeComparesDevicesOfOneRequestToo() {
    Cluster cluster =
        Cluster.withDevices(
            device("a", "gpu/r", "1"), device("b", "gpu/r", "1"), device("c", "gpu/r", "2"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.distinctAttribute("gpu/r"))
            .build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("a c");
  }

  @Test
  void aDerivedAttributeHidesThePublishedOne() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "1").attribute("other", "x").build(),
            Device.named("b").attribute("gpu/r", "2").attribute("other", "x").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                "x",
                request -> request.deviceClass("any").count(2).derivedAttribute("gpu/r", "other"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    assertThat(cluster.devicesOf(claim)).isEqualTo("a b");
  }

  @Test
  void taintsKeepAwayWhoeverDoesNotTolerateThem() {
    DeviceTaint taint = DeviceTaint.of("health", "bad", TaintEffect.NO_SCHEDULE);
    Cluster cluster =
        Cluster.withDevices(Device.named("bad").taint(taint).build(), Device.named("ok").build());
    DeviceToleration toleration = DeviceToleration.exists("health");
    assertThat(cluster.devicesOf(claim("c", 1))).isEqualTo("ok");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").toleration(toleration))
                    .build()))
        .isEqualTo("bad");
    assertThat(
            Cluster.textOf(cluster.allocate(Allocator.builder().features(Set.of()), claim("c", 1))))
        .isEqualTo("bad");
  }

  @Test
  void taintRulesWorkLikeTaintsOfTheDriver() {
    DeviceTaint taint = DeviceTaint.of("drain", "", TaintEffect.NO_EXECUTE);
    DeviceTaintRule rule =
        new DeviceTaintRule(
            ObjectMeta.named("rule"), new DeviceTaintSelector("gpu", null, "d0"), taint);
    DeviceTaintRule noSelector = new DeviceTaintRule(ObjectMeta.named("none"), null, taint);
    assertThat(Cluster.withDevices(2).add(rule, noSelector).devicesOf(claim("c", 1)))
        .isEqualTo("d1");
  }

  @Test
  void partitionsDrawFromSharedCounters() {
    CounterSet memory = new CounterSet("memory", Map.of("gi", Quantity.of(3)));
    Device big = partition("big", 2);
    Device alsoBig = partition("also-big", 2);
    Device small = partition("small", 1);
    assertThat(partitioned(memory, big, alsoBig, small).devicesOf(claim("c", 2)))
        .isEqualTo("big small");
    assertThat(partitioned(memory, big, alsoBig, small).devicesOf(claim("c", 3)))
        .isEqualTo("does not fit");
  }

  @Test
  void countersAreExactHoweverLargeTheyAre() {
    CounterSet memory = new CounterSet("memory", Map.of("gi", Quantity.parse("1e2147483647")));
    Device small = partition("small", 1);
    Device huge = partition("huge", Quantity.parse("1e3000"));
    Device all = partition("all", Quantity.parse("1e2147483647"));
    assertThat(partitioned(memory, small, huge).devicesOf(claim("c", 2))).isEqualTo("small huge");
    assertThat(partitioned(memory, all).devicesOf(claim("c", 1))).isEqualTo("all");
    assertThat(partitioned(memory, small, all).devicesOf(claim("c", 2))).isEqualTo("does not fit");
    CounterSet few = new CounterSet("memory", Map.of("gi", Quantity.parse("1e3000")));
    Device exactly = partition("exactly", Quantity.parse("1e3000"));
    Device nano = partition("nano", Quantity.parse("1n"));
    assertThat(partitioned(few, exactly).devicesOf(claim("c", 1))).isEqualTo("exactly");
    assertThat(partitioned(few, nano, exactly).devicesOf(claim("c", 2))).isEqualTo("does not fit");
  }

  @Test
  void aCounterMattersOnlyOnceADeviceThatDrawsFromItIsTried() {
    CounterSet memory = new CounterSet("memory", Map.of("gi", Quantity.parse("1e3000")));
    Device small = partition("small", 1);
    Cluster cluster = partitioned(memory, Device.named("plain").build(), small);
    Allocated held = (Allocated) cluster.allocate(claim("held", 2));
    DeviceInventory later =
        cluster
            .add(ResourceSlice.onNode("other", "nic", "n", List.of(Device.named("nic").build())))
            .inventory()
            .apply(List.of(new ClaimPut(held.allocations().get(0).allocatedClaim())));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    assertThat(Cluster.textOf(allocator.allocate(later, "n", List.of(claim("b", 1)))))
        .isEqualTo("nic");
  }

  @Test
  void whatSharesConsumeIsAddedExactly() {
    Device shared = Device.named("s").capacity("bw", "1e3000").allowMultipleAllocations().build();
    Cluster cluster = Cluster.withDevices(shared);
    assertThat(cluster.devicesOf(share("all", "1e3000"))).isEqualTo("s");
    assertThat(cluster.devicesOf(share("all", "1e3000"), share("one", "1")))
        .isEqualTo("does not fit");
    assertThat(cluster.devicesOf(share("most", "9e2999"), share("one", "1"))).isEqualTo("s | s");
    Allocated all = (Allocated) cluster.allocate(share("all", "1e3000"));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    DeviceInventory later =
        cluster.inventory().apply(List.of(new ClaimPut(all.allocations().get(0).allocatedClaim())));
    assertThat(Cluster.textOf(allocator.allocate(later, "n", List.of(share("one", "1")))))
        .isEqualTo("does not fit");
    assertThat(Cluster.textOf(allocator.allocate(later, "n", List.of(share("none", "0")))))
        .isEqualTo("s");
  }

  private static Device partition(String name, long gi) {
    return partition(name, Quantity.of(gi));
  }

  private static Device partition(String name, Quantity gi) {
    return Device.named(name)
        .consumesCounters(new DeviceCounterConsumption("memory", Map.of("gi", gi), List.of()))
        .build();
  }

  private static Cluster partitioned(CounterSet counters, Device... devices) {
    ResourceSlice counterSlice =
        ResourceSlice.named("counters", "gpu")
            .pool("p", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .counterSet(counters)
            .build();
    return Cluster.of(counterSlice, sliceOf("devices", "gpu", "p", 2, devices));
  }

  @Test
  void sharesOfADeviceConsumeItsCapacity() {
    Device shared = Device.named("s").capacity("bw", "10").allowMultipleAllocations().build();
    Cluster cluster = Cluster.withDevices(shared);
    ResourceClaim six = share("six", "6");
    ResourceClaim four = share("four", "4");
    assertThat(cluster.devicesOf(six, four)).isEqualTo("s | s");
    assertThat(cluster.devicesOf(six, share("too", "6"))).isEqualTo("does not fit");
    Allocated allocated = (Allocated) cluster.allocate(six, four);
    assertThat(allocated.allocations())
        .extracting(a -> a.result().results().get(0).shareId())
        .containsExactly("share-1", "share-2");
    assertThat(allocated.allocations().get(1).result().results().get(0).consumedCapacity())
        .containsExactly(Map.entry("bw", Quantity.of(4)));
  }

  @Test
  void equalAmountsAreConsumedAsEachRequestWroteThem() {
    Device shared = Device.named("s").capacity("memory", "4Gi").allowMultipleAllocations().build();
    Cluster cluster = Cluster.withDevices(shared);
    Allocated allocated =
        (Allocated)
            cluster.allocate(share("a", "1Gi", "memory"), share("b", "1073741824", "memory"));
    assertThat(allocated.allocations())
        .extracting(a -> a.result().results().get(0).consumedCapacity().toString())
        .containsExactly("{memory=1Gi}", "{memory=1073741824}");
  }

  @Test
  void aPolicyLooksAtHowEachRequestWroteItsAmount() {
    CapacityRequestPolicy policy =
        new CapacityRequestPolicy(
            Quantity.parse("4"),
            List.of(),
            new CapacityRequestPolicyRange(Quantity.of(1), Quantity.of(2), null));
    Device shared =
        Device.named("s")
            .capacity("bw", new DeviceCapacity(Quantity.of(100), policy))
            .allowMultipleAllocations()
            .build();
    Cluster cluster = Cluster.withDevices(shared);
    assertThat(cluster.devicesOf(share("a", "4"), share("b", "4"))).isEqualTo("s | s");
    assertThat(cluster.devicesOf(share("a", "4"), share("b", "4000m"))).isEqualTo("does not fit");
  }

  private static ResourceClaim share(String name, String amount, String capacity) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("any").capacity(capacity, amount))
        .build();
  }

  private static ResourceClaim share(String name, String amount) {
    return share(name, amount, "bw");
  }

  @Test
  void adminAccessTakesDevicesInUseButNotOneTwiceInAClaim() {
    ResourceClaim admin =
        ResourceClaim.named("admin")
            .request("r", request -> request.deviceClass("any").adminAccess())
            .build();
    ResourceClaim twice =
        ResourceClaim.named("twice")
            .request("a", request -> request.deviceClass("any").adminAccess())
            .request("b", request -> request.deviceClass("any").adminAccess())
            .build();
    assertThat(Cluster.withDevices(1).devicesOf(claim("a", 1), admin)).isEqualTo("d0 | d0");
    assertThat(Cluster.withDevices(1).devicesOf(twice)).isEqualTo("does not fit");
  }

  @Test
  void devicesOfOneNodePinTheClaimToIt() {
    Allocated local = (Allocated) Cluster.withDevices(1).allocate(claim("c", 1));
    assertThat(local.allocations().get(0).result().nodeSelector())
        .isEqualTo(NodeSelector.ofNode("n"));
    Allocated anywhere =
        (Allocated)
            Cluster.of(sliceOf("s", "net", "p", 1, Device.named("d").build()))
                .allocate(claim("c", 1));
    assertThat(anywhere.allocations().get(0).result().nodeSelector()).isNull();
  }

  @Test
  void manyClaimsDoNotExhaustTheStack() {
    ResourceClaim[] claims = new ResourceClaim[20_000];
    java.util.Arrays.setAll(claims, i -> ResourceClaim.named("c" + i).build());
    claims[claims.length - 1] = claim("last", 2);
    assertThat(Cluster.withDevices(1).devicesOf(claims)).isEqualTo("does not fit");
  }

  @Test
  void aDeadlineEndsASearchWithoutEnd() {
    // 12 single requests whose last is impossible: more steps than anybody waits for. An
    // alternative
    // of too many devices makes the search try them all.
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    claim.request(
        DeviceRequest.firstAvailable(
            "many",
            List.of(
                new DeviceSubRequest("more", ExactDeviceRequest.ofClass("any").count(32).build()),
                new DeviceSubRequest("one", ExactDeviceRequest.ofClass("any").build()))));
    for (int i = 0; i < 12; i++) {
      claim.request("r" + i, request -> request.deviceClass("any"));
    }
    claim.request("impossible", request -> request.deviceClass("nic"));
    AllocationOutcome outcome =
        Cluster.withDevices(24)
            .allocate(Allocator.builder().timeout(Duration.ofMillis(50)), claim.build());
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Undecided.class,
            undecided ->
                assertThat(undecided.reason())
                    .startsWith(
                        "no answer within 50 ms, stopped while it searched at claim default/c,"
                            + " request "));
  }

  @Test
  void cancellationEndsTheSearch() {
    Cluster cluster = Cluster.withDevices(1);
    AllocationOutcome outcome =
        Allocator.builder()
            .selectors(cluster.words)
            .build()
            .allocate(cluster.inventory(), "n", List.of(claim("c", 1)), () -> true);
    assertThat(outcome).isEqualTo(new Undecided("cancelled, stopped before it checked the claims"));
  }

  @Test
  void noClaimsAndNoRequestsAreSatisfiedByNothing() {
    assertThat(Cluster.withDevices(1).allocate()).isEqualTo(new Allocated(List.of()));
    assertThat(Cluster.withDevices(1).devicesOf(ResourceClaim.named("c").build())).isEmpty();
  }

  @Test
  void anUnknownNodeIsAnAnswer() {
    Cluster cluster = Cluster.withDevices(1);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    assertThat(allocator.allocate(cluster.inventory(), "m", List.of(claim("c", 1))))
        .isEqualTo(new Rejected(RejectionReason.UNKNOWN_NODE, "node m: not in the inventory"));
  }

  /** As a manifest may say it; builders refuse less than 1. */
  private static ResourceClaim uncheckedCount(String name, long count) {
    ExactDeviceRequest request =
        new ExactDeviceRequest(
            "any", List.of(), AllocationMode.EXACT_COUNT, count, null, List.of(), null, List.of());
    return ResourceClaim.named(name).request(DeviceRequest.exactly("r", request)).build();
  }

  @Test
  void whatIsNoRequestToAllocateIsRefusedInASentence() {
    Cluster cluster = Cluster.withDevices(2);
    ResourceClaim pending = claim("c", 1);
    ResourceClaim held =
        ((Allocated) cluster.allocate(pending)).allocations().get(0).allocatedClaim();
    assertThat(cluster.allocate(held))
        .isEqualTo(new Rejected(RejectionReason.CLAIM, "claim default/c: is already allocated"));
    assertThat(cluster.allocate(pending, claim("d", 1), pending))
        .isEqualTo(
            new Rejected(
                RejectionReason.CLAIM,
                "claim default/c: occurs twice among the claims to allocate"));
    assertThat(cluster.allocate(uncheckedCount("c", -1)))
        .isEqualTo(
            new Rejected(
                RejectionReason.CLAIM,
                "claim default/c, request r: asks for -1 devices; expected 0 or more"));
    assertThat(cluster.devicesOf(uncheckedCount("c", 0))).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without NullAway may do
  void nullIsRefusedByName() {
    Cluster cluster = Cluster.withDevices(1);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    DeviceInventory inventory = cluster.inventory();
    List<ResourceClaim> withNull = new java.util.ArrayList<>();
    withNull.add(null);
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(null, "n", List.of()))
        .withMessage("inventory");
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(inventory, null, List.of()))
        .withMessage("nodeName");
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(inventory, "n", null))
        .withMessage("claims");
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(inventory, "n", withNull))
        .withMessage("claim");
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(inventory, "n", List.of(), (Budget) null))
        .withMessage("budget");
    assertThatNullPointerException()
        .isThrownBy(() -> Allocator.builder().selectors(null))
        .withMessage("selectors");
    assertThatNullPointerException()
        .isThrownBy(() -> Allocator.builder().compatibility(null))
        .withMessage("compatibility");
    assertThatNullPointerException()
        .isThrownBy(() -> Allocator.builder().shareIds(null))
        .withMessage("ids");
  }

  @Test
  void aClaimThatIsAllocatedInTheInventoryIsNotAllocatedAgain() {
    Cluster cluster = Cluster.withDevices(2).add(Cluster.holding("c", "d0"));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    DeviceInventory held = cluster.inventory();
    Rejected again =
        new Rejected(
            RejectionReason.CLAIM, "claim default/c: is already allocated in the inventory");
    assertThat(cluster.allocate(claim("c", 1))).isEqualTo(again);
    assertThat(cluster.allocate(claim("b", 1), claim("c", 1))).isEqualTo(again);
    assertThat(allocator.query(held, List.of(claim("c", 1))).on("n")).isEqualTo(again);
    assertThat(allocator.headroom(held, claim("c", 1), 9).total()).isEqualTo(1);
    DeviceInventory released =
        held.apply(
            List.of(new InventoryEvent.ClaimRemoved(io.dra4j.model.ClaimKey.of(claim("c", 1)))));
    assertThat(Cluster.textOf(allocator.allocate(released, "n", List.of(claim("c", 1)))))
        .isEqualTo("d0");
  }

  @Test
  void anotherClaimOfTheNameIsTheOneWithAnotherUid() {
    Rejected again =
        new Rejected(
            RejectionReason.CLAIM, "claim default/c: is already allocated in the inventory");
    for (String held : List.of("", "old")) {
      Cluster cluster = Cluster.withDevices(2).add(ofUid(held, Cluster.holding("c", "d0")));
      for (String wanted : List.of("", "old", "new")) {
        AllocationOutcome outcome = cluster.allocate(ofUid(wanted, claim("c", 1)));
        if (held.equals("old") && wanted.equals("new")) {
          assertThat(Cluster.textOf(outcome)).isEqualTo("d1");
        } else {
          assertThat(outcome).as("%s, asked for %s", held, wanted).isEqualTo(again);
        }
      }
    }
  }

  private static ResourceClaim ofUid(String uid, ResourceClaim claim) {
    return claim.toBuilder().metadata(claim.metadata().toBuilder().uid(uid).build()).build();
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without NullAway may do
  void aShareWithoutAnIdIsAFaultOfWhoGivesIds() {
    Cluster cluster = Cluster.withDevices(Device.named("s").allowMultipleAllocations().build());
    Allocator allocator = Allocator.builder().selectors(cluster.words).shareIds(() -> null).build();
    assertThatNullPointerException()
        .isThrownBy(() -> allocator.allocate(cluster.inventory(), "n", List.of(claim("c", 1))))
        .withMessage("shareIds answered null");
    DeviceInventory exclusive = Cluster.withDevices(1).inventory();
    assertThat(Cluster.textOf(allocator.allocate(exclusive, "n", List.of(claim("c", 1)))))
        .isEqualTo("d0");
  }

  @Test
  void anAllocatorWithoutACompilerOrTimeIsNotMade() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Allocator.builder().build())
        .withMessageContaining("selectors");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Allocator.builder().timeout(Duration.ofMillis(-1)))
        .withMessage("timeout: expected 0 or more, found PT-0.001S");
    assertThat(
            Cluster.textOf(
                Cluster.withDevices(1)
                    .allocate(Allocator.builder().timeout(Duration.ZERO), claim("c", 1))))
        .isEqualTo("undecided: no answer within 0 ms, stopped before it checked the claims");
  }

  @Test
  void whatIsRejectedSaysWhetherToTryAgain() {
    Cluster cluster =
        Cluster.withDevices(Device.named("d0").build())
            .add(sliceOf("half", "dra", "p", 2, Device.named("x").build()));
    assertThat(reasonOf(cluster, ResourceClaim.named("c").request("r", r -> r.deviceClass("nope"))))
        .isEqualTo(RejectionReason.MISSING_CLASS);
    assertThat(
            reasonOf(
                cluster, ResourceClaim.named("c").request("r", r -> r.deviceClass("any").all())))
        .isEqualTo(RejectionReason.UNUSABLE_POOL);
    assertThat(
            reasonOf(
                cluster,
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").selector("broken"))))
        .isEqualTo(RejectionReason.EXPRESSION);
    assertThat(
            reasonOf(
                cluster,
                ResourceClaim.named("c").request("r", r -> r.deviceClass("any").selector("none"))))
        .isEqualTo(RejectionReason.EXPRESSION);
    assertThat(
            reasonOf(
                cluster, ResourceClaim.named("c").request("r", r -> r.deviceClass("").count(1))))
        .isEqualTo(RejectionReason.CLAIM);
    assertThat(RejectionReason.MISSING_CLASS.mayPass()).isTrue();
    assertThat(RejectionReason.UNUSABLE_POOL.mayPass()).isTrue();
    assertThat(RejectionReason.UNKNOWN_NODE.mayPass()).isTrue();
    assertThat(RejectionReason.CLAIM.mayPass()).isFalse();
    assertThat(RejectionReason.EXPRESSION.mayPass()).isFalse();
    assertThat(RejectionReason.CONSTRAINT.mayPass()).isFalse();
    assertThat(RejectionReason.CAPACITY.mayPass()).isFalse();
    assertThat(RejectionReason.SLICE.mayPass()).isFalse();
  }

  @Test
  void aSliceWhoseNodesCannotBeParsedRejectsWhatAsksForTheNode() {
    NodeSelector broken =
        new NodeSelector(
            List.of(
                new NodeSelectorTerm(
                    List.of(
                        new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of())),
                    List.of())));
    Cluster cluster =
        Cluster.withDevices(1)
            .add(
                ResourceSlice.named("broken", "dra")
                    .pool("p", 1, 1)
                    .nodeSelection(NodeSelection.of(broken))
                    .build());
    String error =
        "ResourceSlice broken: failed to parse node selector:"
            + " nodeSelectorTerms[0].matchExpressions[0].values: must not be empty for In";
    assertThat(cluster.allocate(claim("c", 1)))
        .isEqualTo(new Rejected(RejectionReason.SLICE, error));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    Explanation explanation =
        new NodeExplanation(
            allocator.engine, cluster.inventory(), Node.named("n"), List.of(claim("c", 1)));
    assertThat(explanation.lines()).containsExactly(error);
  }

  @Test
  void requestsWithAlternativesThatWantOneDeviceMoreThanThereAreEndSoon() {
    Device[] devices = new Device[31];
    for (int i = 0; i < devices.length; i++) {
      Device.Builder device = Device.named("d" + i);
      for (int kind = 0; kind < 8; kind++) {
        device.attribute("kind" + kind, i % (kind + 2) == 0);
      }
      devices[i] = device.build();
    }
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (int kind = 0; kind < 8; kind++) {
      alternatives.add(
          alternative("a" + kind, ExactDeviceRequest.ofClass("any").selector("kind" + kind)));
    }
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 32; i++) {
      claim.request(DeviceRequest.firstAvailable("r" + i, alternatives));
    }
    Allocator.Builder hasty = Allocator.builder().timeout(Duration.ofSeconds(2));
    assertThat(Cluster.textOf(Cluster.withDevices(devices).allocate(hasty, claim.build())))
        .isEqualTo("does not fit");
  }

  @Test
  void anExplanationWithoutTimeSaysSo() {
    Cluster cluster = Cluster.withDevices(1_000);
    Allocator hasty = Allocator.builder().selectors(cluster.words).timeout(Duration.ZERO).build();
    Explanation explanation =
        new NodeExplanation(
            hasty.engine, cluster.inventory(), Node.named("n"), List.of(claim("c", 1)));
    assertThat(explanation.lines())
        .containsExactly("the devices of node n were not checked: no answer within 0 ms");
  }

  @Test
  void whatAFeatureAllowsIsRejectedWhereItIsOff() {
    Cluster cluster = Cluster.withDevices(1);
    assertThat(
            without(
                cluster,
                Feature.PRIORITIZED_LIST,
                ResourceClaim.named("c")
                    .request(
                        DeviceRequest.firstAvailable(
                            "r", List.of(alternative("a", ExactDeviceRequest.ofClass("any")))))))
        .isEqualTo(
            "rejected: claim default/c, request r: has subrequests, but the feature PrioritizedList"
                + " is off");
    assertThat(
            without(
                cluster,
                Feature.CONSUMABLE_CAPACITY,
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").capacity("bw", "1"))))
        .isEqualTo(
            "rejected: claim default/c, request r: has capacity requests, but the feature"
                + " ConsumableCapacity is off");
    assertThat(
            without(
                cluster,
                Feature.DERIVED_ATTRIBUTES,
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").derivedAttribute("gpu/a", "b"))))
        .isEqualTo(
            "rejected: claim default/c, request r: has derived attributes, but the feature"
                + " DerivedAttributes is off");
    assertThat(
            without(
                cluster,
                Feature.ADMIN_ACCESS,
                ResourceClaim.named("c").request("r", r -> r.deviceClass("any").adminAccess())))
        .isEqualTo(
            "rejected: claim default/c, request r: asks for admin access, but the feature"
                + " AdminAccess is off");
  }

  private static String without(Cluster cluster, Feature off, ResourceClaim.Builder claim) {
    return Cluster.textOf(
        cluster.allocate(Allocator.builder().features(Features.without(off)), claim.build()));
  }

  @Test
  void whatIsNoRequestIsRejectedByName() {
    Cluster cluster = Cluster.withDevices(1);
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request(
                        "r", r -> r.deviceClass("any").selectors(List.of(new DeviceSelector(null))))
                    .build()))
        .isEqualTo(
            "rejected: claim default/c, request r: selector #0: CEL expression empty (unsupported"
                + " selector type?)");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c").request("r", r -> r.deviceClass("")).build()))
        .isEqualTo(
            "rejected: claim default/c, request r: missing device class name (unsupported request"
                + " type?)");
    assertThat(
            cluster.devicesOf(
                claim("c", 1).toBuilder()
                    .constraint(DeviceConstraint.matchAttribute("gpu/a"))
                    .constraint(new DeviceConstraint(List.of(), Map.of()))
                    .build()))
        .isEqualTo(
            "rejected: claim default/c, constraint #1: empty constraint (unsupported constraint"
                + " type?)");
  }

  @Test
  void theLimitCountsWhatEachRequestNeedsAtLeast() {
    Cluster cluster = Cluster.withDevices(1);
    ResourceClaim.Builder twenty =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").count(20));
    assertThat(cluster.devicesOf(twenty.request("s", r -> r.deviceClass("any").count(13)).build()))
        .isEqualTo(
            "rejected: claim default/c, request s: asks for 13 devices, but a claim can have"
                + " no more than 32, and earlier requests ask for 20");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").count(20))
                    .request("s", r -> r.deviceClass("any").count(12))
                    .build()))
        .isEqualTo("does not fit");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any"))
                    .request("s", r -> r.deviceClass("any").count(Long.MAX_VALUE))
                    .build()))
        .isEqualTo(
            "rejected: claim default/c, request s: asks for 9223372036854775807 devices, but a"
                + " claim can have no more than 32, and earlier requests ask for 1");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request(
                        DeviceRequest.firstAvailable(
                            "r",
                            List.of(
                                alternative("a", ExactDeviceRequest.ofClass("any").count(40)),
                                alternative("b", ExactDeviceRequest.ofClass("any").count(33)))))
                    .build()))
        .isEqualTo(
            "rejected: claim default/c, request r: asks for 33 devices, but a claim can have"
                + " no more than 32");
  }

  @Test
  void allLeavesOutDevicesThatAreTooSmallHoweverEmpty() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("small").capacity("bw", "4").build(),
            Device.named("big").capacity("bw", "10").build(),
            Device.named("none").build());
    ResourceClaim all =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").all().capacity("bw", "6"))
            .build();
    assertThat(cluster.devicesOf(all)).isEqualTo("big");
    // Without the feature nobody looks at capacities, also not at those that make no sense.
    ResourceClaim plain =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("any").all()).build();
    Cluster negative = Cluster.withDevices(Device.named("d").capacity("bw", "-1").build());
    assertThat(negative.devicesOf(plain)).contains("capacity value is negative: -1");
    assertThat(
            Cluster.textOf(
                negative.allocate(
                    Allocator.builder().features(Features.without(Feature.CONSUMABLE_CAPACITY)),
                    plain)))
        .isEqualTo("d");
  }

  /** Its static capacity counts; that of one alike behind it, too. */
  @Test
  void allLeavesOutADeviceThatAStatusMakesBigger() {
    Device small = Device.named("a").allowMultipleAllocations().capacity("bw", "4").build();
    Cluster cluster =
        Cluster.withDevices(
                small,
                small.toBuilder().name("b").build(),
                Device.named("big").capacity("bw", "10").build())
            .add(Cluster.sharing("other", "a", Map.of("bw", Quantity.of(-3))));
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").all().capacity("bw", "6"))
                    .build()))
        .isEqualTo("big");
    assertThat(
            cluster.devicesOf(
                ResourceClaim.named("c")
                    .request("r", r -> r.deviceClass("any").capacity("bw", "6"))
                    .build()))
        .isEqualTo("a");
  }

  @Test
  void allIsAnErrorWhereAPoolContradictsItself() {
    Device twin = Device.named("twin").build();
    Cluster cluster =
        Cluster.withDevices(1).add(ResourceSlice.onNode("x", "dra", "n", List.of(twin, twin)));
    assertThat(cluster.devicesOf(allOf("gpu")))
        .isEqualTo(
            "rejected: claim default/c, request r: asks for all devices, but pool dra/n is invalid"
                + " (duplicate device name twin)");
  }

  @Test
  void aShareIdIsFreshUnlessSaidOtherwise() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("s").capacity("bw", "9").allowMultipleAllocations().build());
    Allocated allocated =
        (Allocated)
            Allocator.builder()
                .selectors(cluster.words)
                .build()
                .allocate(cluster.inventory(), "n", List.of(share("a", "1"), share("b", "1")));
    assertThat(allocated.allocations())
        .extracting(a -> a.result().results().get(0).shareId())
        .doesNotContainNull()
        .doesNotHaveDuplicates();
  }

  private static RejectionReason reasonOf(Cluster cluster, ResourceClaim.Builder claim) {
    return ((Rejected) cluster.allocate(claim.build())).reason();
  }

  @Test
  void anExplanationIsOfANodeOfTheInventory() {
    Cluster cluster = Cluster.withDevices(1);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    assertThat(allocator.explain(cluster.inventory(), "n", List.of(claim("c", 1)))).isEmpty();
    assertThat(allocator.explain(cluster.inventory(), "n", List.of(claim("c", 2)))).isPresent();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.explain(cluster.inventory(), "m", List.of(claim("c", 1))))
        .withMessage("no node \"m\" in the inventory");
  }

  @Test
  void headroomIsCountedUpToALimitAboveZero() {
    Cluster cluster = Cluster.withDevices(3);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    for (int limit : List.of(0, -1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> allocator.headroom(cluster.inventory(), claim("c", 1), limit))
          .withMessage("limit: expected more than 0, found " + limit);
    }
    assertThat(allocator.headroom(cluster.inventory(), claim("c", 1), 1).total()).isEqualTo(1);
  }

  /** It would fit without end, on each node up to the limit. */
  @Test
  void headroomOfAClaimWithoutRequestsIsRefused() {
    Cluster cluster = Cluster.withDevices(3);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                allocator.headroom(
                    cluster.inventory(), ResourceClaim.named("c").build(), Integer.MAX_VALUE))
        .withMessage(
            "claim default/c: expected requests, found none: it would fit any number of times");
  }

  @Test
  void anOutcomeWithoutAnAnswerIsExplained() {
    Cluster cluster = Cluster.withDevices(1);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    DeviceInventory inventory = cluster.inventory();
    Node node = inventory.node("n").orElseThrow();
    ResourceClaim claim = claim("c", 1);
    Explanation undecided =
        allocator.engine.explain(
            inventory,
            node,
            List.of(claim),
            new Undecided("no answer within 1 ms"),
            Budget.unlimited());
    assertThat(undecided.summary()).isEqualTo("undecided: no answer within 1 ms");
    assertThat(undecided.claims()).containsExactly(claim);
    assertThat(undecided.findConflict(Budget.unlimited()))
        .isEqualTo(PartialResult.some(List.of(), "undecided: no answer within 1 ms"));
    assertThat(undecided.findSuggestions(Budget.unlimited()))
        .isEqualTo(PartialResult.some(List.of(), "undecided: no answer within 1 ms"));
    ResourceClaim faulty =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("none")).build();
    assertThat(
            allocator
                .engine
                .explain(
                    inventory, node, List.of(faulty), cluster.allocate(faulty), Budget.unlimited())
                .findConflict(Budget.unlimited()))
        .isEqualTo(PartialResult.all(List.of()));
    assertThat(hintsOf(cluster, "gpus")).containsExactly("did you mean gpu?");
    assertThat(hintsOf(cluster, "quite-another")).containsExactly("there are any, gpu and nic");
    assertThat(hintsOf(cluster, "any", "quite-another"))
        .containsExactly("there are any, gpu and nic");
    ResourceClaim negative = uncheckedCount("c", -1);
    assertThat(explained(cluster, negative).hints()).isEmpty();
  }

  /** What may have been meant by a claim for these classes, one of which is unknown. */
  private static List<String> hintsOf(Cluster cluster, String... classes) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (String name : classes) {
      claim.request("of-" + name, request -> request.deviceClass(name));
    }
    return explained(cluster, claim.build()).hints();
  }

  private static Reason.Fault explained(Cluster cluster, ResourceClaim claim) {
    DeviceInventory inventory = cluster.inventory();
    Explanation explanation =
        Allocator.builder()
            .selectors(cluster.words)
            .build()
            .engine
            .explain(
                inventory,
                inventory.node("n").orElseThrow(),
                List.of(claim),
                cluster.allocate(claim),
                Budget.unlimited());
    assertThat(explanation.reasons()).hasSize(1);
    return (Reason.Fault) explanation.reasons().get(0);
  }
}
