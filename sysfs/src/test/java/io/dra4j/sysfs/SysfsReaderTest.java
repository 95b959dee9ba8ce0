package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SysfsReaderTest {

  private static PciFunction function(HostInventory inventory, String address) {
    return inventory.pciFunctions().stream()
        .filter(function -> function.address().equals(PciAddress.parse(address)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void virtualFunctionsKnowTheirPhysicalFunction(@CapturedHostTree("sriov") Path root) {
    HostInventory inventory = SysfsReader.read(Host.captured(root));

    PciFunction physical = function(inventory, "0000:11:00.0");
    assertThat(physical.totalVirtualFunctions()).isEqualTo(7);
    assertThat(physical.virtualFunctions()).hasSize(4);
    for (PciAddress virtual : physical.virtualFunctions()) {
      assertThat(function(inventory, virtual.toString()).physicalFunction())
          .isEqualTo(physical.address());
    }
    assertThat(inventory.topology().build().path("0000:11:00.0", "0000:11:10.0"))
        .isEqualTo(PathType.SAME_CARD);
  }

  @Test
  void aFunctionSaysWhatItIs(@CapturedHostTree("a4-like") Path root) {
    HostInventory inventory = SysfsReader.read(Host.captured(root));

    PciFunction gpu = function(inventory, "0000:13:00.0");
    assertThat(gpu.pcieRoot()).isEqualTo("pci0000:10");
    assertThat(gpu.maxLink()).isEqualTo(new PcieLink(32_000, 16));
    assertThat(gpu.location().bridges()).hasSize(3);
    assertThat(function(inventory, "0000:14:00.0").driver()).isEqualTo("e1000e");
    assertThat(function(inventory, "0000:14:00.0").names()).containsExactly("gpu0rdma0", "mlx5_0");
    assertThat(inventory.cpu()).isPresent();
    assertThat(inventory.numaNodes()).extracting(NumaNode::id).containsExactly(0, 1);
  }

  @Test
  void anA4LikeHostHasEightPairs(@CapturedHostTree("a4-like") Path root) {
    HostTopology topology = SysfsReader.read(Host.captured(root)).topology().build();

    List<List<TopologyDevice>> pairs = topology.groups(PathType.SWITCH);

    assertThat(pairs).hasSize(8).allSatisfy(pair -> assertThat(pair).hasSize(2));
  }

  /** A NIC in switchdev mode; its own port comes last by name, or is in a pod. */
  @ParameterizedTest
  @CsvSource({
    "p0, pf0vf0, eth2",
    "p1, pf1vf12, eth2",
    "p0, c1pf0vf0, eth2",
    "p0, pf0sf88, eth2",
    "'', pf0vf0, eth2",
    "pf0vf1, pf0vf0, ''"
  })
  void representorsAreNoInterfacesOfTheirNic(
      String ofEth2, String ofEth1, String own, @TempDir Path root) throws IOException {
    Path nic = root.resolve("sys/devices/pci0000:00/0000:00:01.0");
    Files.createDirectories(root.resolve("sys/class/net"));
    Files.createDirectories(root.resolve("sys/bus/pci/devices"));
    for (String name : List.of("eth1", "eth2")) {
      Path netdev = Files.createDirectories(nic.resolve("net").resolve(name));
      String port = name.equals("eth1") ? ofEth1 : ofEth2;
      if (!port.isEmpty()) {
        Files.writeString(netdev.resolve("phys_port_name"), port + "\n");
      }
    }
    Files.writeString(nic.resolve("class"), "0x020000\n");
    Files.writeString(nic.resolve("vendor"), "0x15b3\n");
    Files.writeString(nic.resolve("device"), "0x101d\n");
    Files.createSymbolicLink(
        root.resolve("sys/bus/pci/devices/0000:00:01.0"),
        Path.of("../../../devices/pci0000:00/0000:00:01.0"));
    HostInventory withoutClass = SysfsReader.read(Host.captured(root));
    for (String name : List.of("eth1", "eth2")) {
      Files.createSymbolicLink(
          root.resolve("sys/class/net").resolve(name),
          Path.of("../../devices/pci0000:00/0000:00:01.0/net/" + name));
    }
    HostInventory inventory = SysfsReader.read(Host.captured(root));

    List<String> expected = own.isEmpty() ? List.of() : List.of(own);
    assertThat(function(inventory, "0000:00:01.0").names()).isEqualTo(expected);
    assertThat(function(withoutClass, "0000:00:01.0").names()).isEqualTo(expected);
    assertThat(inventory.netdevs()).extracting(Netdev::name).containsExactly("eth1", "eth2");
  }

  /** A netdev of a NIC with a switch, as kernels before 5.1 show it. */
  @ParameterizedTest
  @CsvSource({
    // phys_port_name, phys_switch_id, addr_assign_type, whether it is a representor
    "0, e41d2dfd8aa0, 1, true",
    "11, e41d2dfd8aa0, 0, true",
    "11, '', 0, false",
    "p0, e41d2dfd8aa0, 1, false",
    "1s2, e41d2dfd8aa0, 1, false",
    "'', e41d2dfd8aa0, 1, true",
    "'', e41d2dfd8aa0, 0, false",
    "'', e41d2dfd8aa0, 3, false",
    "'', '', 1, false",
  })
  void representorsOfOldKernelsAreNoInterfacesOfTheirNic(
      String port, String switchId, String assigned, boolean isRepresentor, @TempDir Path root)
      throws IOException {
    Path nic = root.resolve("sys/devices/pci0000:00/0000:00:01.0");
    Path own = Files.createDirectories(nic.resolve("net/eth2"));
    Path other = Files.createDirectories(nic.resolve("net/eth1"));
    Files.writeString(own.resolve("addr_assign_type"), "0\n");
    Files.writeString(other.resolve("addr_assign_type"), assigned + "\n");
    if (!port.isEmpty()) {
      Files.writeString(other.resolve("phys_port_name"), port + "\n");
    }
    if (!switchId.isEmpty()) {
      Files.writeString(own.resolve("phys_switch_id"), switchId + "\n");
      Files.writeString(other.resolve("phys_switch_id"), switchId + "\n");
    }
    for (String file : List.of("class 0x020000", "vendor 0x15b3", "device 0x1015")) {
      String[] words = file.split(" ", -1);
      Files.writeString(nic.resolve(words[0]), words[1] + "\n");
    }
    Files.createDirectories(root.resolve("sys/bus/pci/devices"));
    Files.createSymbolicLink(
        root.resolve("sys/bus/pci/devices/0000:00:01.0"),
        Path.of("../../../devices/pci0000:00/0000:00:01.0"));

    HostInventory inventory = SysfsReader.read(Host.captured(root));

    assertThat(function(inventory, "0000:00:01.0").names())
        .isEqualTo(isRepresentor ? List.of("eth2") : List.of("eth1", "eth2"));
  }

  @Test
  void readsFileSystemsInMemory() throws Exception {
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/host");
      CapturedHost.named("two-socket").expandTo(root);

      HostInventory inventory = TopologyReaders.installed().read(Host.captured(root));

      assertThat(inventory.warnings()).isEmpty();
      assertThat(inventory.topology().build().endpoints()).hasSize(8);
    }
  }

  @Test
  void readingAgainGivesTheSame(@CapturedHostTree("rdma") Path root) {
    SysfsReader reader = new SysfsReader();
    HostInventory.Builder first = HostInventory.builder();
    HostInventory.Builder second = HostInventory.builder();

    reader.read(Host.captured(root), first);
    reader.read(Host.captured(root), second);

    assertThat(first.build().pciFunctions()).isEqualTo(second.build().pciFunctions());
    assertThat(first.build().rdmaDevices()).isEqualTo(second.build().rdmaDevices());
  }

  @Test
  void nicsHaveTheRateOfTheirFastestPort() {
    HostInventory host =
        HostInventory.builder()
            .pciFunction(
                PciFunction.at(PciAddress.parse("0000:0a:00.0")).names(List.of("eth0")).build())
            .pciFunction(PciFunction.at(PciAddress.parse("0000:0b:00.0")).build())
            .netdev(
                Netdev.named("eth0")
                    .address(PciAddress.parse("0000:0a:00.0"))
                    .megabitsPerSecond(100_000)
                    .build())
            .netdev(
                Netdev.named("vlan5")
                    .address(PciAddress.parse("0000:0a:00.0"))
                    .virtual(true)
                    .megabitsPerSecond(900_000)
                    .build())
            .rdmaDevice(
                RdmaDevice.named("mlx5_0")
                    .address(PciAddress.parse("0000:0a:00.0"))
                    .ports(
                        List.of(
                            RdmaPort.numbered(1).state("ACTIVE").gigabitsPerSecond(200).build(),
                            RdmaPort.numbered(2).state("DOWN").gigabitsPerSecond(400).build()))
                    .build())
            .build();
    HostTopology topology = host.topology().build();

    assertThat(topology.device("0000:0a:00.0").orElseThrow().megabitsPerSecond()).hasValue(200_000);
    assertThat(topology.device("0000:0b:00.0").orElseThrow().megabitsPerSecond()).isEmpty();
  }

  @Test
  void thisHostCanBeRead() {
    HostInventory inventory = SysfsReader.read(Host.live());

    assertThat(inventory.netdevs()).extracting(netdev -> netdev.name()).contains("lo");
  }

  @Test
  void theDriverPublishesTheStandardAttributes(@CapturedHostTree("a4-like") Path root) {
    List<Device> devices = HostDriver.create().discover(SysfsReader.read(Host.captured(root)));

    assertThat(devices).hasSize(16);
    Device nic =
        devices.stream().filter(d -> d.name().equals("pci-0000-14-00-0")).findFirst().orElseThrow();
    assertThat(nic.attributes())
        .containsEntry("resource.kubernetes.io/pcieRoot", DeviceAttribute.of("pci0000:10"))
        .containsEntry("resource.kubernetes.io/pciBusID", DeviceAttribute.of("0000:14:00.0"))
        .containsEntry("resource.kubernetes.io/numaNode", DeviceAttribute.of(0))
        .containsEntry("kind", DeviceAttribute.of("nic"))
        .containsEntry("ifName", DeviceAttribute.of("gpu0rdma0"))
        .containsEntry("rdmaDevice", DeviceAttribute.of("mlx5_0"));
  }

  @Test
  void aListOfNumaNodesHasTheNearestOfTheSocketAfterTheFirst() {
    List<NumaNode> nodes =
        List.of(
            node(0, 0, 10, 12, 12, 32),
            node(1, 0, 12, 10, 12, 32),
            node(2, 1, 12, 12, 10, 12),
            node(3, 1, 32, 32, 12, 10));

    assertThat(NearNumaNodes.of(1, nodes)).containsExactly(1L, 0L);
    assertThat(NearNumaNodes.of(3, nodes)).containsExactly(3L, 2L);
    assertThat(NearNumaNodes.of(7, nodes)).containsExactly(7L);
    assertThat(
            NearNumaNodes.of(
                1,
                List.of(node(0, -1, 10, 12, 10), node(1, -1, 12, 10, 12), node(2, -1, 10, 12, 10))))
        .containsExactly(1L, 0L, 2L);
  }

  private static NumaNode node(int id, int socket, Integer... distances) {
    return new NumaNode(
        id, "", socket < 0 ? OptionalInt.empty() : OptionalInt.of(socket), List.of(distances));
  }
}
