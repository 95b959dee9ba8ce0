package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which parts of claims play the same role. */
class EquivalentRequirementsTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";

  private static ResourceClaim three(String name) {
    return ResourceClaim.named(name)
        .request("a", r -> r.deviceClass("any"))
        .request("b", r -> r.deviceClass("any"))
        .request("c", r -> r.deviceClass("any"))
        .build();
  }

  private static EquivalentRequirements.@Nullable Role role(
      EquivalentRequirements alike, ResourceClaim claim, String request) {
    return alike.role(new Requirement.Request(ClaimKey.of(claim), request));
  }

  private static ResourceClaim two(String name, boolean admin) {
    return ResourceClaim.named(name)
        .request("a", r -> r.deviceClass("any").selector("x"))
        .request("b", r -> (admin ? r.adminAccess() : r).deviceClass("any"))
        .constraint(DeviceConstraint.matchAttribute(ROOT))
        .build();
  }

  @Test
  void partsOfClaimsThatAskForTheSameAreAlikeUntilOneIsLeftOut() {
    ResourceClaim a = two("a", false);
    ResourceClaim b = two("b", false);
    ResourceClaim c = three("c");
    EquivalentRequirements alike = new EquivalentRequirements(List.of(a, b, c));
    assertThat(role(alike, a, "a")).isNotNull().isEqualTo(role(alike, b, "a"));
    assertThat(role(alike, a, "a")).isNotEqualTo(role(alike, a, "b"));
    assertThat(role(alike, a, "a")).isNotEqualTo(role(alike, c, "a"));
    assertThat(role(alike, three("unknown"), "a")).isNull();
    for (Requirement part :
        List.of(
            new Requirement.Selector(ClaimKey.of(b), "a", 0, "x"),
            new Requirement.Constraint(ClaimKey.of(b), 0, b.spec().constraints().get(0)),
            new Requirement.Request(ClaimKey.of(b), "b"))) {
      EquivalentRequirements fresh = new EquivalentRequirements(List.of(a, b));
      EquivalentRequirements.@Nullable Role before = fresh.role(part);
      assertThat(before).as("%s", part).isNotNull();
      fresh.leaveOut(part);
      assertThat(role(fresh, b, "a")).as("%s", part).isNotEqualTo(role(fresh, a, "a"));
      assertThat(fresh.role(part)).as("%s", part).isNotEqualTo(before);
    }
  }

  @Test
  void claimsWithTheSameAlternativesAreAlike() {
    List<ResourceClaim> claims = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      claims.add(
          ResourceClaim.named(name)
              .request(
                  DeviceRequest.firstAvailable(
                      "a",
                      List.of(
                          new DeviceSubRequest("x", ExactDeviceRequest.ofClass("gpu").build()),
                          new DeviceSubRequest("y", ExactDeviceRequest.ofClass("nic").build()))))
              .build());
    }
    EquivalentRequirements alike = new EquivalentRequirements(claims);
    assertThat(role(alike, claims.get(0), "a"))
        .isNotNull()
        .isEqualTo(role(alike, claims.get(1), "a"));
  }

  @Test
  void whereTheOrderOfClaimsMattersNoneIsLikeAnother() {
    ResourceClaim all =
        ResourceClaim.named("all").request("a", r -> r.deviceClass("any").all()).build();
    ResourceClaim alternative =
        ResourceClaim.named("alternative")
            .request(
                DeviceRequest.firstAvailable(
                    "a",
                    List.of(
                        new DeviceSubRequest("one", ExactDeviceRequest.ofClass("any").build()),
                        new DeviceSubRequest(
                            "all", ExactDeviceRequest.ofClass("any").all().build()))))
            .build();
    for (ResourceClaim claim : List.of(two("admin", true), all, alternative)) {
      ResourceClaim plain = two("plain", false);
      EquivalentRequirements alike = new EquivalentRequirements(List.of(plain, claim));
      assertThat(role(alike, plain, "a")).isNull();
      assertThat(role(alike, claim, "a")).isNull();
      alike.leaveOut(new Requirement.Request(ClaimKey.of(claim), "a"));
      assertThat(role(alike, claim, "a")).isNull();
    }
  }
}
