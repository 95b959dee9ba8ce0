package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which parts claims have, and what is left of them without some. */
class ClaimRelaxationTest {

  private static final ClaimKey C = new ClaimKey("default", "c");
  private static final ClaimKey D = new ClaimKey("default", "d");

  private static final DeviceConstraint ALL = DeviceConstraint.matchAttribute("gpu/a");
  private static final DeviceConstraint SOME =
      DeviceConstraint.distinctAttribute("gpu/b", "exact", "either/one");

  private static DeviceRequest either() {
    return DeviceRequest.firstAvailable(
        "either",
        List.of(
            new DeviceSubRequest("one", ExactDeviceRequest.ofClass("any").selector("x").build()),
            new DeviceSubRequest("two", ExactDeviceRequest.ofClass("any").count(2).build())));
  }

  private static ResourceClaim c() {
    return ResourceClaim.named("c")
        .request("exact", request -> request.deviceClass("gpu").selector("first").selector("last"))
        .request("all", request -> request.deviceClass("gpu").all().selector("of all"))
        .request(either())
        .constraint(ALL)
        .constraint(SOME)
        .build();
  }

  private static ResourceClaim d() {
    ExactDeviceRequest empty =
        ExactDeviceRequest.ofClass("nic").selectors(List.of(new DeviceSelector(null))).build();
    return ResourceClaim.named("d").request(DeviceRequest.exactly("r", empty)).build();
  }

  private static ExactDeviceRequest exactly(ResourceClaim claim, int request) {
    ExactDeviceRequest exactly = claim.spec().requests().get(request).exactly();
    assertThat(exactly).isNotNull();
    return exactly;
  }

  @Test
  void partsAreConstraintsThenSelectorsThenRequestsTheLastFirst() {
    assertThat(ClaimRelaxation.requirementsOf(List.of(c(), d())))
        .containsExactly(
            new Requirement.Constraint(C, 1, SOME),
            new Requirement.Constraint(C, 0, ALL),
            new Requirement.Selector(D, "r", 0, ""),
            new Requirement.Selector(C, "exact", 1, "last"),
            new Requirement.Selector(C, "exact", 0, "first"),
            new Requirement.Request(D, "r"),
            new Requirement.Request(C, "either"),
            new Requirement.Request(C, "all"),
            new Requirement.Request(C, "exact"));
  }

  @Test
  void selectorsOfOneRequestAreLeftOutOneByOne() {
    List<ResourceClaim> rest =
        ClaimRelaxation.without(
            List.of(c(), d()),
            Set.of(
                new Requirement.Selector(C, "exact", 0, "first"),
                new Requirement.Selector(D, "r", 0, "")));
    assertThat(exactly(rest.get(0), 0).selectors()).containsExactly(new DeviceSelector("last"));
    assertThat(exactly(rest.get(0), 1)).isEqualTo(exactly(c(), 1));
    assertThat(rest.get(0).spec().requests().get(2)).isEqualTo(either());
    assertThat(rest.get(0).spec().constraints()).containsExactly(ALL, SOME);
    assertThat(exactly(rest.get(1), 0).selectors()).isEmpty();
    assertThat(ClaimRelaxation.without(List.of(c(), d()), Set.of())).containsExactly(c(), d());
  }

  @Test
  void aConstraintIsAboutTheRequestsThatAreLeftUntilThereIsNone() {
    Requirement exact = new Requirement.Request(C, "exact");
    Requirement either = new Requirement.Request(C, "either");
    assertThat(constraintsWithout(exact))
        .containsExactly(ALL, DeviceConstraint.distinctAttribute("gpu/b", "either/one"));
    assertThat(constraintsWithout(either))
        .containsExactly(ALL, DeviceConstraint.distinctAttribute("gpu/b", "exact"));
    assertThat(constraintsWithout(exact, either)).containsExactly(ALL);
    assertThat(constraintsWithout(new Requirement.Constraint(C, 0, ALL))).containsExactly(SOME);
  }

  private static List<DeviceConstraint> constraintsWithout(Requirement... parts) {
    return ClaimRelaxation.without(List.of(c()), Set.of(parts)).get(0).spec().constraints();
  }

  @Test
  void aClaimWithoutRequestsIsLeftOut() {
    assertThat(ClaimRelaxation.without(List.of(c(), d()), Set.of(new Requirement.Request(D, "r"))))
        .containsExactly(c());
  }

  @Test
  void oneRequestOrAlternativeIsChanged() {
    List<ResourceClaim> claims = List.of(c(), d());
    List<ResourceClaim> other =
        ClaimRelaxation.changeRequest(
            claims,
            new Requirement.Request(C, "exact"),
            request -> request.toBuilder().count(7).build());
    assertThat(other).hasSize(2);
    assertThat(exactly(other.get(0), 0).count()).isEqualTo(7);
    assertThat(exactly(other.get(0), 1)).isEqualTo(exactly(c(), 1));
    assertThat(other.get(1)).isEqualTo(d());
    List<ResourceClaim> alternative =
        ClaimRelaxation.changeRequest(
            claims,
            new Requirement.Request(C, "either/two"),
            request -> request.toBuilder().count(7).build());
    assertThat(
            alternative.get(0).spec().requests().get(2).firstAvailable().stream()
                .map(sub -> sub.request().count()))
        .containsExactly(1L, 7L);
    assertThat(ClaimRelaxation.requested(alternative, new Requirement.Request(C, "either/two")))
        .isEqualTo(ExactDeviceRequest.ofClass("any").count(7).build());
  }
}
