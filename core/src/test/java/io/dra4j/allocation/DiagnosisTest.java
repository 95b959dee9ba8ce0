package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which reasons there are for a refusal, where more than one would do. */
class DiagnosisTest {

  private static List<Refusal> refusals(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation().refusals();
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
    List<Refusal> refusals = refusals(cluster, pair);
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).text())
        .contains(": those for r are on x, those for s are on y and z");
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
    List<Refusal> refusals = refusals(cluster, claim.build());
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
                        refusal instanceof Refusal.UnusablePool unusable
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
            Refusal.MissingAttribute.class,
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
    assertThat(refusals(cluster, claim)).singleElement().isInstanceOf(Refusal.TooFewDevices.class);
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
    List<Refusal> refusals = refusals(Cluster.withDevices(1), claim);
    assertThat(refusals).hasSize(3);
    assertThat(refusals.get(0)).isInstanceOf(Refusal.NoAlternative.class);
    assertThat(refusals.get(1)).isInstanceOf(Refusal.TooManyDevices.class);
    assertThat(refusals.get(2)).isInstanceOf(Refusal.TooFewDevices.class);
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
    List<Refusal> refusals = refusals(cluster, claim);
    assertThat(refusals).hasSize(2);
    assertThat(refusals.get(0)).isInstanceOf(Refusal.UnusablePool.class);
    assertThat(refusals.get(1)).isInstanceOf(Refusal.TooFewForAll.class);
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
        .isInstanceOf(Refusal.NotTogether.class);
  }
}
