package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Features;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What each quirk of the reference means, and what strict answers are instead. */
class CompatibilityTest {

  private static final String NOTHING = "does not fit";

  private static String reference(Cluster cluster, ResourceClaim... claims) {
    return Cluster.textOf(cluster.allocate(claims));
  }

  private static String strict(Cluster cluster, ResourceClaim... claims) {
    return Cluster.textOf(
        cluster.allocate(Allocator.builder().compatibility(Compatibility.STRICT), claims));
  }

  private static ResourceClaim claim(
      String name, String deviceClass, Consumer<ExactDeviceRequest.Builder> more) {
    return ResourceClaim.named(name)
        .request(
            "r",
            request -> {
              request.deviceClass(deviceClass);
              more.accept(request);
            })
        .build();
  }

  private static ResourceClaim claim(String name) {
    return claim(name, "any", request -> {});
  }

  private static ResourceClaim admin(String name) {
    return claim(name, "any", ExactDeviceRequest.Builder::adminAccess);
  }

  @Test
  @DisplayName("Q1: admin access keeps nobody away")
  void adminAccessKeepsNobodyAway() {
    Cluster cluster = Cluster.withDevices(1);
    assertThat(reference(cluster, admin("admin"), claim("c"))).isEqualTo("does not fit");
    assertThat(strict(cluster, admin("admin"), claim("c"))).isEqualTo("d0 | d0");
    assertThat(strict(cluster, admin("admin"), claim("c"), claim("d"))).isEqualTo("does not fit");
    assertThat(strict(cluster, claim("c"), admin("a"), admin("b"))).isEqualTo("d0 | d0 | d0");
  }

  @Test
  @DisplayName("Q19: a claim takes a device once, with and without admin access")
  void aClaimStillTakesADeviceOnce() {
    Cluster cluster = Cluster.withDevices(1);
    ResourceClaim adminFirst =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("any").adminAccess())
            .request("b", request -> request.deviceClass("any"))
            .build();
    ResourceClaim adminLast =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("any"))
            .request("b", request -> request.deviceClass("any").adminAccess())
            .build();
    for (ResourceClaim claim : List.of(adminFirst, adminLast)) {
      assertThat(reference(cluster, claim)).isEqualTo("does not fit");
      assertThat(strict(cluster, claim)).isEqualTo("does not fit");
    }
  }

  @Test
  @DisplayName("Q2: admin access draws no counter twice")
  void adminAccessDrawsNoCounterTwice() {
    Cluster cluster =
        partitioned(Map.of("gi", Quantity.of(3)), partition("p", "gi", 2), partition("q", "gi", 2));
    ResourceClaim adminOfP = claim("admin", "any", request -> request.adminAccess());
    assertThat(reference(cluster, claim("c"), adminOfP)).isEqualTo("does not fit");
    assertThat(strict(cluster, claim("c"), adminOfP)).isEqualTo("p | p");
    assertThat(strict(cluster, claim("c"), claim("d"))).isEqualTo("does not fit");
    // What nobody has must be carved out for admin access, too.
    ResourceClaim two = claim("admin", "any", request -> request.adminAccess().count(2));
    assertThat(strict(cluster, two)).isEqualTo("does not fit");
  }

  @Test
  @DisplayName("Q2: admin access consumes no capacity")
  void adminAccessConsumesNoCapacity() {
    Device shared = Device.named("s").capacity("bw", "10").allowMultipleAllocations().build();
    Cluster cluster = Cluster.withDevices(shared);
    ResourceClaim all = claim("all", "any", request -> request.capacity("bw", "10"));
    ResourceClaim admin =
        claim("admin", "any", request -> request.adminAccess().capacity("bw", "5"));
    ResourceClaim tooMuch =
        claim("admin", "any", request -> request.adminAccess().capacity("bw", "11"));
    assertThat(reference(cluster, all, admin)).isEqualTo("does not fit");
    assertThat(reference(cluster, admin, all)).isEqualTo("does not fit");
    assertThat(strict(cluster, all, admin)).isEqualTo("s | s");
    assertThat(strict(cluster, admin, all)).isEqualTo("s | s");
    assertThat(strict(cluster, tooMuch)).isEqualTo("does not fit");
    Allocated allocated =
        (Allocated)
            cluster.allocate(Allocator.builder().compatibility(Compatibility.STRICT), admin);
    assertThat(allocated.allocations().get(0).result().results().get(0).consumedCapacity())
        .containsExactly(Map.entry("bw", Quantity.of(0)));
  }

  @Test
  @DisplayName("Q3: a constraint that refuses one of all devices is a misfit")
  void aConstraintThatRefusesOneOfAllDevicesIsAMisfit() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "1").build(),
            Device.named("b").attribute("gpu/r", "2").build());
    ResourceClaim plain =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").all())
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    ResourceClaim alternatives =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(
                        new DeviceSubRequest(
                            "all", ExactDeviceRequest.ofClass("any").all().build()),
                        new DeviceSubRequest("one", ExactDeviceRequest.ofClass("any").build()))))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    assertThat(reference(cluster, plain)).contains("a claim constraint would not be satisfied");
    assertThat(reference(cluster, alternatives)).contains("would not be satisfied");
    assertThat(((AllocationOutcome.Rejected) cluster.allocate(plain)).reason())
        .isEqualTo(RejectionReason.CONSTRAINT);
    assertThat(strict(cluster, plain)).isEqualTo("does not fit");
    assertThat(strict(cluster, alternatives)).isEqualTo("a");
  }

  @Test
  @DisplayName("Q4: an unusable pool makes \"all\" a misfit of the node")
  void anUnusablePoolMakesAllAMisfitOfTheNode() {
    Cluster cluster =
        Cluster.withDevices(1)
            .add(slice("half", "dra", 2, List.of(Device.named("x").build()), List.of()));
    ResourceClaim all = claim("c", "any", ExactDeviceRequest.Builder::all);
    assertThat(reference(cluster, all)).contains("dra/p is incomplete");
    assertThat(strict(cluster, all)).isEqualTo("does not fit");
    AllocationOutcome since138 =
        cluster.allocate(Allocator.builder().release(KubernetesVersion.V1_38), all);
    assertThat(since138).isInstanceOf(AllocationOutcome.Unallocatable.class);
    assertThat(((AllocationOutcome.Unallocatable) since138).explanation().reasons())
        .singleElement()
        .isInstanceOf(Reason.Fault.class)
        .satisfies(reason -> assertThat(reason.text()).contains("dra/p is incomplete"));
  }

  @Test
  @DisplayName("Q5: a device on which a selector fails is passed over")
  void aDeviceOnWhichASelectorFailsIsPassedOver() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("lacks").build(), Device.named("has").attribute("ok", true).build());
    ResourceClaim claim = claim("c", "any", request -> request.selector("ok"));
    assertThat(reference(cluster, claim)).startsWith("rejected").contains("no such key: ok");
    assertThat(strict(cluster, claim)).isEqualTo("has");
    assertThat(strict(cluster, claim("c", "any", request -> request.selector("ok").count(2))))
        .isEqualTo("does not fit");
    // Nobody can tell what all devices are then.
    assertThat(strict(cluster, claim("c", "any", request -> request.selector("ok").all())))
        .startsWith("rejected")
        .contains("no such key: ok");
    assertThat(strict(cluster, claim("c", "any", request -> request.selector("broken"))))
        .startsWith("rejected")
        .contains("compile error");
  }

  @Test
  @DisplayName("Q5: an explanation names the selector that fails")
  void anExplanationNamesTheSelectorThatFails() {
    Cluster cluster = Cluster.withDevices(Device.named("lacks").build());
    ResourceClaim claim = claim("c", "any", request -> request.selector("ok"));
    String why =
        cluster
            .allocate(Allocator.builder().compatibility(Compatibility.STRICT), claim)
            .fold(a -> "", u -> u.explanation().summary(), r -> "", u -> "");
    assertThat(why).contains("could not be checked").contains("no such key: ok");
  }

  @Test
  @DisplayName("Q5: selectors are not asked of other nodes' devices")
  void selectorsAreNotAskedOfOtherNodesDevices() {
    Device other = Device.named("other").nodeSelection(NodeSelection.ofNode("elsewhere")).build();
    Device here =
        Device.named("here").attribute("ok", true).nodeSelection(NodeSelection.ofNode("n")).build();
    ResourceSlice perDevice =
        new ResourceSlice(
            ObjectMeta.named("s"),
            "gpu",
            new ResourcePool("p", 1, 1),
            NodeSelection.NONE,
            true,
            List.of(other, here),
            List.of(),
            null,
            List.of());
    ResourceClaim all = claim("c", "any", request -> request.selector("ok").all());
    assertThat(reference(Cluster.of(perDevice), all)).startsWith("rejected");
    assertThat(strict(Cluster.of(perDevice), all)).isEqualTo("here");
  }

  @Test
  @DisplayName("Q10: a counter that is overdrawn blocks those who draw from it")
  void aCounterThatIsOverdrawnBlocksOnlyThoseWhoDrawFromIt() {
    Cluster before =
        partitioned(
            Map.of("gi", Quantity.of(1), "other", Quantity.of(1)),
            partition("big", "gi", 2),
            partition("small", "other", 1));
    ResourceClaim holder = claim("holder");
    Allocated held =
        (Allocated)
            partitioned(
                    Map.of("gi", Quantity.of(2), "other", Quantity.of(1)),
                    partition("big", "gi", 2),
                    partition("small", "other", 1))
                .allocate(holder);
    Cluster after = before.add(held.allocations().get(0).allocatedClaim());
    assertThat(reference(after, claim("c"))).isEqualTo("does not fit");
    assertThat(strict(after, claim("c"))).isEqualTo("small");
  }

  @Test
  @DisplayName("Q11: a capacity is found with and without the driver's domain")
  void aCapacityIsFoundWithAndWithoutTheDriversDomain() {
    Cluster plain =
        Cluster.withDevices(
            Device.named("s").capacity("mem", "10").allowMultipleAllocations().build());
    Cluster qualified =
        Cluster.withDevices(
            Device.named("s").capacity("gpu/mem", "10").allowMultipleAllocations().build());
    ResourceClaim withDomain = claim("c", "any", request -> request.capacity("gpu/mem", "4"));
    ResourceClaim without = claim("c", "any", request -> request.capacity("mem", "4"));
    ResourceClaim foreign = claim("c", "any", request -> request.capacity("nic/mem", "4"));
    assertThat(reference(plain, withDomain)).isEqualTo("does not fit");
    assertThat(reference(qualified, without)).isEqualTo("does not fit");
    assertThat(strict(plain, withDomain)).isEqualTo("s");
    assertThat(strict(qualified, without)).isEqualTo("s");
    assertThat(strict(plain, without)).isEqualTo("s");
    assertThat(strict(plain, foreign)).isEqualTo("does not fit");
    assertThat(strict(plain, withDomain, claim("d", "any", r -> r.capacity("mem", "7"))))
        .isEqualTo("does not fit");
    // Both names for one capacity: the larger amount is meant, whichever comes first.
    for (ResourceClaim both :
        List.of(
            claim("c", "any", r -> r.capacity("gpu/mem", "4").capacity("mem", "7")),
            claim("c", "any", r -> r.capacity("gpu/mem", "7").capacity("mem", "4")))) {
      Allocated allocated =
          (Allocated) plain.allocate(Allocator.builder().compatibility(Compatibility.STRICT), both);
      assertThat(allocated.allocations().get(0).result().results().get(0).consumedCapacity())
          .containsExactly(Map.entry("mem", Quantity.of(7)));
    }
    assertThat(
            strict(
                plain,
                claim("c", "any", r -> r.capacity("gpu/mem", "4").capacity("mem", "7")),
                claim("d", "any", r -> r.capacity("mem", "4"))))
        .isEqualTo("does not fit");
  }

  @Test
  @DisplayName("Q11: of both names of a capacity, the one with the domain counts")
  void ofBothNamesOfACapacityTheOneWithTheDomainCounts() {
    Cluster both =
        Cluster.withDevices(
            Device.named("s")
                .capacity("mem", "1")
                .capacity("gpu/mem", "10")
                .allowMultipleAllocations()
                .build());
    ResourceClaim four = claim("c", "any", request -> request.capacity("mem", "4"));
    ResourceClaim six = claim("d", "any", request -> request.capacity("gpu/mem", "6"));
    ResourceClaim seven = claim("e", "any", request -> request.capacity("mem", "7"));
    assertThat(strict(both, four, six)).isEqualTo("s | s");
    assertThat(strict(both, four, seven)).isEqualTo("does not fit");
    assertThat(reference(both, four)).isEqualTo("does not fit");

    ResourceClaim twice =
        claim("f", "any", request -> request.capacity("gpu/mem", "4").capacity("mem", "6"));
    assertThat(strict(both, four, twice)).isEqualTo("s | s");
    assertThat(strict(both, seven, twice)).isEqualTo("does not fit");
    AllocationOutcome since138 =
        both.allocate(Allocator.builder().release(KubernetesVersion.V1_38), twice);
    assertThat(Cluster.textOf(since138))
        .startsWith("rejected: ")
        .endsWith("is requested with and without its domain");
  }

  @Test
  @DisplayName("Q12: an amount that equals the default is the default")
  void anAmountThatEqualsTheDefaultIsTheDefault() {
    Cluster cluster = Cluster.withDevices(withPolicy("5", "2", "8", "2"));
    assertThat(reference(cluster, claim("c"))).isEqualTo("s");
    Cluster noRounding = Cluster.withDevices(withPolicy("9", null, "8", null));
    ResourceClaim likeTheDefault = claim("c", "any", request -> request.capacity("bw", "9"));
    ResourceClaim inMilli = claim("c", "any", request -> request.capacity("bw", "9000m"));
    assertThat(reference(noRounding, likeTheDefault)).isEqualTo("s");
    assertThat(reference(noRounding, inMilli)).isEqualTo("does not fit");
    assertThat(strict(noRounding, inMilli)).isEqualTo("s");
  }

  private static Device withPolicy(
      String byDefault, @Nullable String min, @Nullable String max, @Nullable String step) {
    return Device.named("s")
        .capacity(
            "bw",
            new DeviceCapacity(
                Quantity.of(10),
                new CapacityRequestPolicy(
                    Quantity.parse(byDefault),
                    List.of(),
                    new CapacityRequestPolicyRange(quantity(min), quantity(max), quantity(step)))))
        .allowMultipleAllocations()
        .build();
  }

  private static @Nullable Quantity quantity(@Nullable String text) {
    return text == null ? null : Quantity.parse(text);
  }

  @Test
  @DisplayName("Q13: adminAccess: false needs no feature")
  void adminAccessFalseNeedsNoFeature() {
    ExactDeviceRequest ordinary =
        new ExactDeviceRequest(
            "any",
            List.of(),
            io.dra4j.model.AllocationMode.EXACT_COUNT,
            1,
            false,
            List.of(),
            null,
            List.of());
    ResourceClaim claim =
        ResourceClaim.named("c").request(DeviceRequest.exactly("r", ordinary)).build();
    Set<Feature> without = Features.without(Feature.ADMIN_ACCESS);
    Cluster cluster = Cluster.withDevices(1);
    assertThat(Cluster.textOf(cluster.allocate(Allocator.builder().features(without), claim)))
        .contains("the feature AdminAccess is off");
    assertThat(
            Cluster.textOf(
                cluster.allocate(
                    Allocator.builder().features(without).compatibility(Compatibility.STRICT),
                    claim)))
        .isEqualTo("d0");
    assertThat(
            Cluster.textOf(
                cluster.allocate(
                    Allocator.builder().features(without).compatibility(Compatibility.STRICT),
                    admin("a"))))
        .contains("the feature AdminAccess is off");
  }

  @Test
  @DisplayName("Q15: an alternative without its class is passed over")
  void anAlternativeWithoutItsClassIsPassedOver() {
    ResourceClaim some = alternatives("nope", "any", "neither");
    ResourceClaim none = alternatives("nope", "neither");
    assertThat(reference(Cluster.withDevices(1), some)).contains("device class nope not found");
    assertThat(strict(Cluster.withDevices(1), some)).isEqualTo("d0");
    assertThat(strict(Cluster.withDevices(1), none))
        .isEqualTo("rejected: claim default/c, request r/nope: device class nope not found");
  }

  private static ResourceClaim alternatives(String... classes) {
    return ResourceClaim.named("c")
        .request(
            DeviceRequest.firstAvailable(
                "r",
                java.util.Arrays.stream(classes)
                    .map(
                        name ->
                            new DeviceSubRequest(name, ExactDeviceRequest.ofClass(name).build()))
                    .toList()))
        .build();
  }

  @Test
  @DisplayName("Q16: without list attributes a list satisfies no constraint")
  void withoutListsAListSatisfiesNoConstraint() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("list").attribute("gpu/r", DeviceAttribute.strings("1")).build(),
            Device.named("scalar").attribute("gpu/r", "1").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    Set<Feature> without = Features.without(Feature.LIST_TYPE_ATTRIBUTES);
    assertThat(Cluster.textOf(cluster.allocate(Allocator.builder().features(without), claim)))
        .isEqualTo("list");
    assertThat(
            Cluster.textOf(
                cluster.allocate(
                    Allocator.builder().features(without).compatibility(Compatibility.STRICT),
                    claim)))
        .isEqualTo("scalar");
    assertThat(strict(cluster, claim)).isEqualTo("list");
  }

  @Test
  @DisplayName("Q18: a fraction of a thousandth is rounded up")
  void aFractionOfAThousandthIsRoundedUp() {
    Cluster cluster = Cluster.withDevices(withPolicy("4", "1", "8", "500m"));
    ResourceClaim fraction = claim("c", "any", request -> request.capacity("bw", "1500001u"));
    ResourceClaim huge = claim("c", "any", request -> request.capacity("bw", "9e18"));
    assertThat(reference(cluster, fraction)).contains("cannot be represented");
    Allocated allocated =
        (Allocated)
            cluster.allocate(Allocator.builder().compatibility(Compatibility.STRICT), fraction);
    assertThat(allocated.allocations().get(0).result().results().get(0).consumedCapacity())
        .containsExactly(Map.entry("bw", Quantity.of(2)));
    assertThat(strict(cluster, huge)).contains("cannot be represented");
  }

  @Test
  @DisplayName("Q6: an old generation counts where its local slices happen to be complete")
  void anOldGenerationThatIsCompleteHereIsUsed() {
    ResourceSlice old = generation("old", 1, 1, "n", "stale");
    ResourceSlice newer = generation("newer", 2, 1, "elsewhere", "fresh");
    assertBoth(Cluster.of(old, newer), claim("c"), "stale");
    // With two slices expected, one of which is here, everybody sees that the pool has moved on.
    assertBoth(Cluster.of(generation("old", 1, 2, "n", "stale"), newer), claim("c"), NOTHING);
  }

  @Test
  @DisplayName("Q7: a name that a slice for another node has, too, goes unseen")
  void aNameThatAnotherNodesSliceHasGoesUnseen() {
    ResourceSlice here = generation("a", 1, 2, "n", "twice");
    assertBoth(Cluster.of(here, generation("b", 1, 2, "elsewhere", "twice")), claim("c"), "twice");
    assertBoth(Cluster.of(here, generation("b", 1, 2, "n", "twice")), claim("c"), NOTHING);
  }

  @Test
  @DisplayName("Q8: a device with binding conditions puts its whole pool behind")
  void bindingConditionsPutAWholePoolBehind() {
    ResourceSlice nics =
        ResourceSlice.onNode("nics", "nic", "n", List.of(Device.named("nic").build()));
    Device plain = Device.named("plain").build();
    Device binding =
        Device.named("binding").bindingConditions(List.of("ready"), List.of("failed")).build();
    Cluster allPlain = Cluster.of(ResourceSlice.onNode("gpus", "gpu", "n", List.of(plain)), nics);
    Cluster mixed =
        Cluster.of(ResourceSlice.onNode("gpus", "gpu", "n", List.of(plain, binding)), nics);
    ResourceClaim three = claim("c", "any", request -> request.count(3));
    assertBoth(allPlain, claim("c"), "plain");
    assertBoth(mixed, claim("c"), "nic");
    assertBoth(mixed, three, "nic plain binding");
  }

  @Test
  @DisplayName("Q9: identical requests give the answer of the exponential search, in fewer steps")
  void identicalRequestsGiveTheAnswerOfAnExponentialSearch() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("any"))
            .request("b", request -> request.deviceClass("any"))
            .request("d", request -> request.deviceClass("any"))
            .request("none", request -> request.deviceClass("nic"))
            .build();
    for (Compatibility compatibility : Compatibility.values()) {
      AtomicLong steps = new AtomicLong();
      Allocator.Builder allocator =
          Allocator.builder().compatibility(compatibility).observer(observed(steps));
      assertThat(Cluster.textOf(Cluster.withDevices(16).allocate(allocator, claim)))
          .isEqualTo(NOTHING);
      assertThat(steps).hasValueLessThan(100); // 7,233 of the reference
    }
  }

  private static AllocationObserver observed(AtomicLong steps) {
    return new AllocationObserver() {
      @Override
      public void searched(SearchStatistics statistics) {
        steps.addAndGet(statistics.steps());
      }
    };
  }

  @Test
  @DisplayName("Q14: bindsToNode counts with the feature off")
  void aClaimIsPinnedWithTheFeatureOff() {
    Set<Feature> without = Features.without(Feature.DEVICE_BINDING_AND_STATUS);
    for (Compatibility compatibility : Compatibility.values()) {
      for (boolean binds : List.of(true, false)) {
        ResourceSlice everywhere =
            ResourceSlice.named("s", "gpu")
                .pool("p", 1, 1)
                .nodeSelection(NodeSelection.ALL_NODES)
                .device(Device.named("d").bindsToNode(binds).build())
                .build();
        Allocated allocated =
            (Allocated)
                Cluster.of(everywhere)
                    .allocate(
                        Allocator.builder().features(without).compatibility(compatibility),
                        claim("c"));
        NodeSelector where = allocated.allocations().get(0).result().nodeSelector();
        assertThat(where != null).isEqualTo(binds);
        assertThat(where == null || where.toString().contains("metadata.name")).isTrue();
      }
    }
  }

  @Test
  @DisplayName("Q17: one slice's count decides whether a pool is complete")
  void theCountOfOneSliceDecides() {
    ResourceSlice first = generation("a", 1, 2, "n", "d");
    assertBoth(Cluster.of(first, generation("b", 1, 5, "n", "e")), claim("c"), "d");
    assertBoth(Cluster.of(generation("b", 1, 5, "n", "e"), first), claim("c"), NOTHING);
    Cluster oneTooMany =
        Cluster.of(first, generation("b", 1, 2, "n", "e"), generation("c", 1, 2, "n", "f"));
    assertBoth(oneTooMany, claim("c"), NOTHING);
  }

  @Test
  @DisplayName("Q20: more than 16 tolerations pass")
  void moreTolerationsThanTheApiAllowsPass() {
    Device tainted =
        Device.named("d").taint(DeviceTaint.of("last", "", TaintEffect.NO_SCHEDULE)).build();
    ResourceClaim claim =
        claim(
            "c",
            "any",
            request -> {
              for (int i = 0; i < 16; i++) {
                request.toleration(DeviceToleration.exists("other" + i));
              }
              request.toleration(DeviceToleration.exists("last"));
            });
    assertBoth(Cluster.withDevices(tainted), claim, "d");
    assertBoth(Cluster.withDevices(tainted), claim("c"), NOTHING);
  }

  @Test
  @DisplayName("Q21: who has a share of a device has it when it can be shared no longer")
  void whoHasAShareOfADeviceHasItWhenItCanBeSharedNoLonger() {
    Cluster one = Cluster.withDevices(1).add(Cluster.sharing("a", "d0", Map.of()));
    assertThat(reference(one, claim("c"))).isEqualTo("d0");
    assertThat(strict(one, claim("c"))).isEqualTo(NOTHING);
    assertThat(strict(one, admin("c"))).isEqualTo("d0");
    Cluster two = Cluster.withDevices(2).add(Cluster.sharing("a", "d0", Map.of()));
    assertThat(reference(two, claim("c"))).isEqualTo("d0");
    assertThat(strict(two, claim("c"))).isEqualTo("d1");
    assertThat(strict(two, claim("c", "any", ExactDeviceRequest.Builder::all))).isEqualTo(NOTHING);
    Allocator strict =
        Allocator.builder().selectors(one.words).compatibility(Compatibility.STRICT).build();
    assertThat(strict.explain(one.inventory(), "n", List.of(claim("c"))).orElseThrow().summary())
        .contains("is in use by default/a");
  }

  @Test
  void eachQuirkOfTheTableHasATest() throws Exception {
    Set<String> tested = new TreeSet<>();
    for (Method method : CompatibilityTest.class.getDeclaredMethods()) {
      DisplayName name = method.getAnnotation(DisplayName.class);
      if (name != null) {
        tested.add(name.value().substring(0, name.value().indexOf(':')));
      }
    }
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("../docs/design/strict.md"))) {
      if (line.startsWith("| Q")) {
        listed.add(line.substring(2, line.indexOf(' ', 2)));
      }
    }
    assertThat(listed).hasSize(21).isEqualTo(tested);
  }

  /** Both answers are this. */
  private static void assertBoth(Cluster cluster, ResourceClaim claim, String answer) {
    assertThat(reference(cluster, claim)).as("reference").isEqualTo(answer);
    assertThat(strict(cluster, claim)).as("strict").isEqualTo(answer);
  }

  /** A slice of the pool {@code gpu/p}. */
  private static ResourceSlice generation(
      String name, long generation, long slices, String node, String device) {
    return ResourceSlice.named(name, "gpu")
        .pool("p", generation, slices)
        .nodeSelection(NodeSelection.ofNode(node))
        .device(Device.named(device).build())
        .build();
  }

  private static Device partition(String name, String counter, long amount) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption("set", Map.of(counter, Quantity.of(amount)), List.of()))
        .build();
  }

  private static Cluster partitioned(Map<String, Quantity> counters, Device... devices) {
    return Cluster.of(
        slice("counters", "gpu", 2, List.of(), List.of(new CounterSet("set", counters))),
        slice("devices", "gpu", 2, List.of(devices), List.of()));
  }

  private static ResourceSlice slice(
      String name, String driver, long count, List<Device> devices, List<CounterSet> counters) {
    return new ResourceSlice(
        ObjectMeta.named(name),
        driver,
        new ResourcePool("p", 1, count),
        NodeSelection.ALL_NODES,
        null,
        devices,
        counters,
        null,
        List.of());
  }
}
