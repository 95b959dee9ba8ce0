package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.request.AttributeTables;
import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which requests a constraint is about, and which values their devices have for it. */
class ConstraintTest {

  private static final ResourceClaim CLAIM =
      ResourceClaim.named("c")
          .request("a", request -> request.deviceClass("any"))
          .request("b", request -> request.deviceClass("any"))
          .request(
              DeviceRequest.firstAvailable(
                  "or",
                  List.of(
                      new DeviceSubRequest("x", ExactDeviceRequest.ofClass("any").build()),
                      new DeviceSubRequest("y", ExactDeviceRequest.ofClass("any").build()))))
          .build();

  private static List<String> requestsOf(String... named) throws Exception {
    Bench bench = Bench.of(Cluster.withDevices(1), CLAIM);
    DeviceConstraint constraint = DeviceConstraint.matchAttribute("gpu/m", named);
    Constraint about =
        new Constraint(new AttributeTables(bench.context(), new SearchCache(1_000)), constraint, 0);
    return List.of("a", "b", "or/x", "or/y").stream()
        .filter(request -> about.appliesTo(bench.target(request)))
        .toList();
  }

  @Test
  void isAboutTheRequestsAndAlternativesItNamesOrAll() throws Exception {
    assertThat(requestsOf()).containsExactly("a", "b", "or/x", "or/y");
    assertThat(requestsOf("b")).containsExactly("b");
    assertThat(requestsOf("or")).containsExactly("or/x", "or/y");
    assertThat(requestsOf("or/y", "a")).containsExactly("a", "or/y");
    assertThat(requestsOf("x", "other")).isEmpty();
  }

  @Test
  void mayNameAnyNumberOfThem() throws Exception {
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add("other" + i);
    }
    assertThat(requestsOf(many.toArray(new String[0]))).isEmpty();
    many.addAll(List.of("or/y", "a"));
    assertThat(requestsOf(many.toArray(new String[0]))).containsExactly("a", "or/y");
  }

  @Test
  void aDerivedAttributeIsThatOfItsRequestOnly() throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("plain", request -> request.deviceClass("any"))
            .request(
                "derives",
                request ->
                    request
                        .deviceClass("any")
                        .derivedAttribute("gpu/m", "first")
                        .derivedAttribute("gpu/other", "broken")
                        .derivedAttribute("gpu/m", "second"))
            .request(
                "fails", request -> request.deviceClass("any").derivedAttribute("gpu/m", "none"))
            .request(
                "broken", request -> request.deviceClass("any").derivedAttribute("gpu/m", "broken"))
            .build();
    Device device =
        Device.named("d").attribute("m", 1).attribute("first", 2).attribute("second", 3).build();
    Bench bench = Bench.of(Cluster.withDevices(device), claim);
    DeviceConstraint constraint = DeviceConstraint.matchAttribute("gpu/m");
    Constraint about =
        new Constraint(new AttributeTables(bench.context(), new SearchCache(1_000)), constraint, 0);
    assertThat(textOf(about, bench, "plain")).isEqualTo("1");
    assertThat(textOf(about, bench, "derives")).isEqualTo("3"); // the last one of a name
    assertThatThrownBy(() -> textOf(about, bench, "fails"))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> {
              assertThat(e.isOfOneDevice()).isTrue();
              assertThat(e.reason()).isEqualTo(RejectionReason.EXPRESSION);
            })
        .hasMessage(
            "claim default/c, request fails: derived attribute gpu/m on device gpu/n/d: CEL runtime"
                + " error: no such key: none");
    assertThatThrownBy(() -> textOf(about, bench, "broken"))
        .isInstanceOfSatisfying(
            RejectedException.class, e -> assertThat(e.isOfOneDevice()).isFalse())
        .hasMessage(
            "claim default/c, request broken: derived attribute gpu/m: CEL compile error: syntax"
                + " error");
  }

  private static String textOf(Constraint constraint, Bench bench, String request)
      throws Exception {
    AttributeValueIds values = constraint.valuesOf(bench.target(request), bench.device("d"));
    assertThat(values).isNotNull();
    return bench.context().values().textOf(values.ids().findFirst().orElseThrow());
  }
}
