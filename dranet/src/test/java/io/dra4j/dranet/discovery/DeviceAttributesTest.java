package io.dra4j.dranet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.TestHost;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import io.dra4j.model.StandardAttributes;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The published attributes of devices. */
class DeviceAttributesTest {

  private static final PciAddress PF = PciAddress.parse("0000:8a:00.0");
  private static final PciAddress VF = PciAddress.parse("0000:8a:00.2");

  private static PciFunction.Builder function(PciAddress address) {
    return PciFunction.at(address)
        .identity(new PciIdentity(0x02_00_00, 0x15b3, 0x101e, 0x15b3, 0x0038))
        .driver("mlx5_core");
  }

  private static HostInventory host(PciFunction... functions) {
    HostInventory.Builder host = HostInventory.builder();
    for (PciFunction one : functions) {
      host.pciFunction(one);
    }
    return host.numaNode(new NumaNode(0, "", OptionalInt.of(0), List.of(10, 20)))
        .numaNode(new NumaNode(1, "", OptionalInt.of(1), List.of(20, 10)))
        .build();
  }

  private static Map<String, String> told(Device device) {
    Map<String, String> told = new TreeMap<>();
    device
        .attributes()
        .forEach((name, value) -> told.put(name, value.toString().replace("\"", "")));
    return told;
  }

  private static Device only(HostInventory host) {
    List<NetworkDevice> devices = NetworkDevices.of(host, NetworkFacts.NONE, true);
    return new DeviceAttributes("dra.net", host, false, EnumSet.allOf(AttributeGroup.class))
        .of(devices.get(0), Map.of(), (name, cut) -> {});
  }

  @Test
  void aFunctionWhoseInterfaceIsElsewhereIsToldByItsAddress() {
    Device device =
        only(
            host(
                function(PF)
                    .vendorName("Mellanox Technologies")
                    .deviceName("MT2910 Family")
                    .location(new Location("pci0000:89", List.of(), OptionalInt.of(1)))
                    .pcieRoot("pci0000:89")
                    .link(new PcieLink(32_000, 16))
                    .build()));

    assertThat(device.name()).isEqualTo("pci-0000-8a-00-0");
    assertThat(told(device))
        .containsOnly(
            Map.entry("pciAddress", "0000:8a:00.0"),
            Map.entry("rdma", "false"),
            Map.entry("resource.kubernetes.io/pcieRoot", "pci0000:89"),
            Map.entry("resource.kubernetes.io/numaNode", "1"),
            Map.entry("resource.kubernetes.io/pciBusID", "0000:8a:00.0"),
            Map.entry("numaNode", "1"),
            Map.entry("pciVendor", "Mellanox Technologies"),
            Map.entry("pciDevice", "MT2910 Family"),
            Map.entry("pciSubsystem", "0038"),
            Map.entry("pcieSpeed", "32000"),
            Map.entry("pcieWidth", "16"),
            Map.entry("driver", "mlx5_core"),
            Map.entry("vendorID", "0x15b3"),
            Map.entry("deviceID", "0x101e"));
  }

  /** Names as {@code DeviceAttributes} has them: literals, and constants of Kubernetes. */
  @Test
  void theDocumentationHasEachAttribute() throws IOException, ReflectiveOperationException {
    String source =
        Files.readString(Path.of("src/main/java/io/dra4j/dranet/discovery/DeviceAttributes.java"));
    Set<String> published = new TreeSet<>();
    Matcher name =
        Pattern.compile("\\ball\\s*\\.\\w+\\(\\s*(?:\"(\\w+)\"|StandardAttributes\\.(\\w+))")
            .matcher(source);
    while (name.find()) {
      published.add(
          name.group(1) != null
              ? name.group(1)
              : (String) StandardAttributes.class.getField(name.group(2)).get(null));
    }

    assertThat(published).contains("mtu", "firmware", StandardAttributes.PCIE_ROOT);
    assertThat(documented())
        .as("the table of attributes in docs/dranet.md")
        .containsExactlyInAnyOrderElementsOf(published);
  }

  private static Set<String> documented() throws IOException {
    String page = Files.readString(Path.of("../docs/dranet.md"));
    int start = page.indexOf("| Group | Attribute |");
    String table = page.substring(start, page.indexOf("\n\n", start));
    Set<String> names = new TreeSet<>();
    for (String row : table.lines().toList()) {
      String[] cells = row.split("\\|", -1);
      Pattern.compile("`([^`]+)`").matcher(cells[2]).results().forEach(r -> names.add(r.group(1)));
    }
    return names;
  }

  @Test
  void functionsThatProgramsServeAndUnboundOnesAreNotOffered() {
    HostInventory host =
        host(
            function(PF).driver("vfio-pci").build(),
            function(VF).driver(null).build(),
            PciFunction.at(PciAddress.parse("0000:01:00.0"))
                .identity(new PciIdentity(0x03_02_00, 0x10de, 0x2330, 0, 0))
                .driver("nvidia")
                .build());

    assertThat(NetworkDevices.of(host, NetworkFacts.NONE, true)).isEmpty();
  }

  @Test
  void anRdmaDeviceOnAnotherFunctionIsADevice() {
    PciAddress address = PciAddress.parse("0000:00:06.0");
    HostInventory host =
        HostInventory.builder()
            .pciFunction(
                PciFunction.at(address)
                    .identity(new PciIdentity(0x00_ff_00, 0x1ded, 0x107f, 0, 0))
                    .driver("erdma")
                    .build())
            .rdmaDevice(
                RdmaDevice.named("erdma_0")
                    .address(address)
                    .firmwareVersion("1.2")
                    .ports(
                        List.of(RdmaPort.numbered(1).state("ACTIVE").gigabitsPerSecond(25).build()))
                    .build())
            .rdmaDevice(RdmaDevice.named("rxe0").parent("eth0").build())
            .build();

    Device device = only(host);

    assertThat(device.name()).isEqualTo("pci-0000-00-06-0");
    assertThat(told(device))
        .containsEntry("rdma", "true")
        .containsEntry("rdmaDevice", "erdma_0")
        .containsEntry("portState", "ACTIVE")
        .containsEntry("firmware", "1.2")
        .doesNotContainKey("ifName");
    assertThat(device.capacity())
        .containsEntry("bandwidth", DeviceCapacity.of(Quantity.parse("25G")));
  }

  @Test
  void aVirtualFunctionTellsItsPhysicalOneAndItsNumber() {
    HostInventory host =
        HostInventory.builder()
            .pciFunction(
                function(PF)
                    .totalVirtualFunctions(8)
                    .virtualFunctions(List.of(PciAddress.parse("0000:8a:00.1"), VF))
                    .names(List.of("eth4"))
                    .build())
            .pciFunction(function(VF).physicalFunction(PF).build())
            .netdev(Netdev.named("eth4").address(PF).build())
            .build();

    List<NetworkDevice> devices = NetworkDevices.of(host, NetworkFacts.NONE, true);
    Device device =
        new DeviceAttributes("dra.net", host, false, EnumSet.allOf(AttributeGroup.class))
            .of(devices.get(1), Map.of(), (name, cut) -> {});

    assertThat(told(device)).containsEntry("pfName", "eth4").containsEntry("vfIndex", "1");
  }

  @Test
  void namesThatAreTooLongAreCutAndThatIsSaid() {
    String name = "A NIC whose name in pci.ids has more than the 64 bytes that are allowed";
    List<String> cuts = new ArrayList<>();
    HostInventory host = host(function(PF).deviceName(name).build());
    NetworkDevice one = NetworkDevices.of(host, NetworkFacts.NONE, true).get(0);

    Device device =
        new DeviceAttributes("dra.net", host, false, EnumSet.allOf(AttributeGroup.class))
            .of(one, Map.of(), (of, cut) -> cuts.add(of + " " + cut.name()));

    assertThat(told(device).get("pciDevice")).isEqualTo(name.substring(0, 64));
    assertThat(cuts).containsExactly("pci-0000-8a-00-0 pciDevice");
  }

  @Test
  @EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
  void anInterfaceIsToldWithTheAttributesThatManifestsKnow() throws IOException {
    try (TestHost host = new TestHost()) {
      host.ip(
          "link add mac0 type veth peer name p0",
          "link set mac0 address 02:00:00:00:00:05 mtu 1400 alias rail0 up",
          "link set p0 up",
          "addr add 192.0.2.5/24 dev mac0",
          "addr add 10.0.0.1/8 dev mac0",
          "addr add 2001:db8::5/64 dev mac0 nodad");

      Device device = live(host, EnumSet.allOf(AttributeGroup.class), Map.of(), new ArrayList<>());

      assertThat(told(device))
          .containsOnly(
              Map.entry("ifName", "mac0"),
              Map.entry("rdma", "false"),
              Map.entry("type", "veth"),
              Map.entry("virtual", "true"),
              Map.entry("mac", "02:00:00:00:00:05"),
              Map.entry("mtu", "1400"),
              Map.entry("state", "up"),
              Map.entry("encapsulation", "ether"),
              Map.entry("sriov", "false"),
              Map.entry("ipv4", "10.0.0.1/8,192.0.2.5/24"),
              Map.entry("ipv6", "2001:db8::5/64"),
              Map.entry("ebpf", "false"),
              Map.entry("alias", "rail0"));
    }
  }

  private static Device live(
      TestHost host,
      Set<AttributeGroup> groups,
      Map<String, DeviceAttribute> more,
      List<String> cuts)
      throws IOException {
    HostInventory inventory = HostInventory.builder().build();
    NetworkFacts facts = NetworkFacts.read(host.namespace(), warning -> {});
    NetworkDevice mac0 =
        NetworkDevices.of(inventory, facts, true).stream()
            .filter(one -> one.name().equals("mac0"))
            .findFirst()
            .orElseThrow();
    return new DeviceAttributes("dra.net", inventory, false, groups)
        .of(mac0, more, (of, cut) -> cuts.add(cut.name()));
  }

  @Test
  @EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
  void manyAddressesAreCutBetweenTwo() throws IOException {
    try (TestHost host = new TestHost()) {
      host.ip("link add mac0 type veth peer name p0");
      for (int i = 10; i < 40; i++) { // as kube-ipvs0 has
        host.ip("addr add 10.96.100." + i + "/32 dev mac0");
      }

      Device device = live(host, EnumSet.allOf(AttributeGroup.class), Map.of(), new ArrayList<>());

      assertThat(told(device).get("ipv4"))
          .hasSizeLessThanOrEqualTo(64)
          .isEqualTo("10.96.100.10/32,10.96.100.11/32,10.96.100.12/32,10.96.100.13/32");
    }
  }

  /** As ConnectX-3: one RDMA device for the ports of both interfaces. */
  @Test
  @EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
  void anInterfaceIsToldWithItsOwnPort() throws IOException {
    try (TestHost host = new TestHost()) {
      host.ip("link add eth2 type veth peer name eth3");
      HostInventory inventory =
          HostInventory.builder()
              .netdev(Netdev.named("eth2").build())
              .netdev(Netdev.named("eth3").build())
              .rdmaDevice(
                  RdmaDevice.named("mlx4_0")
                      .ports(
                          List.of(
                              RdmaPort.numbered(1).state("ACTIVE").netdev("eth2").build(),
                              RdmaPort.numbered(2).state("DOWN").netdev("eth3").build()))
                      .build())
              .build();
      Map<String, String> states = new TreeMap<>();
      for (NetworkDevice one :
          NetworkDevices.of(inventory, NetworkFacts.read(host.namespace(), warning -> {}), true)) {
        Device device =
            new DeviceAttributes("dra.net", inventory, false, EnumSet.of(AttributeGroup.HARDWARE))
                .of(one, Map.of(), (name, cut) -> {});
        states.put(one.interfaceName(), told(device).get("portState"));
      }

      assertThat(states).containsExactly(Map.entry("eth2", "ACTIVE"), Map.entry("eth3", "DOWN"));
    }
  }

  /** A VF in a cloud with all facts: 40 and more. */
  @Test
  void whatDoesNotFitIsLeftOutFromTheEndOfTheList() throws IOException {
    HostInventory host =
        HostInventory.builder()
            .pciFunction(
                function(VF)
                    .vendorName("v")
                    .deviceName("d")
                    .physicalFunction(PF)
                    .location(new Location("pci0000:89", List.of(), OptionalInt.of(1)))
                    .pcieRoot("pci0000:89")
                    .link(new PcieLink(32_000, 16))
                    .build())
            .pciFunction(function(PF).virtualFunctions(List.of(VF)).names(List.of("eth4")).build())
            .netdev(Netdev.named("eth4").address(PF).build())
            .netdev(Netdev.named("eth5").address(VF).megabitsPerSecond(200_000).build())
            .numaNode(new NumaNode(0, "", OptionalInt.of(0), List.of(10, 20)))
            .numaNode(new NumaNode(1, "", OptionalInt.of(1), List.of(20, 10)))
            .rdmaDevice(
                RdmaDevice.named("mlx5_1")
                    .address(VF)
                    .firmwareVersion("28.1")
                    .ports(List.of(RdmaPort.numbered(1).state("ACTIVE").build()))
                    .build())
            .build();
    Map<String, DeviceAttribute> cloud = new TreeMap<>();
    for (int i = 0; i < 24; i++) {
      cloud.put("cloud.example.com/key%02d".formatted(i), DeviceAttribute.of("x"));
    }
    List<String> cuts = new ArrayList<>();
    NetworkDevice vf =
        NetworkDevices.of(host, NetworkFacts.NONE, true).stream()
            .filter(one -> one.name().equals("pci-0000-8a-00-2"))
            .findFirst()
            .orElseThrow();

    Device all =
        new DeviceAttributes("dra.net", host, false, EnumSet.allOf(AttributeGroup.class))
            .of(vf, cloud, (of, cut) -> cuts.add(cut.name()));
    List<String> fewerCuts = new ArrayList<>();
    Device without =
        new DeviceAttributes(
                "dra.net", host, false, EnumSet.complementOf(EnumSet.of(AttributeGroup.IDENTITY)))
            .of(vf, cloud, (of, cut) -> fewerCuts.add(cut.name()));

    assertThat(all.attributes().size() + all.capacity().size()).isEqualTo(32);
    assertThat(all.attributes())
        .containsKeys("rdmaDevice", "pciSubsystem", "cloud.example.com/key21");
    assertThat(cuts).hasSize(13).contains("firmware", "vendorID", "cloud.example.com/key23");
    assertThat(without.attributes()).containsKey("cloud.example.com/key23");
    assertThat(fewerCuts).hasSize(9);
  }

  @Test
  @EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
  void theNodesOwnLinksAreNotOffered() throws IOException {
    try (TestHost host = new TestHost()) {
      host.ip(
          "link add cilium_net type veth peer name cilium_host",
          "link add docker0 type bridge",
          "link add up0 type veth peer name p0",
          "link set up0 up",
          "addr add 192.0.2.5/24 dev up0",
          "link set p0 up",
          "route add default via 192.0.2.1",
          "link add nic0 type veth peer name nic1");

      List<String> names =
          NetworkDevices.of(
                  HostInventory.builder().build(),
                  NetworkFacts.read(host.namespace(), warning -> {}),
                  true)
              .stream()
              .map(NetworkDevice::name)
              .toList();

      assertThat(names).containsExactly("nic0", "nic1", "p0");
      try (RouteNetlink route = RouteNetlink.open(host.namespace())) {
        assertThat(route.links().list()).hasSize(8);
      }
    }
  }
}
