package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.dranet.attach.RdmaDeviceException;
import io.dra4j.spi.DriverException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkDaemonTest {

  @Test
  void databaseOfDranetIsRefusedWithWhatToDo(@TempDir Path directory) throws Exception {
    ByteBuffer page = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    page.putInt(16, 0xED0CDAED); // of bbolt, whose pages begin with a header of 16 bytes
    Path database = Files.write(directory.resolve("dranet.db"), page.array());

    Cli cli = Cli.run("driver", "run", "--db-path", database.toString());

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: "
                + database
                + " is the database of DraNet: drain the node, remove DraNet and the file, and start"
                + " again");
    assertThat(Files.readAllBytes(database)).isEqualTo(page.array());
  }

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
