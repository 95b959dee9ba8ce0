package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.RdmaDeviceException;
import io.dra4j.spi.DriverException;
import org.junit.jupiter.api.Test;

class NetworkDaemonTest {

  @Test
  void eventsHaveTheReasonsOfDranet() {
    DriverException link = DriverException.failed("move the link", null);
    DriverException rdma = new RdmaDeviceException(link).forDevice("nic0");

    assertThat(NetworkDaemon.attachFailedReason(link)).isEqualTo("NetworkDeviceAttachFailed");
    assertThat(NetworkDaemon.attachFailedReason(new IllegalStateException(link)))
        .isEqualTo("NetworkDeviceAttachFailed");
    assertThat(NetworkDaemon.attachFailedReason(rdma)).isEqualTo("RDMADeviceAttachFailed");
    assertThat(NetworkDaemon.attachFailedReason(new IllegalStateException(rdma)))
        .isEqualTo("RDMADeviceAttachFailed");
    assertThat(rdma).hasMessage("device nic0: move the link");
  }
}
