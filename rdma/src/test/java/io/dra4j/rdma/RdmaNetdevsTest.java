package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.rdma.RdmaNetdevs.Match;
import io.dra4j.rdma.RdmaNetdevs.Way;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RdmaNetdevsTest {

  private static final PciAddress PCI = PciAddress.parse("0000:8f:00.0");

  private static Netdev ipoib(String name, String last8) {
    return Netdev.named(name)
        .hardwareAddress("80:00:00:48:fe:80:00:00:00:00:00:00:" + last8)
        .build();
  }

  private static void assertFound(
      Netdev netdev, RdmaDevice device, OptionalInt port, Way way, Netdev... others) {
    List<Netdev> netdevs = new ArrayList<>(List.of(others));
    netdevs.add(netdev);
    RdmaDevice other =
        RdmaDevice.named("mlx5_9").ports(List.of(RdmaPort.numbered(1).build())).build();
    RdmaNetdevs relations = RdmaNetdevs.of(netdevs, List.of(other, device));
    assertThat(relations.find(netdev.name())).contains(new Match(device, port, way));
    assertThat(relations.of(device.name())).contains(netdev.name());
    assertThat(relations.of(other.name())).isEmpty();
  }

  @Test
  void netlinkNamesTheNetworkDevice() {
    assertFound(
        Netdev.named("eth0").build(),
        RdmaDevice.named("mlx5_0")
            .ports(
                List.of(RdmaPort.numbered(1).build(), RdmaPort.numbered(2).netdev("eth0").build()))
            .build(),
        OptionalInt.of(2),
        Way.PORT);
  }

  @Test
  void aSoftwareDeviceNamesItsParent() {
    assertFound(
        Netdev.named("eth0").build(),
        RdmaDevice.named("rxe0")
            .parent("eth0")
            .ports(List.of(RdmaPort.numbered(1).build()))
            .build(),
        OptionalInt.of(1),
        Way.PARENT);
  }

  @Test
  void aVlanIsFoundByItsGid() {
    RdmaPort port =
        RdmaPort.numbered(1)
            .gids(
                List.of(
                    new RdmaGid(0, "fe80:0000:0000:0000:5054:00ff:fe0d:a000", "RoCE v2", "eth0"),
                    new RdmaGid(4, "0000:0000:0000:0000:0000:ffff:0a00:0001", "RoCE v2", "eth0.7")))
            .build();

    assertFound(
        Netdev.named("eth0.7").build(),
        RdmaDevice.named("mlx5_0").ports(List.of(port)).build(),
        OptionalInt.of(1),
        Way.GID);
  }

  /** In shared mode the GIDs of NICs in pods are in the table, too, by their names there. */
  @Test
  void theNameOfANicInAPodIsNotThatOfTheHost() {
    PciAddress function = PciAddress.parse("0000:81:00.0");
    RdmaPort port =
        RdmaPort.numbered(1)
            .gids(List.of(new RdmaGid(0, "fe80:0000:0000:0000:5054:00ff:fe0d:a000", "", "eth0")))
            .build();
    RdmaDevice device = RdmaDevice.named("mlx5_0").address(function).ports(List.of(port)).build();
    Netdev ofTheHost = Netdev.named("eth0").address(PciAddress.parse("0000:01:00.0")).build();
    Netdev secondPort = Netdev.named("eth0").address(PciAddress.parse("0000:81:00.1")).build();

    RdmaNetdevs relations = RdmaNetdevs.of(List.of(ofTheHost), List.of(device));
    assertThat(relations.find("eth0")).isEmpty();
    assertThat(relations.ofPort(device, port)).isNull();
    relations = RdmaNetdevs.of(List.of(secondPort), List.of(device));
    assertThat(relations.find("eth0")).map(Match::way).contains(Way.GID);
    assertThat(relations.ofPort(device, port)).isEqualTo("eth0");
  }

  /** As on a ConnectX-3: the node's GUID ends in bfa0, that of port 2 in bfa2. */
  @Test
  void ipoibIsFoundByThePortsGuid() {
    RdmaDevice device =
        RdmaDevice.named("mlx4_0")
            .nodeGuid("0002:c903:00f9:bfa0")
            .ports(
                List.of(
                    RdmaPort.numbered(1)
                        .gids(
                            List.of(
                                new RdmaGid(
                                    0, "fe80:0000:0000:0000:0002:c903:00f9:bfa1", "", null)))
                        .build(),
                    RdmaPort.numbered(2)
                        .gids(
                            List.of(
                                new RdmaGid(
                                    0, "fe80:0000:0000:0000:0002:c903:00f9:bfa2", "", null)))
                        .build()))
            .build();

    assertFound(ipoib("ib1", "00:02:c9:03:00:f9:bf:a2"), device, OptionalInt.of(2), Way.PORT_GUID);
  }

  /** {@code ib0.8001} is made of {@code ib0}, and has its address but for the queue pair. */
  @Test
  void theNetworkDeviceOfAPortIsNoneThatIsMadeOfIt() {
    RdmaPort port =
        RdmaPort.numbered(1)
            .gids(List.of(new RdmaGid(0, "fe80:0000:0000:0000:0002:c903:00f9:bfa1", "", null)))
            .build();
    RdmaDevice device = RdmaDevice.named("mlx4_0").ports(List.of(port)).build();
    Netdev link = ipoib("ib0", "00:02:c9:03:00:f9:bf:a1");
    Netdev child = ipoib("ib0.8001", "00:02:c9:03:00:f9:bf:a1").toBuilder().virtual(true).build();

    assertFound(link, device, OptionalInt.of(1), Way.PORT_GUID, child);
    assertFound(child, device, OptionalInt.of(1), Way.PORT_GUID, link);
    assertThat(RdmaNetdevs.of(List.of(child, link), List.of(device)).ofPort(device, port))
        .isEqualTo("ib0");
    assertThat(RdmaNetdevs.of(List.of(child), List.of(device)).ofPort(device, port))
        .isEqualTo("ib0.8001");
    Netdev other = ipoib("ib7", "00:02:c9:03:00:f9:bf:a1");
    assertThat(RdmaNetdevs.of(List.of(link, other), List.of(device)).ofPort(device, port)).isNull();
  }

  @Test
  void ipoibIsFoundByTheNodesGuid() {
    assertFound(
        ipoib("ib0", "00:02:c9:03:00:f9:bf:a0"),
        RdmaDevice.named("mlx4_0")
            .nodeGuid("0002:c903:00f9:bfa0")
            .ports(List.of(RdmaPort.numbered(1).build()))
            .build(),
        OptionalInt.of(1),
        Way.NODE_GUID);
  }

  @Test
  void severalPortsOfAFunctionAreToldApartByTheNumberOfThePort() {
    RdmaDevice device =
        RdmaDevice.named("mlx4_0")
            .address(PCI)
            .ports(List.of(RdmaPort.numbered(1).build(), RdmaPort.numbered(2).build()))
            .build();
    Netdev first = Netdev.named("eth2").address(PCI).devicePort(0).build();
    Netdev second = Netdev.named("eth3").address(PCI).devicePort(1).build();

    assertFound(first, device, OptionalInt.of(1), Way.FUNCTION, second);
    assertFound(second, device, OptionalInt.of(2), Way.FUNCTION, first);
    RdmaNetdevs relations = RdmaNetdevs.of(List.of(first, second), List.of(device));
    assertThat(relations.ofPort(device, device.ports().get(0))).isEqualTo("eth2");
    assertThat(relations.ofPort(device, device.ports().get(1))).isEqualTo("eth3");
  }

  @Test
  void withoutTheNumberOfThePortTheFunctionAloneIsKnown() {
    assertFound(
        Netdev.named("eth2").address(PCI).build(),
        RdmaDevice.named("mlx4_0")
            .address(PCI)
            .ports(List.of(RdmaPort.numbered(1).build(), RdmaPort.numbered(2).build()))
            .build(),
        OptionalInt.empty(),
        Way.FUNCTION);
  }

  @Test
  void representorsOnAFunctionAreNotItsPort() {
    RdmaDevice device =
        RdmaDevice.named("mlx5_0")
            .address(PCI)
            .ports(List.of(RdmaPort.numbered(1).netdev("eth0").build()))
            .build();
    Netdev representor = Netdev.named("pf0vf1").address(PCI).build();

    assertThat(RdmaNetdevs.of(List.of(representor), List.of(device)).find("pf0vf1")).isEmpty();
  }

  @Test
  void aSurerWayCountsMore() {
    RdmaDevice byFunction =
        RdmaDevice.named("a").address(PCI).ports(List.of(RdmaPort.numbered(1).build())).build();
    RdmaDevice byNetlink =
        RdmaDevice.named("b").ports(List.of(RdmaPort.numbered(1).netdev("eth0").build())).build();
    Netdev netdev = Netdev.named("eth0").address(PCI).build();

    assertThat(RdmaNetdevs.of(List.of(netdev), List.of(byFunction, byNetlink)).find("eth0"))
        .map(match -> match.device().name())
        .contains("b");
  }

  @Test
  void addressesOfEthernetHaveNoGuid() {
    assertThat(RdmaNetdevs.interfaceOf("52:54:00:0d:a0:00")).isEmpty();
    assertThat(RdmaNetdevs.interfaceOf("")).isEmpty();
  }

  /** Many virtual functions of InfiniBand, of which no GID names a network device. */
  @Test
  @Timeout(30)
  void thousandsOfDevicesAndNetworkDevicesAreNoProduct() {
    HostInventory.Builder inventory = HostInventory.builder();
    int count = 5_000;
    for (int i = 0; i < count; i++) {
      String guid = "0002:c903:00f9:%04x".formatted(i);
      String bytes = guid.replace(":", "").replaceAll("(..)(?!$)", "$1:");
      inventory.netdev(
          Netdev.named("ib" + i)
              .hardwareAddress("80:00:02:08:fe:80:00:00:00:00:00:00:" + bytes)
              .build());
      inventory.rdmaDevice(
          RdmaDevice.named("mlx5_" + i)
              .nodeType("1: CA")
              .ports(
                  List.of(
                      RdmaPort.numbered(1)
                          .gids(
                              List.of(
                                  new RdmaGid(0, "fe80:0000:0000:0000:" + guid, "", null),
                                  new RdmaGid(1, "fe80:0000:0000:0001:" + guid, "", null)))
                          .build()))
              .build());
    }
    Map<String, RdmaDevice> devices = new TreeMap<>();
    inventory.rdmaDevices().forEach(device -> devices.put(device.name(), device));

    RdmaReader.relate(devices, inventory);

    assertThat(inventory.build().rdmaDevices())
        .hasSize(count)
        .allSatisfy(
            device ->
                assertThat(device.ports().get(0).netdev())
                    .isEqualTo(device.name().replace("mlx5_", "ib")));
  }
}
