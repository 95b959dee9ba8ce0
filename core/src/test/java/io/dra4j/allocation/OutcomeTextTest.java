package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.scheduling.reservation.ReservationOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What somebody sees who prints an outcome. */
class OutcomeTextTest {

  private static ResourceClaim claim(String name, int count) {
    return ResourceClaim.named(name)
        .request("gpus", request -> request.deviceClass("gpu").count(count))
        .build();
  }

  @Test
  void anAllocationIsALineForEachClaim() {
    AllocationOutcome outcome = Cluster.withDevices(3).allocate(claim("a", 2), claim("b", 1));

    assertThat(outcome)
        .hasToString(
            """
            default/a: gpus: gpu/n/d0, gpus: gpu/n/d1 (where metadata.name In [n])
            default/b: gpus: gpu/n/d2 (where metadata.name In [n])""");
  }

  @Test
  void aScoreIsItsExplanation() {
    Score score =
        new Score() {
          @Override
          public double gigabytesPerSecond() {
            return 50;
          }

          @Override
          public double upperBoundGigabytesPerSecond() {
            return 50;
          }

          @Override
          public String explanation() {
            return "one pair at 50 GB/s";
          }

          @Override
          public int compareTo(Score other) {
            return 0;
          }
        };

    assertThat(new AllocationOutcome.Allocated(List.of(), Optional.of(score)))
        .hasToString("score: one pair at 50 GB/s");
  }

  @Test
  void whatDoesNotFitSaysOnWhichNodeAndWhy() {
    AllocationOutcome outcome = Cluster.withDevices(1).allocate(claim("a", 2));

    assertThat(outcome.toString())
        .startsWith(
            "does not fit on n: claim default/a, request gpus: needs 2 devices of class gpu")
        .doesNotContain("Unallocatable[");
  }

  @Test
  void everyReasonHasALine() {
    AllocationOutcome outcome =
        Cluster.of(ResourceSlice.onNode("slice", "gpu", "n", List.of(Device.named("d").build())))
            .allocate(claim("a", 2));
    List<String> reasons = ((AllocationOutcome.Unallocatable) outcome).explanation().lines();

    assertThat(outcome.toString().lines()).hasSize(reasons.size());
  }

  @Test
  void aFaultSaysWhoseItIs() {
    AllocationOutcome outcome =
        Cluster.withDevices(1)
            .allocate(
                ResourceClaim.named("a")
                    .request("r", request -> request.deviceClass("missing"))
                    .build());

    assertThat(outcome.toString()).startsWith("rejected (MISSING_CLASS): ").contains("missing");
  }

  @Test
  void noAnswerSaysWhy() {
    Allocator allocator = Allocator.builder().selectors(new Cluster.Words()).build();
    Budget over = Budget.of(Duration.ZERO);

    assertThat(new AllocationOutcome.Undecided("the time is over"))
        .hasToString("undecided: the time is over");
    assertThat(
            allocator
                .allocate(Cluster.withDevices(1).inventory(), "n", List.of(claim("a", 1)), over)
                .toString())
        .startsWith("undecided: ");
  }

  @Test
  void aDeviceSaysWhatIsSpecialAboutIt() {
    DeviceRequestAllocationResult plain =
        DeviceRequestAllocationResult.of("nic", new DeviceId("dra.net", "n", "eth0")).build();
    DeviceRequestAllocationResult share =
        plain.toBuilder()
            .adminAccess(true)
            .shareId("one")
            .consumedCapacity(Map.of("bandwidth", Quantity.parse("10G")))
            .build();

    assertThat(plain).hasToString("nic: dra.net/n/eth0");
    assertThat(share)
        .hasToString("nic: dra.net/n/eth0 (admin access; share one; consumes {bandwidth=10G})");
    assertThat(AllocationResult.builder().build()).hasToString("no devices");
    assertThat(
            AllocationResult.builder()
                .result(plain)
                .nodeSelector(NodeSelector.ofNode("n"))
                .build()
                .toString())
        .isEqualTo("nic: dra.net/n/eth0 (where metadata.name In [n])");
  }

  @Test
  void aReservationThatIsRefusedSaysWhy() {
    assertThat(new ReservationOutcome.AlreadyHeld(new ClaimKey("default", "a")))
        .hasToString("not reserved: default/a has devices already");
    assertThat(new ReservationOutcome.Nowhere())
        .hasToString("not reserved: no node has the devices");
    assertThat(new ReservationOutcome.Refused(new AllocationOutcome.Undecided("why")))
        .hasToString("not reserved: undecided: why");
  }
}
