package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.model.Device;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimRuleTest {

  /** No two devices of a claim on one card. */
  private static final ClaimRule ONE_OF_A_CARD =
      ClaimRule.of(
          "one-of-a-card",
          (given, next) ->
              given.stream().anyMatch(other -> card(other.device()).equals(card(next.device())))
                  ? Optional.of("the claim has a port of its card already")
                  : Optional.empty());

  private static String card(Device device) {
    return String.valueOf(device.attributes().get("card"));
  }

  private static Device on(String card, String name) {
    return Device.named(name).attribute("card", card).build();
  }

  private static ResourceClaim two(String name) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("gpu").count(2))
        .build();
  }

  private final Cluster ports =
      Cluster.withDevices(on("x", "x0"), on("x", "x1"), on("y", "y0"), on("y", "y1"));

  @Test
  @SuppressWarnings({"NullAway", "DataFlowIssue"}) // which is what is tried
  void aRuleThatAnswersNullIsNamed() {
    ClaimRule mute = ClaimRule.of("mute", (given, next) -> null);
    assertThat(mute).hasToString("mute");
    assertThatThrownBy(() -> ports.allocate(Allocator.builder().addRule(mute), two("c")))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("rule mute answered null");
  }

  @Test
  void theFirstDevicesAreTakenThatTheRuleLetsPass() {
    assertThat(ports.devicesOf(two("c"))).isEqualTo("x0 x1");
    assertThat(Cluster.textOf(ports.allocate(Allocator.builder().addRule(ONE_OF_A_CARD), two("c"))))
        .isEqualTo("x0 y0");
  }

  @Test
  void aRuleSeesOneClaimAtATime() {
    assertThat(
            Cluster.textOf(
                ports.allocate(Allocator.builder().addRule(ONE_OF_A_CARD), two("c"), two("d"))))
        .isEqualTo("x0 y0 | x1 y1");
  }

  @Test
  void aRuleSeesTheRequest() {
    ClaimRule notForA =
        ClaimRule.of(
            "a-gets-y",
            (given, next) ->
                next.request().equals("a") && next.device().name().startsWith("x")
                    ? Optional.of("a gets y")
                    : Optional.empty());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("a", request -> request.deviceClass("gpu"))
            .request("b", request -> request.deviceClass("gpu"))
            .build();
    assertThat(Cluster.textOf(ports.allocate(Allocator.builder().addRule(notForA), claim)))
        .isEqualTo("y0 x0");
  }

  @Test
  void allDevicesDoNotFitWhereTheRuleRefusesOne() {
    ResourceClaim all =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("gpu").all()).build();
    assertThat(ports.devicesOf(all)).isEqualTo("x0 x1 y0 y1");
    assertThat(Cluster.textOf(ports.allocate(Allocator.builder().addRule(ONE_OF_A_CARD), all)))
        .isEqualTo("does not fit");
  }

  @Test
  void theExplanationNamesARuleThatRefusesDevices() {
    ClaimRule inService =
        ClaimRule.of(
            "in-service",
            (given, next) ->
                next.device().name().startsWith("x")
                    ? Optional.of("card x is being serviced")
                    : Optional.empty());
    ResourceClaim three =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(3))
            .build();
    assertThat(reason(inService, three))
        .contains("2 are refused by the rule in-service (card x is being serviced)");
  }

  @Test
  void theExplanationNamesARuleThatKeepsDevicesApart() {
    ResourceClaim three =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(3))
            .build();
    assertThat(reason(ONE_OF_A_CARD, three))
        .isEqualTo(
            "claim default/c: there are enough devices, but no choice of them satisfies the rule one-of-a-card");
  }

  private String reason(ClaimRule rule, ResourceClaim claim) {
    AllocationOutcome outcome = ports.allocate(Allocator.builder().addRule(rule), claim);
    assertThat(outcome).isInstanceOf(Unallocatable.class);
    return ((Unallocatable) outcome).explanation().reasons().get(0).text();
  }

  @Test
  void nodesThatDifferOnlyForTheRuleAreBothAsked() {
    Cluster cluster =
        Cluster.of(
            Node.named("m"),
            ResourceSlice.onNode("on-n", "gpu", "n", List.of(on("x", "x0"))),
            ResourceSlice.onNode("on-m", "gpu", "m", List.of(on("x", "good"))));
    ClaimRule good =
        ClaimRule.of(
            "good",
            (given, next) ->
                next.device().name().equals("good") ? Optional.empty() : Optional.of("it is bad"));
    ResourceClaim one =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("gpu")).build();
    Allocator allocator = Allocator.builder().selectors(cluster.words).addRule(good).build();
    assertThat(allocator.query(cluster.inventory(), List.of(one)).first())
        .hasValueSatisfying(fit -> assertThat(fit.node()).isEqualTo("m"));
    assertThat(allocator.headroom(cluster.inventory(), one, 5).total()).isEqualTo(1);
  }

  @Test
  void whatARuleThrowsComesOut() {
    ClaimRule broken =
        ClaimRule.of(
            "broken",
            (given, next) -> {
              throw new IllegalStateException("out of order");
            });
    assertThatThrownBy(() -> ports.allocate(Allocator.builder().addRule(broken), two("c")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("out of order");
  }
}
