package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RdmaRemarksTest {

  private static RdmaDevice device(String guid, String state, String physical, String layer) {
    return RdmaDevice.named("mlx5_0")
        .nodeGuid(guid)
        .ports(
            List.of(
                RdmaPort.numbered(1).state(state).physicalState(physical).linkLayer(layer).build()))
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "INIT, LinkUp, InfiniBand, port 1 is INIT: no subnet manager has activated the port",
    "INIT, LinkUp, Ethernet, port 1 is INIT: its network interface is not up",
    "ARMED, LinkUp, InfiniBand, port 1 is ARMED: the subnet manager has not finished with the port",
    "DOWN, Disabled, Ethernet, port 1 is DOWN: the port is disabled"
  })
  void aPortThatIsNotActiveHasItsReason(
      String state, String physical, String layer, String remark) {
    assertThat(RdmaRemarks.of(device("0200:0000:0000:0b00", state, physical, layer)))
        .containsExactly(remark);
  }

  @Test
  void aPortWithoutAPartnerPolls() {
    assertThat(RdmaRemarks.of(device("0200:0000:0000:0b00", "DOWN", "Polling", "InfiniBand")))
        .containsExactly(
            "port 1 is DOWN: no link partner answers (cable, switch, or the other port)");
  }

  @ParameterizedTest
  @CsvSource({"0000:0000:0000:0000", "0", "00:00:00:00:00:00:00:00"})
  void aNodeGuidOfZeroIsRemarked(String guid) {
    assertThat(RdmaRemarks.of(device(guid, "ACTIVE", "LinkUp", "Ethernet")))
        .singleElement()
        .asString()
        .startsWith("the node GUID is zero: connections through rdma_cm fail until one is set");
  }

  @ParameterizedTest
  @CsvSource({"0200:0000:0000:0000", "''", "0000:0000:0000:0001"})
  void aDeviceThatWorksHasNone(String guid) {
    assertThat(RdmaRemarks.of(device(guid, "ACTIVE", "LinkUp", "InfiniBand"))).isEmpty();
  }
}
