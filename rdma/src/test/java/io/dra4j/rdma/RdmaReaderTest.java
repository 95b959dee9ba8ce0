package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReader;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaReaderTest {

  private static final String MLX5 = "sys/devices/pci0000:8c/0000:8f:00.0/infiniband/mlx5_0/";
  private static final String ETH0 = "sys/devices/pci0000:8c/0000:8f:00.0/net/eth0/";

  private static HostInventory read(CapturedHost host) throws IOException {
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/host");
      host.expandTo(root);
      return RdmaReader.read(Host.captured(root));
    }
  }

  private static SyntheticHost nic() {
    SyntheticHost host = new SyntheticHost("nic");
    host.root("pci0000:8c", 0)
        .function("0000:8f:00.0", 0x020000, 0x15b3, 0x1021)
        .driver("mlx5_core")
        .ethernet("eth0", 400_000)
        .rdma("mlx5_0", "Ethernet", "400 Gb/sec (4X NDR)");
    return host;
  }

  private static RdmaDevice only(HostInventory host) {
    assertThat(host.rdmaDevices()).hasSize(1);
    return host.rdmaDevices().get(0);
  }

  @Test
  void isFoundByServiceLoader() {
    getClass().getModule().addUses(TopologyReader.class); // spi does, where users look
    assertThat(ServiceLoader.load(TopologyReader.class))
        .anyMatch(reader -> reader instanceof RdmaReader);
  }

  /** Most hosts have no RDMA device, and kernels that know no RDMA are worth no warning. */
  @Test
  void thisHostIsRead() {
    HostInventory.Builder inventory = HostInventory.builder();
    new RdmaReader().read(Host.live(), inventory);
    HostInventory host = inventory.build();

    assertThat(host.warnings()).allMatch(warning -> !host.rdmaDevices().isEmpty());
  }

  @Test
  void readsSysfsItselfWhereNobodyHas(@CapturedHostTree("rdma") Path root) {
    HostInventory.Builder inventory = HostInventory.builder();
    new RdmaReader().read(Host.captured(root), inventory);

    assertThat(inventory.build().rdmaDevices()).hasSize(3);
  }

  @Test
  void hardwareHasTheDriverOfItsFunction() throws IOException {
    HostInventory host = read(nic().build());

    assertThat(only(host).driver()).isEqualTo("mlx5_core");
    assertThat(only(host).protocol()).isEqualTo("roce");
    assertThat(only(host).ports().get(0).netdev()).isEqualTo("eth0");
    assertThat(host.warnings()).isEmpty();
  }

  /** What the kernel tells by netlink follows from types and link layers. */
  @ParameterizedTest
  @CsvSource({
    "1: CA, InfiniBand, ib",
    "1: CA, Ethernet, roce",
    "4: RNIC, Ethernet, iw",
    "6: usNIC UDP, Ethernet, usnic",
    "2: switch, InfiniBand, ''",
    "1: CA, Unknown, ''"
  })
  void theProtocolFollowsFromTheTypeAndTheLinkLayer(String type, String layer, String protocol)
      throws IOException {
    CapturedHost host =
        nic()
            .build()
            .withFile(MLX5 + "node_type", type + "\n")
            .withFile(MLX5 + "ports/1/link_layer", layer + "\n");

    assertThat(only(read(host)).protocol()).isEqualTo(protocol);
  }

  /** The headers that RoCE leaves room for are not those of iWARP. */
  @ParameterizedTest
  @CsvSource({"1: CA, 2048", "4: RNIC, 0"})
  void theActiveMtuFollowsFromThatOfTheNetworkDeviceForRoceAlone(String type, int mtu)
      throws IOException {
    CapturedHost host =
        nic().build().withFile(MLX5 + "node_type", type + "\n").withFile(ETH0 + "mtu", "4096\n");

    assertThat(only(read(host)).ports().get(0).netdev()).isEqualTo("eth0");
    assertThat(only(read(host)).ports().get(0).activeMtu().orElse(0)).isEqualTo(mtu);
  }

  /** The kernel takes the protocol of a device from its first port; the second may be another. */
  @ParameterizedTest
  @CsvSource({
    "InfiniBand, Ethernet, 1, 2048",
    "Ethernet, InfiniBand, 1, 0",
    "Ethernet, InfiniBand, 0, 2048",
    "InfiniBand, Ethernet, 0, 0"
  })
  void theActiveMtuFollowsFromTheLinkLayerOfThePort(
      String first, String second, int place, int mtu) {
    RdmaPort.Builder one = RdmaPort.numbered(1).linkLayer(first).netdev("eth0");
    RdmaPort.Builder two = RdmaPort.numbered(2).linkLayer(second).netdev("eth0");
    RdmaDevice vpi =
        RdmaDevice.named("mlx4_0")
            .nodeType("1: CA")
            .ports(List.of(one.build(), two.build()))
            .build();
    HostInventory.Builder inventory = HostInventory.builder();
    inventory.netdev(Netdev.named("eth0").mtu(4_096).build());

    RdmaReader.relate(Map.of("mlx4_0", vpi), inventory);

    assertThat(only(inventory.build()).ports().get(place).activeMtu().orElse(0)).isEqualTo(mtu);
  }

  /** Before Linux 5.11 the directory of siw lay below the function of its network device. */
  @Test
  void siwBelowAFunctionIsNoWorkOfItsDriver() throws IOException {
    CapturedHost host =
        nic()
            .build()
            .withFile(MLX5 + "node_type", "4: RNIC\n")
            .withFile(MLX5 + "node_desc", "Software iWARP stack\n");

    assertThat(only(read(host)).address()).hasToString("0000:8f:00.0");
    assertThat(only(read(host)).driver()).isNull();
    assertThat(only(read(host.without(MLX5 + "node_desc"))).driver()).isNull();
  }

  @Test
  void anRnicThatSaysWhatItIsIsWorkOfItsDriver() throws IOException {
    CapturedHost host = nic().build().withFile(MLX5 + "node_type", "4: RNIC\n");

    assertThat(only(read(host)).driver()).isEqualTo("mlx5_core");
  }

  /** What reads counters makes a path of the name. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../x"})
  void aDeviceWithoutANameOfADeviceIsLeftOut(String name) throws Exception {
    List<String> warnings = new ArrayList<>();
    RdmaNetlink rdma =
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, Nldev.index(3), Nldev.name("mlx5_0"))
            .told(Nldev.GET, name.isEmpty() ? new byte[][] {Nldev.index(4)} : named(name))
            .done()
            .lists(Nldev.PORT_GET, Nldev.index(3))
            .done()
            .lists(Nldev.PORT_GET, Nldev.index(4))
            .done()
            .play();

    assertThat(RdmaReader.overNetlink(rdma, warnings::add))
        .extracting(RdmaDevice::name)
        .containsExactly("mlx5_0");
    assertThat(warnings).singleElement().asString().contains("has the name '" + name + "'");
  }

  private static byte[][] named(String name) {
    return new byte[][] {Nldev.index(4), Nldev.name(name)};
  }

  /** As siw: made in software, with no file that names what of, but GIDs that do. */
  @Test
  void aDeviceWithoutAParentIsPlacedByItsGids() throws IOException {
    SyntheticHost host = new SyntheticHost("siw");
    host.root("pci0000:8c", 0)
        .function("0000:8f:00.0", 0x020000, 0x8086, 0x1572)
        .driver("i40e")
        .ethernet("eth0", 10_000);
    CapturedHost siw =
        host.softwareRdma("siw0", "eth0")
            .build()
            .without("sys/devices/virtual/infiniband/siw0/parent")
            .withFile("sys/devices/virtual/infiniband/siw0/ports/1/gid_attrs/ndevs/0", "eth0\n");

    HostInventory inventory = read(siw);

    assertThat(only(inventory).address()).hasToString("0000:8f:00.0");
    assertThat(only(inventory).driver()).isNull(); // that of the function is eth0's
    assertThat(inventory.pciFunctions())
        .filteredOn(function -> function.names().contains("siw0"))
        .singleElement()
        .satisfies(function -> assertThat(function.names()).containsExactly("eth0", "siw0"));
    assertThat(inventory.warnings()).isEmpty();
  }

  @Test
  void aDeviceThatIsNowhereStaysWithAWarning() throws IOException {
    CapturedHost host =
        new SyntheticHost("siw")
            .softwareRdma("siw0", "eth0")
            .build()
            .without("sys/devices/virtual/infiniband/siw0/parent");

    HostInventory inventory = read(host);

    assertThat(only(inventory).address()).isNull();
    assertThat(only(inventory).ports()).hasSize(1);
    assertThat(inventory.warnings())
        .containsExactly("RDMA device siw0: neither a PCI function nor a network device is known");
  }
}
