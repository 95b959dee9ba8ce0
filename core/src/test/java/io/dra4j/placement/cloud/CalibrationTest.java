package io.dra4j.placement.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.placement.cloud.Calibration.Order;
import io.dra4j.placement.cloud.Calibration.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What NCCL's constants say of published measurements: exactly what is claimed, and no more. */
class CalibrationTest {

  private static final Calibration NCCL = Calibration.of(LinkModel.nccl());

  private static Row row(String id) {
    return NCCL.rows().stream().filter(row -> row.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void theFasterOfTwoMeasurementsIsPredictedToBeTheFaster() {
    assertThat(NCCL.orders()).hasSize(5).allMatch(Order::holds);
    assertThat(NCCL.orders())
        .allSatisfy(
            order -> {
              boolean time = order.faster().unit().equals("ms");
              assertThat(order.faster().measured() > order.slower().measured()).isNotEqualTo(time);
            });
  }

  @Test
  void alignedBandwidthIsPredictedWithinTenPercentAndAWholeServersWithinFifteen() {
    List<Row> claimed = NCCL.rows().stream().filter(row -> row.tolerance().isPresent()).toList();
    assertThat(claimed).hasSize(7);
    assertThat(claimed)
        .allSatisfy(
            row ->
                assertThat(Math.abs(row.error()))
                    .as(row.id())
                    .isLessThanOrEqualTo(row.tolerance().getAsDouble()));
    assertThat(row("all-gather-aligned").low()).isEqualTo(48);
    assertThat(row("all-gather-aligned").error()).isCloseTo(0.030, within(0.001));
    assertThat(row("all-reduce-aligned").error()).isCloseTo(0.023, within(0.001));
    assertThat(row("h200-in-place").low()).isCloseTo(370.8, within(0.001));
    assertThat(row("h200-in-place").error()).isCloseTo(0.115, within(0.001));
  }

  @Test
  void theGainOfAlignmentIsWithinWhatTheModelLeavesOpen() {
    assertThat(NCCL.ratios()).hasSize(4).allMatch(Calibration.Ratio::holds);
    Calibration.Ratio allGather = NCCL.ratios().get(0);
    assertThat(allGather.measured()).isCloseTo(1.596, within(0.001));
    assertThat(allGather.low()).isCloseTo(1.20, within(0.001));
    assertThat(allGather.high()).isCloseTo(2.18, within(0.01));
    assertThat(NCCL.ratios().get(1).measured()).isCloseTo(1.581, within(0.001));
    assertThat(NCCL.ratios().get(2).low()).isCloseTo(15.04, within(0.01));
  }

  @Test
  void aTrainingStepSavesNoMoreThanItsCommunication() {
    assertThat(NCCL.training().saved()).isCloseTo(5.455, within(0.001));
    assertThat(NCCL.training().atMost()).isBetween(15.0, 20.0);
    assertThat(NCCL.training().holds()).isTrue();
  }

  @Test
  void nothingIsClaimedOfWhatAProfileWasFittedOn() {
    assertThat(NCCL.rows())
        .filteredOn(Row::fitted)
        .extracting(Row::id)
        .containsExactly("all-gather-unaligned");
    assertThat(NCCL.rows()).filteredOn(Row::fitted).allMatch(row -> row.tolerance().isEmpty());
    assertThat(NCCL.holdOut().fittedOn()).isEqualTo("all-gather-unaligned");
    assertThat(NCCL.holdOut().row()).isEqualTo("all-reduce-unaligned");
    assertThat(NCCL.holdOut().predicted()).isCloseTo(29.2, within(0.001));
    assertThat(NCCL.holdOut().holds()).isTrue();
  }

  @Test
  void aWorseModelMissesWhatIsClaimed() throws LinkModelException {
    Calibration slow =
        Calibration.of(
            LinkModel.parse(
                "test", "{\"name\": \"slow\", \"classes\": {\"SWITCH\": {\"efficiency\": 0.5}}}"));
    assertThat(slow.rows())
        .filteredOn(row -> row.tolerance().isPresent())
        .anyMatch(row -> Math.abs(row.error()) > row.tolerance().getAsDouble());
    assertThat(slow.ratios()).anyMatch(ratio -> !ratio.holds());
  }

  @Test
  void thePageInTheDocumentationIsWhatTheModelSays() throws IOException {
    assertThat(Path.of("../docs/calibration.md"))
        .content()
        .as("printed by benchmarks/calibration")
        .isEqualTo(NCCL.page());
    assertThat(Files.size(Path.of("../docs/calibration.md"))).isGreaterThan(1_000);
  }

  @Test
  void machinesOfCloudsHaveARailForEachNicOfTheirGpus() {
    assertThat(CloudMachines.all())
        .extracting(CloudMachine::machineType)
        .containsExactly("a3-edgegpu-8g", "a3-highgpu-8g", "a3-ultragpu-8g", "a4-highgpu-8g");
    assertThat(CloudMachines.all())
        .allSatisfy(
            machine -> {
              assertThat(machine.networks().stream().filter(n -> n.purpose().equals("gpu")))
                  .singleElement()
                  .satisfies(
                      network -> {
                        assertThat(network.nics()).isEqualTo(machine.gpuNics());
                        assertThat(network.subnets()).isEqualTo(machine.gpuNics());
                      });
              assertThat(machine.sources()).isNotEmpty();
            });
    assertThat(CloudMachines.find("a4-highgpu-8g").orElseThrow().tier())
        .isEqualTo(NetworkTier.RDMA);
    assertThat(CloudMachines.find("n2-standard-4")).isEmpty();
    assertThat(NetworkTier.RDMA.isFasterThan(NetworkTier.TCPX)).isTrue();
    assertThat(NetworkTier.HOST_MEMORY.isFasterThan(NetworkTier.TCPX)).isFalse();
  }
}
