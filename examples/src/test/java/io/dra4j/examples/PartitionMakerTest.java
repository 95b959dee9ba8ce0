package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartitionMakerTest {

  /** Partitions by their labels; there is room for two. */
  private final Map<String, String> made = new LinkedHashMap<>();

  private final List<Step> steps = new ArrayList<>();
  private final PartitionMaker maker = new PartitionMaker(new TwoPartitions());
  private final Journal journal = new ListJournal();

  private final class TwoPartitions implements PartitionMaker.Gpus {

    @Override
    public DeviceNode make(String label, String device) throws DriverException {
      assertThat(steps).extracting(Step::undo).contains("v1 " + label);
      if (!made.containsKey(label) && made.size() == 2) {
        throw DriverException.unavailable("no room for " + device);
      }
      made.put(label, device);
      return new DeviceNode("/dev/" + device, DeviceNode.Kind.CHARACTER, 240, 0);
    }

    @Override
    public void remove(String label) {
      made.remove(label);
    }
  }

  private final class ListJournal implements Journal {

    @Override
    public void record(List<Step> more) {
      steps.addAll(more);
    }

    @Override
    public List<Step> steps() {
      return steps;
    }

    @Override
    public void keep(int count) {
      steps.subList(count, steps.size()).clear();
    }
  }

  private static ClaimedDevices claim(String... names) {
    List<ClaimedDevice> devices = new ArrayList<>();
    for (String name : names) {
      devices.add(
          new ClaimedDevice(
              DeviceRequestAllocationResult.of(
                      "gpu", new DeviceId("gpu.example.com", "node-1", name))
                  .build(),
              Device.named(name).build(),
              devices.size(),
              List.of()));
    }
    return new ClaimedDevices(new ClaimReference("default", "training", "u1"), List.of(), devices);
  }

  @Test
  void aPartitionIsMadeOnceAndIsGoneAfterTheUndoing() throws DriverException {
    ClaimedDevices claim = claim("half-0");

    assertThat(maker.prepare(claim, journal)).isEqualTo(maker.prepare(claim, journal));
    assertThat(made).containsOnlyKeys("u1/half-0");

    journal.undo(maker::undo);
    assertThat(made).isEmpty();
    assertThat(steps).isEmpty();
  }

  @Test
  void aStepOfALaterReleaseIsRefused() {
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> maker.undo(new Step("move partition", "v2 u1/half-0 to 1")))
        .withMessageContaining("a later release stored 'v2 u1/half-0 to 1'");
  }

  @Test
  void whatWasMadeBeforeAFailureIsUndone() throws DriverException {
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> maker.prepare(claim("a", "b", "c"), journal));
    assertThat(made).hasSize(2);

    journal.undo(maker::undo);
    assertThat(made).isEmpty();
  }
}
