package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PciIdentityTest {

  @ParameterizedTest(name = "{3}")
  @CsvSource({
    "0x030200, 0x10de, GPU, an NVIDIA H100",
    "0x030000, 0x10de, GPU, an NVIDIA RTX",
    "0x120000, 0x1002, ACCELERATOR, an AMD MI300X",
    "0x038000, 0x1002, GPU, an AMD MI250",
    "0x038000, 0x8086, GPU, an Intel Max 1550",
    "0x030000, 0x1a03, DISPLAY, an ASPEED management controller",
    "0x030000, 0x102b, DISPLAY, a Matrox management controller",
    "0x030000, 0x1af4, DISPLAY, virtio VGA",
    "0x038000, 0x1af4, DISPLAY, virtio GPU",
    "0x030000, 0x1d0f, DISPLAY, the VGA of EC2",
    "0x030000, 0x1234, DISPLAY, QEMU's VGA"
  })
  void displayControllersThatOnlyDrawAreNoGpus(
      String classCode, String vendor, DeviceKind kind, String what) {
    PciIdentity identity =
        new PciIdentity(Integer.decode(classCode), Integer.decode(vendor), 1, 0, 0);

    assertThat(identity.kind()).as(what).isEqualTo(kind);
  }
}
