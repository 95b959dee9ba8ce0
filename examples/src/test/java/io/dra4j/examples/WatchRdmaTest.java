package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.rdma.RdmaReader;
import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On this machine, which may have RDMA devices or none. */
class WatchRdmaTest {

  private static List<String> devices() {
    return RdmaReader.read(Host.live()).rdmaDevices().stream().map(RdmaDevice::name).toList();
  }

  @Test
  void onlyDevicesThatAreThereHaveQueuePairs() {
    assertThat(WatchRdma.queuePairs())
        .allSatisfy(
            (device, most) -> {
              assertThat(devices()).contains(device);
              assertThat(most).isPositive();
            });
  }

  @Test
  void taintsAreThoseOfTheDriver() throws Exception {
    assertThat(WatchRdma.watch("dra.example.com", Duration.ZERO, System.err::println))
        .hasSizeLessThanOrEqualTo(3 * devices().size())
        .allMatch(taint -> taint.key().startsWith("dra.example.com/rdma-"));
  }
}
