package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.PortField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits of libibverbs, as text and as JSON. */
class RdmaReportTest {

  private static final HostInventory HOST = HostInventory.builder().build();

  private static RdmaCommand.Report report() {
    Map<DeviceField, Long> device = new EnumMap<>(DeviceField.class);
    for (DeviceField field : DeviceField.values()) {
      device.put(field, 7L);
    }
    device.put(DeviceField.MAX_MR_SIZE, -1L);
    device.put(DeviceField.VENDOR_ID, 0x2c9L);
    device.put(DeviceField.HW_VER, 0x1abL);
    RdmaLimits limits =
        new RdmaLimits(
            "mlx5_0",
            "28.39.1002",
            "",
            "",
            device,
            List.of(
                new PortLimits(1, Map.of(PortField.MAX_MSG_SZ, 1L << 30), List.of(), List.of())));
    RdmaDevice known =
        RdmaDevice.named("mlx5_0")
            .maxQueuePairs(131_072)
            .maxMemoryRegions(16_777_216)
            .ports(
                List.of(
                    RdmaPort.numbered(1).state("ACTIVE").maxMtu(4_096).activeMtu(1_024).build(),
                    RdmaPort.numbered(2).maxMtu(4_096).build()))
            .build();
    return new RdmaCommand.Report(
        known, new CharacterDevices(List.of(), List.of()), Map.of(), limits);
  }

  @Test
  void peopleReadTheHardwareAndWhatItAllows() {
    assertThat(RdmaText.of(HOST, List.of(report()), null, false))
        .endsWith(
            """

            mlx5_0
              hardware      vendor 0x02c9, part 7, version 0x1AB
              limits        131072 queue pairs, 16777216 memory regions
              port 1        ACTIVE, MTU 1024 of 4096
              port 2        largest MTU 4096
            """);
  }

  @Test
  void allLimitsAreThoseOfIbvDevinfo() {
    assertThat(RdmaText.of(HOST, List.of(report()), null, true))
        .contains(
            "    max_mr_size 0xffffffffffffffff\n",
            "    max_qp      7\n",
            "    max_msg_sz  0x40000000");
  }

  @Test
  void programsReadEachNumber() throws Exception {
    JsonNode device =
        new ObjectMapper()
            .readTree(RdmaJson.of(HOST, List.of(report()), null))
            .get("devices")
            .get(0);

    assertThat(device.get("maxQueuePairs").asLong()).isEqualTo(131_072);
    assertThat(device.get("limits").get("max_mr_size").bigIntegerValue())
        .isEqualTo("18446744073709551615");
    assertThat(device.get("limits")).hasSize(DeviceField.values().length);
    assertThat(device.get("ports").get(0).get("maxMtu").asInt()).isEqualTo(4_096);
    assertThat(device.get("ports").get(0).get("limits").get("max_msg_sz").asLong())
        .isEqualTo(1L << 30);
    assertThat(device.get("ports").get(1).get("limits").isNull()).isTrue();
  }
}
