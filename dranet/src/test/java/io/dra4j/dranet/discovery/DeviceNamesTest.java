package io.dra4j.dranet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.topology.PciAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of devices, as the manifests in use have them. */
class DeviceNamesTest {

  @ParameterizedTest
  @CsvSource({
    "eth0, eth0",
    "my-device-1, my-device-1",
    "eth:0, net-mv2gqorq",
    "ETH0, net-ivkeqma",
    "eth_int, net-mv2gqx3jnz2a",
    "-eth, net-fvsxi2a",
    "eth-, net-mv2gqli",
    "eth0.100, net-mv2gqmbogeyda",
    "mlx5_6, net-nvwhqnk7gy",
    "'', ''",
  })
  void anInterfaceNamesItsDevice(String interfaceName, String device) {
    assertThat(DeviceNames.of(interfaceName)).isEqualTo(device);
  }

  @Test
  void aPciAddressNamesItsDevice() {
    assertThat(DeviceNames.of(PciAddress.parse("0000:8a:00.0"))).isEqualTo("pci-0000-8a-00-0");
  }

  @Test
  void theLongestInterfaceNameFitsALabel() {
    assertThat(DeviceNames.of("EEEEEEEEEEEEEEE")).hasSize(4 + 24);
  }
}
