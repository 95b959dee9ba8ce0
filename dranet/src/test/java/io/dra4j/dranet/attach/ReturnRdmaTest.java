package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.rdma.RdmaDevice;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The identification of an RDMA device that returns. */
class ReturnRdmaTest {

  /** Devices are written NAME:GUID. */
  @ParameterizedTest
  @CsvSource({
    "mlx5_0, 7, mlx5_1:8 mlx5_0:7, mlx5_0",
    "mlx5_0, 7, renamed:7 mlx5_1:8, renamed",
    "mlx5_0, 7, mlx5_0:8 renamed:7, renamed", // another one has the name
    "mlx5_0, 7, port1:7 port2:7, ''", // two of one GUID, and neither has the name
    "mlx5_0, 7, port1:7 mlx5_0:7, mlx5_0",
    "mlx5_0, 0, mlx5_1:0 mlx5_0:0, mlx5_0", // virtual functions without a GUID
    "mlx5_0, 0, renamed:0, ''",
    "mlx5_0, 7, mlx5_1:8, ''"
  })
  void itsGuidIdentifiesADeviceAndItsNameWhereThatIsNotEnough(
      String name, long guid, String devices, String expected) {
    List<RdmaDevice> all = List.of(devices.split(" ")).stream().map(ReturnRdmaTest::of).toList();

    assertThat(new Undo.ReturnRdma(name, guid).find(all).map(RdmaDevice::name).orElse(""))
        .isEqualTo(expected);
  }

  private static RdmaDevice of(String text) {
    String[] parts = text.split(":", 2);
    return new RdmaDevice(0, parts[0], 1, 1, Long.parseLong(parts[1]), 0, 0, "", "roce");
  }
}
