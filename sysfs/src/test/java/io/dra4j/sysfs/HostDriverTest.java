package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import io.dra4j.model.Quantity;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What RDMA devices add to the NICs that are published. */
class HostDriverTest {

  private static final PciAddress ADDRESS = PciAddress.parse("0000:8f:00.0");

  private static Device nic(RdmaDevice.Builder rdma, double... gigabitsPerSecond) {
    List<RdmaPort> ports = new ArrayList<>();
    for (double rate : gigabitsPerSecond) {
      ports.add(
          RdmaPort.numbered(ports.size() + 1).state("ACTIVE").gigabitsPerSecond(rate).build());
    }
    HostInventory host =
        HostInventory.builder()
            .pciFunction(
                PciFunction.at(ADDRESS)
                    .identity(new PciIdentity(0x020000, 0x15b3, 0x1021, 0, 0))
                    .names(List.of("mlx5_0"))
                    .build())
            .rdmaDevice(rdma.ports(ports).address(ADDRESS).build())
            .build();
    return HostDriver.create().discover(host).get(0);
  }

  private static Quantity capacity(Device device, String name) {
    return Objects.requireNonNull(device.capacity().get(name)).value();
  }

  @Test
  void queuePairsAndMemoryRegionsAreCapacities() {
    Device nic = nic(RdmaDevice.named("mlx5_0").maxQueuePairs(131_072).maxMemoryRegions(7));

    assertThat(capacity(nic, HostDriver.RDMA_QUEUE_PAIRS)).isEqualTo(Quantity.parse("131072"));
    assertThat(capacity(nic, HostDriver.RDMA_MEMORY_REGIONS)).isEqualTo(Quantity.parse("7"));
  }

  @Test
  void whatIsNotKnownIsNoCapacity() {
    assertThat(nic(RdmaDevice.named("mlx5_0").maxQueuePairs(0).maxMemoryRegions(-1)).capacity())
        .isEmpty();
  }

  @Test
  void theBandwidthOfPortsAddsUp() {
    assertThat(capacity(nic(RdmaDevice.named("mlx5_0"), 100, 2.5), HostDriver.RDMA_BANDWIDTH))
        .isEqualTo(Quantity.parse("102500M"));
  }

  @Test
  void aSmallBandwidthIsNotLost() {
    assertThat(capacity(nic(RdmaDevice.named("mlx5_0"), 0.0001), HostDriver.RDMA_BANDWIDTH))
        .isEqualTo(Quantity.parse("100k"));
  }

  @Test
  void ratesThatNoHardwareHasDoNotOverflow() {
    assertThat(capacity(nic(RdmaDevice.named("mlx5_0"), 1e10, 1e10), HostDriver.RDMA_BANDWIDTH))
        .isEqualTo(Quantity.parse("9223372036854775807"));
  }
}
