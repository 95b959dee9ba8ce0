package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.ClaimRule.Given;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Headroom;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sentences for people where what they tell of is empty, alike, or written by somebody else. */
class SentencesTest {

  private static ResourceClaim claim(String name, long count) {
    return ResourceClaim.named(name).request("r", r -> r.deviceClass("any").count(count)).build();
  }

  private static List<String> linesOf(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation().lines();
  }

  @Test
  void headroomNamesTheClaimThatWasAskedAbout() {
    ResourceClaim broken = ResourceClaim.named("a").request("r", r -> r.deviceClass("zz")).build();

    Headroom headroom =
        Allocator.builder()
            .selectors(new Cluster.Words())
            .build()
            .headroom(Cluster.withDevices(2).inventory(), broken, 5);

    assertThat(headroom.stopped().orElse("")).contains("claim default/a, ").doesNotContain("~");
    assertThat(headroom.toString().lines())
        .startsWith("at least 0 in total", "n: at least 0")
        .last()
        .asString()
        .startsWith("stopped: node n: claim default/a, ");
  }

  @Test
  void aNodeSelectorWithoutConditionsIsForNoNode() {
    for (NodeSelector selector :
        List.of(
            new NodeSelector(List.of()),
            new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of()))))) {
      Cluster cluster =
          Cluster.withDevices()
              .add(
                  ResourceSlice.named("s", "gpu")
                      .pool("p", 1, 1)
                      .nodeSelection(NodeSelection.of(selector))
                      .device(Device.named("d").build())
                      .build());

      assertThat(linesOf(cluster, claim("c", 1)).get(0))
          .endsWith("the devices of pool p are for no node, because their node selector is empty");
    }
  }

  @Test
  void anEmptyNameCanBeSeen() {
    ResourceClaim claim =
        claim("c", 2).toBuilder().constraint(DeviceConstraint.matchAttribute("")).build();

    assertThat(linesOf(Cluster.withDevices(2), claim).get(0))
        .contains("has the attribute \"\", which a constraint compares");
    assertThat(new Requirement.Request(new ClaimKey("ns", "c"), "").text())
        .isEqualTo("request \"\"");
  }

  @Test
  void aValueIsToldApartFromOneOfAnotherTypeThatLooksTheSame() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("x", 1).build(),
            Device.named("b").attribute("x", "1").build());
    ResourceClaim claim =
        claim("c", 2).toBuilder().constraint(DeviceConstraint.matchAttribute("gpu/x")).build();

    assertThat(linesOf(cluster, claim).get(0))
        .contains("the best of 2 values, 1 (not \"1\"), has 1");
  }

  @Test
  void oneDeviceIsOneDevice() {
    ResourceClaim.Builder many = ResourceClaim.named("c");
    for (int i = 0; i < 33; i++) {
      many.request("r" + i, r -> r.deviceClass("any"));
    }

    assertThat(Cluster.withDevices(40).allocate(many.build()))
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.error())
                    .contains("request r32: asks for 1 device, but a claim"));
  }

  @Test
  void aRuleThatChangesWhatItIsGivenIsNamed() {
    ClaimRule greedy =
        ClaimRule.of(
            "greedy",
            (given, next) -> {
              given.add(new Given("r", next.device()));
              return Optional.empty();
            });

    assertThatThrownBy(
            () ->
                Cluster.withDevices(2).allocate(Allocator.builder().addRule(greedy), claim("c", 1)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "rule greedy: java.lang.UnsupportedOperationException; a rule cannot change the list of"
                + " devices that it gets")
        .hasCauseInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void namesCannotMoveTheCursor() {
    ResourceClaim claim = claim("c\nsecond line", 1);
    DeviceId id = new DeviceId("gpu", "pool", "d\u001b[2J");
    AllocationResult result =
        AllocationResult.builder()
            .result(DeviceRequestAllocationResult.of("r", id).build())
            .build();

    assertThat(new Allocated(List.of(new ClaimAllocation(claim, result))))
        .hasToString("default/c\\u000asecond line: r: gpu/pool/d\\u001b[2J");
    assertThat(new Rejected(RejectionReason.CLAIM, "a\u001b[2J").toString())
        .endsWith(": a\\u001b[2J");
  }

  @Test
  void allocationsSayWhatIsToleratedAndConfiguredInWords() {
    AllocationResult result =
        AllocationResult.builder()
            .result(
                DeviceRequestAllocationResult.of("r", new DeviceId("gpu", "pool", "d"))
                    .tolerations(
                        List.of(
                            DeviceToleration.exists("broken"),
                            DeviceToleration.exists(""),
                            DeviceToleration.equal("k", "v").toBuilder()
                                .effect(TaintEffect.NO_EXECUTE)
                                .tolerationSeconds(3L)
                                .build()))
                    .build())
            .config(
                List.of(
                    new DeviceAllocationConfiguration(
                        AllocationConfigSource.FROM_CLAIM,
                        List.of("r"),
                        new OpaqueDeviceConfiguration("gpu", "{}"))))
            .build();

    assertThat(result)
        .hasToString(
            "r: gpu/pool/d (tolerates [broken, *, k=v:NoExecute for 3 s])"
                + " (config [gpu {} for r FromClaim])");
  }

  @Test
  void findingsSayWhatWasFoundAndWhatWasNotLookedAt() {
    ClaimKey key = new ClaimKey("default", "c");
    Suggestion suggestion =
        new Suggestion("ask for less", Cluster.withDevices().inventory(), List.of());

    assertThat(PartialResult.all(List.of())).hasToString("nothing");
    assertThat(PartialResult.all(List.of(new Requirement.Request(key, "r"))))
        .hasToString("claim default/c, request r");
    assertThat(PartialResult.some(List.of(suggestion), "no answer within 5 ms"))
        .hasToString("ask for less\nnot everything was checked: no answer within 5 ms");
  }

  @Test
  void headroomSaysHowManyFitWhere() {
    assertThat(new Headroom(Map.of("n", 2), 2, List.of(), Optional.empty()))
        .hasToString("2 in total\nn: 2");
  }
}
