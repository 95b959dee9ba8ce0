package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.Feature;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For which claims a search need not try everything, and what it passes over. */
class PruningTest {

  private static final long LONG = Long.MAX_VALUE / 4;

  private static SearchPlan plan(
      Cluster cluster, Compatibility compatibility, List<ClaimRule> rules, ResourceClaim... claims)
      throws Exception {
    SearchContext context =
        cluster.context(cluster.inventory(), Feature.kubernetes(), compatibility, rules);
    return new SearchPlan(context, List.of(claims), new SearchPosition("in a test"));
  }

  private static @Nullable Pruning of(Cluster cluster, ResourceClaim... claims) throws Exception {
    return Pruning.of(plan(cluster, Compatibility.REFERENCE, List.of(), claims), LONG);
  }

  private static @Nullable Pruning strictly(Cluster cluster, ResourceClaim... claims)
      throws Exception {
    return Pruning.of(plan(cluster, Compatibility.STRICT, List.of(), claims), LONG);
  }

  private static ResourceClaim claim(String name, ExactDeviceRequest... requests) {
    ResourceClaim.Builder claim = ResourceClaim.named(name);
    for (int i = 0; i < requests.length; i++) {
      claim.request(DeviceRequest.exactly("r" + i, requests[i]));
    }
    return claim.build();
  }

  private static ExactDeviceRequest.Builder any() {
    return ExactDeviceRequest.ofClass("any");
  }

  private static ResourceClaim[] claims(int count) {
    ResourceClaim[] claims = new ResourceClaim[count];
    for (int i = 0; i < count; i++) {
      claims[i] = claim("c" + i, any().build());
    }
    return claims;
  }

  @Test
  void veryManyTargetsAreOnlyCounted() throws Exception {
    assertThat(of(Cluster.withDevices(1), claims(Pruning.MAX_TARGETS))).isNotNull();
    assertThat(of(Cluster.withDevices(1), claims(Pruning.MAX_TARGETS + 1))).isNull();

    ResourceClaim[] many = claims(Pruning.MAX_TARGETS + 1);
    for (int devices : new int[] {many.length - 1, many.length}) {
      Cluster cluster = Cluster.withDevices(devices);
      SearchPlan plan = plan(cluster, Compatibility.REFERENCE, List.of(), many);
      assertThat(Pruning.wantsTooMuch(plan, LONG)).isEqualTo(devices < many.length);
    }
    SearchPlan few =
        plan(
            Cluster.withDevices(1),
            Compatibility.REFERENCE,
            List.of(),
            claims(Pruning.MAX_TARGETS));
    assertThat(Pruning.wantsTooMuch(few, LONG)).as("those are looked after").isFalse();
  }

  @Test
  void whatMayExceedTheLimitIsTriedInOrder() throws Exception {
    Cluster cluster = Cluster.withDevices(3);
    assertThat(of(cluster, claim("c", any().count(31).build(), any().build()))).isNotNull();
    assertThat(of(cluster, claim("c", any().count(32).build()), claim("d", any().build())))
        .as("each claim has a limit of its own")
        .isNotNull();
    for (long most : new long[] {2, 3}) {
      ResourceClaim alternatives =
          ResourceClaim.named("c")
              .request(DeviceRequest.exactly("r", any().count(30).build()))
              .request(
                  DeviceRequest.firstAvailable(
                      "s",
                      List.of(
                          new DeviceSubRequest("a", any().count(most).build()),
                          new DeviceSubRequest("b", any().build()))))
              .build();
      assertThat(of(cluster, alternatives) == null).as("%d", most).isEqualTo(most == 3);
    }
  }

  @Test
  void allDevicesUnderAConstraintMayBeAFault() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "x").build(),
            Device.named("b").attribute("gpu/r", "x").build());
    for (DeviceConstraint constraint :
        List.of(
            DeviceConstraint.matchAttribute("gpu/r", "r"),
            DeviceConstraint.distinctAttribute("gpu/r", "r"))) {
      ResourceClaim constrained =
          ResourceClaim.named("c")
              .request("r", r -> r.deviceClass("any").all())
              .request("s", r -> r.deviceClass("any"))
              .constraint(constraint)
              .build();
      assertThat(of(cluster, constrained)).as("%s", constraint).isNull();
      assertThat(strictly(cluster, constrained)).as("%s", constraint).isNotNull();
    }
    ResourceClaim other =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").all())
            .request("s", r -> r.deviceClass("any"))
            .constraint(DeviceConstraint.matchAttribute("gpu/r", "s"))
            .build();
    assertThat(of(cluster, other)).isNotNull();
  }

  @Test
  void countersThatGrowAreTriedInOrder() throws Exception {
    CounterSet set = new CounterSet("s", Map.of("slices", Quantity.of(4)));
    for (int amount : new int[] {-1, 0, 1}) {
      Device device =
          Device.named("d")
              .consumesCounters(
                  new DeviceCounterConsumption(
                      "s", Map.of("slices", Quantity.of(amount)), List.of()))
              .build();
      Cluster cluster = Cluster.partitioned(Cluster.counters(set), device);
      assertThat(of(cluster, claims(1)) == null).as("%d", amount).isEqualTo(amount < 0);
    }
  }

  @Test
  void adminAccessIsTriedInOrderWhereItDrawsNothing() throws Exception {
    ResourceClaim admin = claim("c", any().build(), any().adminAccess().build());
    assertThat(of(Cluster.withDevices(2), admin)).isNotNull();
    assertThat(strictly(Cluster.withDevices(2), admin)).isNull();
    assertThat(strictly(Cluster.withDevices(2), claims(2))).isNotNull();
  }

  @Test
  void selectorsThatFailAreLeftToTheSearch() throws Exception {
    Cluster cluster = Cluster.withDevices(2);
    assertThat(of(cluster, claim("c", any().selector("missing").build()))).isNull();
    ResourceClaim[] many = claims(Pruning.MAX_TARGETS + 1);
    many[0] = claim("failing", any().selector("missing").build());
    SearchPlan plan = plan(cluster, Compatibility.REFERENCE, List.of(), many);
    assertThat(Pruning.wantsTooMuch(plan, LONG)).isFalse();
  }

  @Test
  void workThatTakesTooLongIsGivenUp() throws Exception {
    SearchPlan plan = plan(Cluster.withDevices(2), Compatibility.REFERENCE, List.of(), claims(2));
    assertThatThrownBy(() -> Pruning.of(plan, -1)).isInstanceOf(Pruning.TooLongException.class);
  }

  /** Whether dead ends are remembered, for which it has to be known what is alike. */
  private static boolean compares(List<ClaimRule> rules, ResourceClaim... claims) throws Exception {
    SearchPlan plan = plan(Cluster.withDevices(2), Compatibility.REFERENCE, rules, claims);
    Pruning pruning = Objects.requireNonNull(Pruning.of(plan, LONG));
    assertThat(pruning.keyOf(0, 0, 0, 0, 0)).as("not compared yet").isNull();
    pruning.compare();
    NogoodStore.Key key = pruning.keyOf(0, 0, 0, 0, 0);
    if (key == null) {
      return false;
    }
    assertThat(pruning.isDeadEnd(key)).isFalse();
    pruning.remember(key);
    assertThat(pruning.isDeadEnd(key)).isTrue();
    return true;
  }

  @Test
  void whatIsAlikeIsComparedWhereNobodyCanTellItApart() throws Exception {
    ClaimRule own = ClaimRule.of("own", (given, next) -> Optional.empty());
    assertThat(compares(List.of(), claims(2))).isTrue();
    assertThat(compares(List.of(own), claims(2))).isFalse();
    assertThat(compares(List.of(), claim("c", any().build(), any().adminAccess().build())))
        .isFalse();
  }

  @Test
  void aDeviceThatIsAlikeComesAfterTheOthers() throws Exception {
    SearchPlan plan = plan(Cluster.withDevices(4), Compatibility.REFERENCE, List.of(), claims(3));
    Pruning pruning = Objects.requireNonNull(Pruning.of(plan, LONG));
    PlannedRequest first = plan.targets.get(0);
    PlannedRequest second = plan.targets.get(1);
    assertThat(pruning.next(first, 0, 0, 2)).as("not compared yet").isEqualTo(2);
    pruning.compare();
    assertThat(pruning.next(first, 0, 0, 0)).isZero();
    assertThat(pruning.next(first, 0, 0, 1)).as("all are like the first").isEqualTo(-1);
    pruning.placed(first, 0, 0);
    assertThat(pruning.next(second, 0, 0, 0)).isEqualTo(1);
    pruning.placed(second, 1, 0);
    assertThat(pruning.next(plan.targets.get(2), 0, 0, 0)).isEqualTo(2);
    pruning.undone(second, 1, 0);
    pruning.undone(first, 0, 0);
    assertThat(pruning.next(second, 0, 0, 0)).isZero();
  }

  @Test
  void requestsThatAreAlikeGetDevicesInOrder() throws Exception {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      devices.add(Device.named("d" + i).attribute("gpu/v", i).build());
    }
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any"))
            .request("s", r -> r.deviceClass("any"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/v"))
            .build();
    SearchPlan plan =
        plan(
            Cluster.withDevices(devices.toArray(new Device[0])),
            Compatibility.REFERENCE,
            List.of(),
            claim);
    Pruning pruning = Objects.requireNonNull(Pruning.of(plan, LONG));
    pruning.compare();
    pruning.placed(plan.targets.get(0), 2, 0);
    assertThat(pruning.next(plan.targets.get(1), 0, 0, 0)).isEqualTo(3);
    pruning.undone(plan.targets.get(0), 2, 0);
    assertThat(pruning.next(plan.targets.get(1), 0, 0, 0)).isZero();
  }

  @Test
  void alternativesAndValuesInCommonAreCounted() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/r", "x").build(),
            Device.named("b").attribute("gpu/r", "y").build());
    DeviceRequest two =
        DeviceRequest.firstAvailable(
            "s",
            List.of(
                new DeviceSubRequest("a", any().count(3).build()),
                new DeviceSubRequest("b", any().count(2).build())));
    ResourceClaim tooMuch =
        ResourceClaim.named("c")
            .request(DeviceRequest.exactly("r", any().build()))
            .request(two)
            .build();
    ResourceClaim enough = ResourceClaim.named("c").request(two).build();
    ResourceClaim apart =
        ResourceClaim.named("c")
            .request(DeviceRequest.exactly("r", any().count(2).build()))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    assertThat(lacksDevices(cluster, tooMuch)).isTrue();
    assertThat(lacksDevices(cluster, enough)).isFalse();
    assertThat(lacksDevices(cluster, apart)).isTrue();
    assertThat(lacksDevices(cluster, claims(3))).as("looked at before").isFalse();
  }

  private static boolean lacksDevices(Cluster cluster, ResourceClaim... claims) throws Exception {
    SearchPlan plan = plan(cluster, Compatibility.REFERENCE, List.of(), claims);
    return Objects.requireNonNull(Pruning.of(plan, LONG)).lacksDevices(plan);
  }
}
