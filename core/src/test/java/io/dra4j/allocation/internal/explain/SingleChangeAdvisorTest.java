package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which changes are proposed where no reason led to one that helps. */
class SingleChangeAdvisorTest {

  private static List<String> texts(List<Suggestion> suggestions, String begin) {
    return suggestions.stream().map(Suggestion::text).filter(one -> one.startsWith(begin)).toList();
  }

  private static ExactDeviceRequest any(long count) {
    return ExactDeviceRequest.ofClass("any").count(count).build();
  }

  @Test
  void eachThingIsChangedAlone() {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("d0")
                    .taint(DeviceTaint.of("k", "v", TaintEffect.NO_SCHEDULE))
                    .taint(DeviceTaint.of("info", "v", TaintEffect.NONE))
                    .build(),
                Device.named("d1").build(),
                Device.named("d2").build())
            .add(Cluster.holding("a", "d1"), Cluster.holding("b", "d2"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(DeviceRequest.exactly("r", any(3)))
            .request(
                DeviceRequest.firstAvailable(
                    "s",
                    List.of(new DeviceSubRequest("t", any(1)), new DeviceSubRequest("u", any(2)))))
            .constraint(DeviceConstraint.matchAttribute("gpu/r"))
            .build();
    AdvisorRun problem = cluster.problem(List.of(), claim);

    List<Suggestion> changes = new SingleChangeAdvisor().propose(problem);

    assertThat(changes)
        .extracting(Suggestion::text)
        .containsExactly(
            "leave out matchAttribute gpu/r of all requests",
            "tolerate k=v:NoSchedule in request r",
            "tolerate k=v:NoSchedule in request s/t",
            "tolerate k=v:NoSchedule in request s/u",
            "release the devices of claim default/a",
            "release the devices of claim default/b",
            "ask for 2 instead of 3 devices in request r",
            "ask for 1 instead of 2 devices in request s/u");
    assertThat(changes.get(0).claims().get(0).spec().constraints()).isEmpty();
    assertThat(request(changes.get(1)).tolerations()).hasSize(1);
    assertThat(changes.get(4).inventory().isAllocated(ClaimKey.of(claim))).isFalse();
    assertThat(request(changes.get(6)).count()).isEqualTo(2);

    problem.recordSuccess();
    assertThat(new SingleChangeAdvisor().propose(problem)).isEmpty();
  }

  private static ExactDeviceRequest request(Suggestion change) {
    return Objects.requireNonNull(change.claims().get(0).spec().requests().get(0).exactly());
  }

  @Test
  void ofVeryManyThingsTheFirstOfAKindAreChanged() {
    Device[] devices = new Device[70];
    ResourceClaim[] holders = new ResourceClaim[70];
    for (int i = 0; i < devices.length; i++) {
      devices[i] =
          Device.named("d" + i).taint(DeviceTaint.of("k" + i, "v", TaintEffect.NO_EXECUTE)).build();
      holders[i] = Cluster.holding("h" + i, "d" + i);
    }
    List<ResourceClaim> claims = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      ResourceClaim.Builder claim = ResourceClaim.named("c" + i);
      for (int j = 0; j < 10; j++) {
        claim.request(DeviceRequest.exactly("r" + j, any(2)));
        claim.constraint(DeviceConstraint.matchAttribute("gpu/r" + j));
      }
      claims.add(claim.build());
    }
    List<Suggestion> changes =
        new SingleChangeAdvisor()
            .propose(
                Cluster.withDevices(devices)
                    .add(holders)
                    .problem(List.of(), claims.toArray(new ResourceClaim[0])));
    for (String kind : List.of("leave out", "tolerate", "release", "ask for")) {
      assertThat(texts(changes, kind)).as(kind).hasSize(64);
    }
  }

  @Test
  void nobodyIsAdvisedToTakeAwayWhatTheClaimsHaveThemselves() {
    Cluster cluster =
        Cluster.withDevices(2).add(Cluster.holding("a", "d0"), Cluster.holding("b", "d1"));
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();
    ResourceClaim stale =
        ResourceClaim.named("a").request(DeviceRequest.exactly("r", any(1))).build();
    Explanation why = allocator.explain(cluster.inventory(), "n", List.of(stale)).orElseThrow();
    assertThat(why.summary()).contains("is already allocated in the inventory");
    assertThat(why.suggestions()).isEmpty();
    assertThat(texts(new SingleChangeAdvisor().propose(cluster.problem(List.of(), stale)), "rel"))
        .containsExactly("release the devices of claim default/b");
    ResourceClaim anew =
        stale.toBuilder().metadata(stale.metadata().toBuilder().uid("new").build()).build();
    ResourceClaim old = Cluster.holding("a", "d0", "d1");
    DeviceInventory held =
        Cluster.withDevices(2)
            .add(old.toBuilder().metadata(old.metadata().toBuilder().uid("old").build()).build())
            .inventory();
    assertThat(allocator.explain(held, "n", List.of(anew)).orElseThrow().suggestions())
        .extracting(Suggestion::text)
        .containsExactly("release the devices of claim default/a");
  }
}
