package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.search.Pruning;
import io.dra4j.common.Feature;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Features;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which reasons there are for a refusal, where more than one would do. */
class DiagnosisTest {

  private static List<Reason> refusals(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation().reasons();
  }

  private static Device at(String name, String root) {
    return Device.named(name).attribute(StandardAttributes.PCIE_ROOT, root).build();
  }

  private static ResourceSlice half(String pool, String driver) {
    return ResourceSlice.named(pool, driver)
        .pool(pool, 1, 2)
        .nodeSelection(NodeSelection.ofNode("n"))
        .device(Device.named("x").build())
        .build();
  }

  private static ResourceClaim.Builder gpuAndNic() {
    return ResourceClaim.named("c")
        .request("r", request -> request.deviceClass("gpu"))
        .request("s", request -> request.deviceClass("nic"));
  }

  @Test
  void whereDevicesHaveNoValueInCommonTheirPlacesAreNamed() {
    Cluster cluster =
        Cluster.withDevices(at("g", "x"))
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(at("p", "y"), at("q", "z"))));
    ResourceClaim pair =
        gpuAndNic()
            .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
            .build();
    List<Reason> refusals = refusals(cluster, pair);
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).text())
        .contains(": the devices for r are on x, the devices for s are on y and z");
  }

  @Test
  void constraintsThatFindTheSameAreCounted() {
    Cluster cluster =
        Cluster.withDevices(at("g", "x"))
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(at("p", "y"))));
    ResourceClaim.Builder claim = gpuAndNic();
    for (int i = 0; i < 3; i++) {
      claim.constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT));
    }
    List<Reason> refusals = refusals(cluster, claim.build());
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).text()).endsWith("(2 more constraints find the same)");
  }

  @Test
  void poolsThatAreToBlameComeFirstInTheirOrder() {
    Cluster cluster =
        Cluster.withDevices(1).add(half("p1", "gpu")).add(half("p2", "gpu")).add(half("p3", "nic"));
    ResourceClaim two =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(2))
            .build();
    assertThat(
            refusals(cluster, two).stream()
                .map(
                    refusal ->
                        refusal instanceof Reason.UnusablePool unusable
                            ? unusable.pool().toString()
                            : "devices"))
        .containsExactly("gpu/p1", "gpu/p2", "devices", "nic/p3");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "other.example.com/root, gpu/root",
    "gpu/rott, gpu/root",
    "gpu/quite-another, ",
  })
  void anAttributeThatWasMeantIsFoundByItsNameOrOneNearIt(String attribute, String near) {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("root", "x").attribute("serial", "1").build(),
            Device.named("b").attribute("root", "x").attribute("serial", "2").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.matchAttribute(attribute))
            .build();
    assertThat(refusals(cluster, claim))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.MissingAttribute.class,
            missing ->
                assertThat(missing.near()).isEqualTo(near == null ? List.of() : List.of(near)));
  }

  @Test
  void anAttributeThatSomeDeviceHasIsNotMissing() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").build(), Device.named("b").attribute("gpu/a", "1").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.distinctAttribute("gpu/a"))
            .build();
    assertThat(refusals(cluster, claim)).singleElement().isInstanceOf(Reason.TooFewDevices.class);
  }

  @Test
  void asManyDevicesAsAClaimCanHaveAreNotTooMany() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(
                        new DeviceSubRequest(
                            "more", ExactDeviceRequest.ofClass("any").count(33).build()),
                        new DeviceSubRequest(
                            "most", ExactDeviceRequest.ofClass("any").count(32).build()))))
            .build();
    List<Reason> refusals = refusals(Cluster.withDevices(1), claim);
    assertThat(refusals).hasSize(3);
    assertThat(refusals.get(0)).isInstanceOf(Reason.NoAlternative.class);
    assertThat(refusals.get(1)).isInstanceOf(Reason.TooManyDevices.class);
    assertThat(refusals.get(2)).isInstanceOf(Reason.TooFewDevices.class);
  }

  @Test
  void requestsThatWantPartlyTheSameAreToldOnceAndTheirPoolsAreToBlame() {
    Cluster cluster =
        Cluster.withDevices(1)
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(Device.named("p").build())))
            .add(half("half", "gpu"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu"))
            .request("s", request -> request.deviceClass("any").count(2))
            .build();
    List<Reason> refusals = refusals(cluster, claim);
    assertThat(refusals).hasSize(2);
    assertThat(refusals.get(0)).isInstanceOf(Reason.UnusablePool.class);
    assertThat(refusals.get(1)).isInstanceOf(Reason.TooFewForAll.class);
    assertThat(refusals.get(1).requirements()).hasSize(2);
  }

  @Test
  void adminAccessTakesNothingFromOtherClaims() {
    ResourceClaim admin =
        ResourceClaim.named("admin")
            .request("r", request -> request.deviceClass("any").adminAccess())
            .build();
    ResourceClaim other =
        ResourceClaim.named("other").request("r", request -> request.deviceClass("any")).build();
    assertThat(refusals(Cluster.withDevices(1), admin, other))
        .singleElement()
        .isInstanceOf(Reason.NotTogether.class);
  }

  private static ResourceSlice empty(String pool, String driver, long slices, long generation) {
    return ResourceSlice.named(pool, driver)
        .pool(pool, generation, slices)
        .nodeSelection(NodeSelection.ofNode("n"))
        .build();
  }

  private static List<String> inShort(List<Reason> refusals) {
    return refusals.stream()
        .map(
            refusal ->
                refusal instanceof Reason.UnusablePool unusable
                    ? unusable.pool().toString()
                    : "devices")
        .toList();
  }

  @Test
  void whereNothingOfAClassIsThereIncompletePoolsMayHaveItAndInvalidOnesDoNot() {
    ResourceSlice invalid =
        ResourceSlice.named("invalid", "dra")
            .pool("invalid", 1, 1)
            .nodeSelection(NodeSelection.ofNode("n"))
            .devices(List.of(Device.named("x").build(), Device.named("x").build()))
            .build();
    Cluster cluster = Cluster.withDevices(1).add(invalid, empty("half", "nic", 2, 1));
    ResourceClaim missing =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("nic")).build();
    assertThat(inShort(refusals(cluster, missing)))
        .containsExactly("nic/half", "devices", "dra/invalid");
    ResourceClaim shortOf =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(2))
            .build();
    assertThat(inShort(refusals(cluster, shortOf)))
        .containsExactly("devices", "dra/invalid", "nic/half");
    ResourceClaim both =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("nic"))
            .request("s", request -> request.deviceClass("gpu").count(2))
            .build();
    assertThat(inShort(refusals(cluster, both)))
        .containsExactly("nic/half", "devices", "devices", "dra/invalid");
  }

  @Test
  void aDeviceWithAnEmptyListHasNoValue() {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("g")
                    .attribute("example.com/root", new DeviceAttribute.StringValues(List.of()))
                    .build())
            .add(
                ResourceSlice.onNode(
                    "nics",
                    "nic",
                    "n",
                    List.of(Device.named("p").attribute("example.com/root", "x").build())));
    ResourceClaim pair =
        gpuAndNic().constraint(DeviceConstraint.matchAttribute("example.com/root")).build();
    List<Reason> refusals =
        ((Unallocatable)
                cluster.allocate(
                    Allocator.builder().features(Features.without(Feature.LIST_TYPE_ATTRIBUTES)),
                    pair))
            .explanation()
            .reasons();
    assertThat(refusals)
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.MissingAttribute.class,
            missing -> assertThat(missing.request().request()).isEqualTo("r"));
  }

  private static Device with(String name, String... attributes) {
    Device.Builder device = Device.named(name);
    for (String attribute : List.of("x", "y", "z")) {
      device.attribute(attribute, List.of(attributes).contains(attribute));
    }
    return device.build();
  }

  @Test
  void requestsOfWhichEachTwoFitTogetherMayBeTooManyAltogether() {
    Cluster cluster =
        Cluster.withDevices(with("a", "x", "z"), with("b", "x", "y"), with("c", "y", "z"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("x").count(2))
            .request("s", request -> request.deviceClass("any").selector("y").count(2))
            .build();
    assertThat(refusals(cluster, claim))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.TooFewForAll.class,
            few -> {
              assertThat(few.wanted()).isEqualTo(4);
              assertThat(few.available()).isEqualTo(3);
              assertThat(few.refused())
                  .extracting(device -> device.device().device())
                  .contains("c");
            });
  }

  /** As a manifest may say it; builders refuse less than 1. */
  private static DeviceRequest nothingOf(String name, String deviceClass) {
    return DeviceRequest.exactly(
        name,
        new ExactDeviceRequest(
            deviceClass,
            List.of(),
            AllocationMode.EXACT_COUNT,
            0,
            null,
            List.of(),
            null,
            List.of()));
  }

  @Test
  void aRequestForNoDevicesIsNotToBlame() {
    Cluster cluster =
        Cluster.withDevices(1)
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(Device.named("p").build())));
    ResourceClaim overlap =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu"))
            .request("s", request -> request.deviceClass("any").count(2))
            .request(nothingOf("t", "any"))
            .build();
    assertThat(refusals(cluster, overlap))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.TooFewForAll.class,
            few ->
                assertThat(few.requirements())
                    .extracting(part -> ((Requirement.Request) part).request())
                    .containsExactly("r", "s"));
    ResourceClaim apart =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(2))
            .request(nothingOf("t", "nic"))
            .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
            .build();
    assertThat(refusals(Cluster.withDevices(at("a", "x"), at("b", "y")), apart))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.NoCommonValue.class, none -> assertThat(none.shares()).hasSize(1));
  }

  @Test
  void asManyRefusedDevicesAreListedAsALimitSaysAndTheRestIsCounted() {
    List<Device> devices = new ArrayList<>();
    String[] held = new String[Availability.MAX_LISTED];
    for (int i = 0; i < held.length; i++) {
      held[i] = "h" + i;
      devices.add(Device.named(held[i]).build());
    }
    devices.add(Device.named("a").build());
    Cluster cluster =
        Cluster.withDevices(devices.toArray(new Device[0]))
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(Device.named("p").build())))
            .add(Cluster.holding("h", held));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").count(2))
            .request("s", request -> request.deviceClass("gpu"))
            .build();
    Reason refusal = refusals(cluster, claim).get(0);
    assertThat(refusal.requirements()).hasSize(2);
    assertThat(refusal instanceof Reason.TooFewForAll).isTrue();
    assertThat(refusal.refused().size()).isEqualTo(Availability.MAX_LISTED);
  }

  @Test
  void setsOfDevicesForWhichThereIsRoomAreNotToBlame() {
    CounterSet memory = new CounterSet("m", Map.of("x", Quantity.of(3)));
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      devices.add(
          at((i < 2 ? "g" : "p") + i, "root" + i % 2).toBuilder()
              .attribute("first", i < 2)
              .consumesCounters(
                  new DeviceCounterConsumption("m", Map.of("x", Quantity.of(1)), List.of()))
              .attribute("last", i >= 2)
              .build());
    }
    Cluster cluster = Cluster.partitioned(Cluster.counters(memory), devices.toArray(new Device[0]));
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 2; i++) {
      claim.request("g" + i, request -> request.deviceClass("any").selector("first"));
      claim.request("p" + i, request -> request.deviceClass("any").selector("last"));
      claim.constraint(
          DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "g" + i, "p" + i));
    }
    assertThat(refusals(cluster, claim.build()))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.NotTogether.class, apart -> assertThat(apart.cause()).contains("m.x"));
  }

  /** Sets of so many GPUs and a NIC on one root each, 8 in a claim. */
  private static List<ResourceClaim> sets(int claims, int gpus) {
    List<ResourceClaim> all = new ArrayList<>();
    for (int c = 0; c < claims; c++) {
      ResourceClaim.Builder claim = ResourceClaim.named("c" + c);
      for (int i = 0; i < 8; i++) {
        claim.request("g" + i, request -> request.deviceClass("gpu").count(gpus));
        claim.request("p" + i, request -> request.deviceClass("nic"));
        claim.constraint(
            DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "g" + i, "p" + i));
      }
      all.add(claim.build());
    }
    return all;
  }

  /** Roots with so many GPUs and a NIC each, but for one NIC, which is elsewhere. */
  private static Cluster roots(int roots, int gpus) {
    List<Device> all = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < roots; i++) {
      for (int gpu = 0; gpu < gpus; gpu++) {
        all.add(at("g" + i + "-" + gpu, "root" + i));
      }
      nics.add(at("p" + i, i == 0 ? "elsewhere" : "root" + i));
    }
    return Cluster.withDevices(all.toArray(new Device[0]))
        .add(ResourceSlice.onNode("nics", "nic", "n", nics));
  }

  @Test
  void asManySetsAreLookedIntoAsBoundsAre() throws Exception {
    int claims = Pruning.MAX_TARGETS / 16;
    SearchContext context =
        roots(8 * claims, 1).context(roots(8 * claims, 1).inventory(), Compatibility.REFERENCE);
    assertThat(new Diagnosis(context, sets(claims, 1)).reasons())
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.TooFewGroups.class,
            groups -> assertThat(groups.room()).isEqualTo(8 * claims - 1));
  }

  @Test
  void aSetHasRoomWhereAllItsDevicesAre() {
    // Root 1 has GPUs for one set and a half, and NICs for two.
    Cluster cluster =
        Cluster.withDevices(at("a", "1"), at("b", "1"), at("c", "1"), at("d", "2"))
            .add(ResourceSlice.onNode("nics", "nic", "n", List.of(at("p", "1"), at("q", "1"))));
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < 2; i++) {
      claim.request("g" + i, request -> request.deviceClass("gpu").count(2));
      claim.request("p" + i, request -> request.deviceClass("nic"));
      claim.constraint(
          DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "g" + i, "p" + i));
    }
    assertThat(refusals(cluster, claim.build()))
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.TooFewGroups.class, groups -> assertThat(groups.room()).isEqualTo(1));
  }
}
