package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.rdma.verbs.DeviceField;
import io.dra4j.rdma.verbs.PortField;
import io.dra4j.rdma.verbs.PortLimits;
import io.dra4j.rdma.verbs.RdmaLimits;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsReaderTest {

  private static final RdmaDevice DEVICE =
      RdmaDevice.named("mlx5_0")
          .ports(
              List.of(
                  RdmaPort.numbered(1).activeMtu(1_024).build(),
                  RdmaPort.numbered(2).activeMtu(1_024).build()))
          .build();

  private static RdmaLimits limits(String device) {
    return new RdmaLimits(
        device,
        "",
        "",
        "",
        Map.of(DeviceField.MAX_QP, 131_072L, DeviceField.MAX_MR, 16_777_216L),
        List.of(
            new PortLimits(
                1, Map.of(PortField.MAX_MTU, 5L, PortField.ACTIVE_MTU, 4L), List.of(), List.of())));
  }

  @Test
  void isFoundByServiceLoader() {
    getClass().getModule().addUses(TopologyReader.class); // spi does, where users look
    assertThat(ServiceLoader.load(TopologyReader.class))
        .anyMatch(reader -> reader instanceof VerbsReader);
  }

  @Test
  void limitsGoToTheirDevice() {
    HostInventory.Builder inventory = HostInventory.builder().rdmaDevice(DEVICE);

    VerbsReader.add(List.of(limits("mlx5_0")), inventory);

    assertThat(inventory.rdmaDevices())
        .containsExactly(
            RdmaDevice.named("mlx5_0")
                .maxQueuePairs(131_072)
                .maxMemoryRegions(16_777_216)
                .ports(
                    List.of(
                        RdmaPort.numbered(1).maxMtu(4_096).activeMtu(2_048).build(),
                        RdmaPort.numbered(2).activeMtu(1_024).build()))
                .build());
  }

  @Test
  void devicesOfOthersStayAsTheyAre() {
    HostInventory.Builder inventory = HostInventory.builder().rdmaDevice(DEVICE);

    VerbsReader.add(List.of(limits("mlx5_1")), inventory);

    assertThat(inventory.rdmaDevices()).containsExactly(DEVICE);
  }

  @Test
  void aCapturedHostIsNotAskedFor(@TempDir Path root) {
    HostInventory.Builder inventory = HostInventory.builder().rdmaDevice(DEVICE);

    new VerbsReader().read(Host.captured(root), inventory);

    assertThat(inventory.build().rdmaDevices()).containsExactly(DEVICE);
  }
}
