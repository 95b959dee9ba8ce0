package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What pairs share with each other and with claims that have devices. */
class SharedLinksTest {

  /** Four switches of two GPUs and two NICs, two of them in each NUMA node. */
  private static PlacementPolicy knowing(PlacementPolicy policy) {
    return policy.withOverlays(node -> List.of(Servers.switches(2)));
  }

  private static PlacementScore score(Servers server, int gpus, int nics) {
    return Servers.score(
        server.allocate(knowing(PlacementPolicy.best()), Servers.claim(gpus, nics).build()));
  }

  @Test
  void pairsOfOneSwitchShareItsUplink() {
    // The GPUs of the first switch, the NICs of the second one.
    Servers server =
        Servers.onRoots(2)
            .busy("gpu-2", "gpu-3", "gpu-4", "gpu-5", "gpu-6", "gpu-7")
            .busy("nic-0", "nic-1", "nic-4", "nic-5", "nic-6", "nic-7");

    assertThat(score(server, 1, 1).gigabytesPerSecond()).isEqualTo(40);
    assertThat(score(server, 2, 2).gigabytesPerSecond()).isEqualTo(48);
    assertThat(score(server, 2, 2).explanation())
        .contains("2 pairs each in one NUMA node: 48 of at most 96 GB/s; 2 pairs share links");
  }

  @Test
  void pairsOfOtherClaimsShareUplinks() {
    String[] others = {"gpu-2", "gpu-3", "gpu-4", "gpu-5", "gpu-6", "gpu-7"};
    String[] nics = {"nic-0", "nic-1", "nic-4", "nic-5", "nic-6", "nic-7"};

    Servers server = Servers.onRoots(2).busy(others).busy(nics).busy("gpu-0", "nic-2");
    assertThat(score(server, 1, 1).gigabytesPerSecond()).isEqualTo(24);
    // Devices of different claims are no pair.
    Servers apart = Servers.onRoots(2).busy(others).busy(nics).busy("gpu-0").busy("nic-2");
    assertThat(score(apart, 1, 1).gigabytesPerSecond()).isEqualTo(40);
  }

  @Test
  void setsThatSpreadOverUplinksAreFound() {
    // Three switches in one NUMA node; no NIC is on the switch of a free GPU.
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    List<TopologyDevice> places = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      gpus.add(device("gpu-" + i, 0x10 + i));
      places.add(place(0x10 + i, DeviceKind.GPU, i < 2 ? 0xf0 : 0xf1, null));
      nics.add(device("nic-" + i, 0x20 + i));
      places.add(place(0x20 + i, DeviceKind.NIC, i < 2 ? 0xf2 : 0xf3, null));
    }
    PlacementPolicy policy = PlacementPolicy.best().withOverlays(node -> List.of(tree(places)));
    AllocationOutcome outcome =
        Servers.of(gpus, nics).allocate(policy, Servers.claim(2, 2).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 gpu-2 nic-0 nic-2");
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(80);
  }

  @Test
  void setsThatSpreadOverUplinksAreFoundAmongMany() {
    // Sixteen switches of two devices; GPUs and NICs are on different ones.
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    List<TopologyDevice> places = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      gpus.add(device("gpu-" + i, 0x10 + i));
      places.add(place(0x10 + i, DeviceKind.GPU, 0xd0 + i / 2, null));
      nics.add(device("nic-" + i, 0x40 + i));
      places.add(place(0x40 + i, DeviceKind.NIC, 0xe0 + i / 2, null));
    }
    PlacementPolicy policy = PlacementPolicy.best().withOverlays(node -> List.of(tree(places)));
    PlacementScore score =
        Servers.score(Servers.of(gpus, nics).allocate(policy, Servers.claim(4, 4).build()));

    assertThat(score.gigabytesPerSecond()).isEqualTo(160);
    assertThat(score.explanation()).doesNotContain("ended at a limit");
  }

  @Test
  void theLinkOfTheSwitchCountsWhereItIsKnown() {
    List<Device> gpus = List.of(device("gpu-0", 0x10), device("gpu-1", 0x11));
    List<Device> nics = List.of(device("nic-0", 0x20), device("nic-1", 0x21));
    List<TopologyDevice> places = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      places.add(place(0x10 + i, DeviceKind.GPU, 0xf0, null));
      places.add(place(0x20 + i, DeviceKind.NIC, 0xf1 + i, null));
    }
    places.add(bridge(0xf0, new PcieLink(64_000, 16)));
    ResourceClaim claim = Servers.claim(2, 2).build();
    PlacementPolicy policy = PlacementPolicy.best().withOverlays(node -> List.of(tree(places)));
    assertThat(Servers.score(Servers.of(gpus, nics).allocate(policy, claim)).gigabytesPerSecond())
        .isEqualTo(80);
    places.set(places.size() - 1, bridge(0xf0, new PcieLink(16_000, 16)));
    assertThat(
            Servers.score(
                    Servers.of(gpus, nics)
                        .allocate(
                            PlacementPolicy.best().withOverlays(node -> List.of(tree(places))),
                            claim))
                .gigabytesPerSecond())
        .isEqualTo(24);
  }

  @Test
  void aNarrowUplinkLimitsOnePairAsWell() {
    List<Device> gpus = List.of(device("gpu-0", 0x10), device("gpu-1", 0x11));
    List<Device> nics = List.of(device("nic-0", 0x20), device("nic-1", 0x21));
    List<TopologyDevice> places = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      places.add(place(0x10 + i, DeviceKind.GPU, 0xf0, null));
      places.add(place(0x20 + i, DeviceKind.NIC, 0xf1 + i, null));
    }
    places.add(bridge(0xf0, new PcieLink(8_000, 4)));
    PlacementPolicy policy = PlacementPolicy.best().withOverlays(node -> List.of(tree(places)));
    for (int count = 1; count <= 2; count++) {
      PlacementScore score =
          Servers.score(
              Servers.of(gpus, nics).allocate(policy, Servers.claim(count, count).build()));
      assertThat(score.gigabytesPerSecond()).as("%d pairs", count).isEqualTo(3);
      assertThat(score.explanation().contains("share")).isEqualTo(count > 1);
    }
  }

  @Test
  void aGpuBehindANarrowUplinkIsTakenLast() {
    List<Device> gpus = new ArrayList<>();
    List<TopologyDevice> places = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      gpus.add(device("gpu-" + i, 0x10 + i));
      places.add(place(0x10 + i, DeviceKind.GPU, 0xf0 + i / 2, null));
    }
    places.add(place(0x20, DeviceKind.NIC, 0xf2, null));
    places.add(bridge(0xf0, new PcieLink(8_000, 4)));
    places.add(bridge(0xf1, new PcieLink(32_000, 16)));
    AllocationOutcome outcome =
        Servers.of(gpus, List.of(device("nic-0", 0x20)))
            .allocate(
                PlacementPolicy.best().withOverlays(node -> List.of(tree(places))),
                Servers.claim(1, 1).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-2 nic-0");
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(40);
  }

  @Test
  void nearPairsBehindANarrowUplinkAreFoundWhereFartherOnesAreFaster() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      gpus.add(device("gpu-" + i, 0x10 + i));
      nics.add(device("nic-" + i, 0x20 + i));
    }
    PcieLink narrow = new PcieLink(8_000, 4);
    List<TopologyDevice> places =
        List.of(
            place(0x10, DeviceKind.GPU, 0xf0, 0, null),
            place(0x12, DeviceKind.GPU, 0xf0, 0, null),
            place(0x20, DeviceKind.NIC, 0xf1, 0, null),
            place(0x11, DeviceKind.GPU, 0xf2, 1, null),
            place(0x21, DeviceKind.NIC, 0xf3, 1, null),
            place(0x22, DeviceKind.NIC, 0xf3, 1, null),
            bridge(0xf0, 0, narrow),
            bridge(0xf3, 1, narrow));
    Servers server = Servers.of(gpus, nics).busy("gpu-2", "nic-2");
    for (String policy : PlacementPolicy.names()) {
      for (String mode : List.of("Required", "Preferred")) {
        AllocationOutcome outcome =
            server.allocate(
                PlacementPolicy.of(policy).withOverlays(node -> List.of(tree(places))),
                near(2, 2, "NUMA_NODE", mode));
        assertThat(Servers.names(outcome)).as(policy).isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
        assertThat(Servers.score(outcome).explanation())
            .as(policy)
            .startsWith("2 pairs each in one NUMA node: 3 of at most 80 GB/s; 2 pairs share links;")
            .contains("; 2 of 2 within NUMA_NODE");
      }
    }
  }

  private static ResourceClaim near(int gpus, int nics, String within, String mode) {
    return Servers.claim(gpus, nics)
        .config(
            "dra4j.io",
            """
            {"apiVersion": "dra4j.io/v1alpha1", "kind": "Placement",
             "alignment": {"within": "%s", "mode": "%s"}}
            """
                .formatted(within, mode))
        .build();
  }

  @Test
  void pairsAcrossNumaNodesCountWithWhatTheyShare() {
    // By themselves, the pairs across NUMA nodes carry more: 12 + 22 of those, 12.5 + 20 of others.
    Servers server =
        Servers.of(
            List.of(
                device("gpu-0", 0x10, 0, "32.0 GT/s x16"),
                device("gpu-1", 0x11, 1, "16.0 GT/s x16"),
                device("gpu-2", 0x12, 0, "8.0 GT/s x16")),
            List.of(device("nic-0", 0x20, 0, 100_000), device("nic-1", 0x21, 1, 400_000)));
    for (String policy : List.of("best", "spread")) {
      AllocationOutcome outcome =
          server.allocate(PlacementPolicy.of(policy), Servers.claim(2, 2).build());
      assertThat(Servers.names(outcome)).as(policy).isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
      assertThat(Servers.score(outcome).explanation())
          .as(policy)
          .startsWith("2 pairs each in one NUMA node: 32.5 of at most 44 GB/s");
    }
  }

  private static Device device(String name, int bus, int numaNode, String link) {
    return numaNode(name, bus, numaNode).attribute("host.dra4j.io/link", link).build();
  }

  private static Device device(String name, int bus, int numaNode, long rate) {
    return numaNode(name, bus, numaNode).attribute("host.dra4j.io/megabitsPerSecond", rate).build();
  }

  private static Device.Builder numaNode(String name, int bus, int numaNode) {
    return Device.named(name)
        .attribute(StandardAttributes.PCI_BUS_ID, new PciAddress(0, bus, 0, 0).toString())
        .attribute(StandardAttributes.NUMA_NODE, numaNode);
  }

  @Test
  void whatIsPreferredAndNotToBeHadChangesNothing() {
    List<Device> gpus =
        List.of(
            device("gpu-0", 0x10, 0, "32.0 GT/s x16"),
            device("gpu-1", 0x11, 1, "32.0 GT/s x16"),
            device("gpu-2", 0x12, 0, "16.0 GT/s x16"));
    List<Device> nics =
        List.of(device("nic-0", 0x20, 0, 100_000), device("nic-1", 0x21, 0, 400_000));
    List<TopologyDevice> places =
        List.of(
            place(0x10, DeviceKind.GPU, 0xf0, 0, null),
            place(0x20, DeviceKind.NIC, 0xf0, 0, null),
            place(0x11, DeviceKind.GPU, 0xf1, 1, null),
            place(0x12, DeviceKind.GPU, 0xf2, 0, null),
            place(0x21, DeviceKind.NIC, 0xf3, 0, null));
    Servers server = Servers.of(gpus, nics);
    PlacementPolicy policy = PlacementPolicy.best().withOverlays(node -> List.of(tree(places)));
    AllocationOutcome plain = server.allocate(policy, Servers.claim(2, 2).build());
    AllocationOutcome preferring = server.allocate(policy, near(2, 2, "SWITCH", "Preferred"));

    assertThat(Servers.names(preferring)).isEqualTo(Servers.names(plain));
    assertThat(Servers.score(preferring).pairs()).isEqualTo(Servers.score(plain).pairs());
    assertThat(Servers.score(preferring).explanation())
        .contains(" of 2 within SWITCH, as preferred");
  }

  @Test
  void functionsOfOnePortAreScoredAlikeInEveryOrder() {
    for (int own = 0; own < 5; own++) {
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        nics.add(function("nic-" + i, 0x20 + i, 0, i == own ? -1 : 0x60));
      }
      List<Device> gpus = List.of(function("gpu-0", 0x10, 0, -1), function("gpu-1", 0x11, 0, -1));
      Servers server = Servers.of(gpus, nics);
      PlacementScore score =
          Servers.score(server.allocate(PlacementPolicy.firstFit(), Servers.claim(2, 5).build()));

      assertThat(score.gigabytesPerSecond()).as("own port: nic-%d", own).isEqualTo(52.5);
      assertThat(score.pairs())
          .extracting(pair -> pair.gigabytesPerSecond())
          .containsExactlyInAnyOrder(40.0, 12.5);
    }
  }

  @Test
  void functionsAreTakenOfSeveralPorts() {
    // Six ports of six functions; one of each is as fast as six NICs.
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      gpus.add(function("gpu-" + i, 0x10 + i, 0, -1));
    }
    for (int i = 0; i < 36; i++) {
      nics.add(function("nic-" + i, 0x20 + i, 0, 0x60 + i / 6));
    }
    AllocationOutcome outcome =
        Servers.of(gpus, nics).allocate(PlacementPolicy.best(), Servers.claim(6, 6).build());

    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(240);
  }

  @Test
  void functionsAreTakenOfSeveralPortsAmongManyDevices() {
    // Eight ports of nine functions, more NICs than a mask holds.
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(function("gpu-" + i, 0x10 + i, i / 4, -1));
    }
    for (int i = 0; i < 72; i++) {
      nics.add(function("nic-" + i, 0x20 + i, i / 36, 0x80 + i / 9));
    }
    Servers server = Servers.of(gpus, nics);
    PlacementScore score =
        Servers.score(server.allocate(PlacementPolicy.best(), Servers.claim(8, 8).build()));
    assertThat(score.gigabytesPerSecond()).isEqualTo(320);
    assertThat(score.explanation()).doesNotContain("ended at a limit");

    // Eight functions of four ports share these.
    for (int i = 36; i < 72; i++) {
      server.busy("nic-" + i);
    }
    PlacementScore shared =
        Servers.score(server.allocate(PlacementPolicy.best(), Servers.claim(4, 8).build()));
    assertThat(shared.gigabytesPerSecond()).isEqualTo(100);
    assertThat(shared.explanation()).contains("; the search ended at a limit");
  }

  @Test
  void functionsInUseCountWhereverTheyAre() {
    for (int between : new int[] {0, 64}) {
      List<Device> nics = new ArrayList<>();
      nics.add(function("nic-0", 0x20, 0, 0xf0));
      nics.add(function("nic-1", 0x21, 0, -1));
      for (int i = 0; i < between; i++) {
        nics.add(function("nic-" + nics.size(), 0x22 + i, 1, -1));
      }
      List<String> busy = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        busy.add("nic-" + nics.size());
        nics.add(function("nic-" + nics.size(), 0x80 + i, 0, 0xf0));
      }
      Servers server =
          Servers.of(List.of(function("gpu-0", 0x10, 0, -1)), nics)
              .busy(busy.toArray(String[]::new));
      ResourceClaim claim = Servers.claim(1, 1).build();

      assertThat(server.devices(PlacementPolicy.best(), claim))
          .as("%d between", between)
          .isEqualTo("gpu-0 nic-1");
      assertThat(Servers.score(server.allocate(PlacementPolicy.firstFit(), claim)).explanation())
          .as("%d between", between)
          .contains(": 5.6 of at most 40 GB/s; 1 pair shares links");
    }
  }

  @Test
  void pairsOfOthersAcrossNumaNodesCountWhereverTheirDevicesAre() {
    for (int more : new int[] {0, 70}) {
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        gpus.add(function("gpu-" + i, 0x10 + i, 0, -1));
      }
      for (int i = 0; i < 4 + more; i++) {
        nics.add(function("nic-" + i, 0x20 + i, 1, -1));
      }
      int last = nics.size() - 1;
      Servers server =
          Servers.of(gpus, nics)
              .busy("gpu-0", "gpu-1", "gpu-2", "nic-" + last, "nic-" + (last - 1), "nic-0");
      PlacementScore score =
          Servers.score(server.allocate(PlacementPolicy.best(), Servers.claim(1, 1).build()));
      assertThat(score.gigabytesPerSecond()).as("%d more", more).isEqualTo(5.5);
    }
  }

  @Test
  void pairsThatShareAnUplinkAreScoredAlikeInEveryOrder() {
    for (int own = 0; own < 3; own++) {
      List<Device> gpus = List.of(device("gpu-0", 0x10), device("gpu-1", 0x11));
      List<Device> nics = new ArrayList<>();
      List<TopologyDevice> places = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        places.add(place(0x10 + i, DeviceKind.GPU, 0xf0 + i, null));
      }
      for (int i = 0; i < 3; i++) {
        nics.add(device("nic-" + i, 0x20 + i));
        places.add(place(0x20 + i, DeviceKind.NIC, i == own ? 0xf2 : 0xf3, null));
      }
      PlacementPolicy policy =
          PlacementPolicy.firstFit().withOverlays(node -> List.of(tree(places)));
      AllocationOutcome outcome =
          Servers.of(gpus, nics).allocate(policy, Servers.claim(2, 3).build());

      assertThat(Servers.score(outcome).gigabytesPerSecond()).as("own: nic-%d", own).isEqualTo(80);
    }
  }

  /** A device on a root of its NUMA node, of a port if that is not negative. */
  private static Device function(String name, int bus, int root, int port) {
    Device.Builder device =
        Device.named(name)
            .attribute(StandardAttributes.PCI_BUS_ID, new PciAddress(0, bus, 0, 0).toString())
            .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(root))
            .attribute(name.startsWith("gpu") ? "numa" : "dra.net/numaNode", root)
            .attribute("host.dra4j.io/megabitsPerSecond", 400_000);
    return (port < 0
            ? device
            : device.attribute(
                "host.dra4j.io/physicalFunction", new PciAddress(0, port, 0, 0).toString()))
        .build();
  }

  private static Device device(String name, int bus) {
    return Device.named(name)
        .attribute(StandardAttributes.PCI_BUS_ID, new PciAddress(0, bus, 0, 0).toString())
        .build();
  }

  private static TopologyDevice place(
      int bus, DeviceKind kind, int aSwitch, @Nullable PcieLink link) {
    return place(bus, kind, aSwitch, 0, link);
  }

  private static TopologyDevice place(
      int bus, DeviceKind kind, int aSwitch, int numaNode, @Nullable PcieLink link) {
    Location place =
        new Location(
            "cpu:" + numaNode, List.of(new PciAddress(0, aSwitch, 0, 0)), OptionalInt.of(numaNode));
    return TopologyDevice.of(new PciAddress(0, bus, 0, 0), kind, place)
        .withRates(link, OptionalLong.empty());
  }

  private static TopologyDevice bridge(int bus, PcieLink link) {
    return bridge(bus, 0, link);
  }

  private static TopologyDevice bridge(int bus, int numaNode, PcieLink link) {
    return TopologyDevice.of(
            new PciAddress(0, bus, 0, 0),
            DeviceKind.BRIDGE,
            new Location("cpu:" + numaNode, List.of(), OptionalInt.of(numaNode)))
        .withRates(link, OptionalLong.empty());
  }

  private static TreeOverlay tree(List<TopologyDevice> places) {
    return TreeOverlay.builder("tree.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(places.stream().filter(place -> place.kind() != DeviceKind.BRIDGE).toList())
        .bridges(places.stream().filter(place -> place.kind() == DeviceKind.BRIDGE).toList())
        .build();
  }

  @Test
  void claimsShareANicThatTheyHaveTogether() {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gpus.add(onRoot("gpu-" + i, i).build());
      nics.add(onRoot("nic-" + i, 0).allowMultipleAllocations().build());
    }
    ResourceClaim claim = Servers.claim(1, 1).build();

    Servers server = Servers.of(gpus, nics);
    assertThat(Servers.names(server.allocate(PlacementPolicy.best(), claim)))
        .isEqualTo("gpu-0 nic-0");
    server.shared(1, "nic-0");
    AllocationOutcome other = server.allocate(PlacementPolicy.best(), claim);
    assertThat(Servers.names(other)).isEqualTo("gpu-0 nic-1");
    assertThat(Servers.score(other).gigabytesPerSecond()).isEqualTo(40);
    server.shared(3, "nic-1");
    AllocationOutcome shared = server.allocate(PlacementPolicy.best(), claim);
    assertThat(Servers.names(shared)).isEqualTo("gpu-0 nic-0");
    assertThat(Servers.score(shared).gigabytesPerSecond()).isEqualTo(25);
    assertThat(Servers.score(shared).explanation()).contains("; 1 pair shares links");
    assertThat(
            Servers.score(server.allocate(PlacementPolicy.firstFit(), claim)).gigabytesPerSecond())
        .isEqualTo(25);
  }

  @Test
  void aGpuIsSharedWithClaimsThatHaveANicAsWell() {
    List<Device> gpus = List.of(onRoot("gpu-0", 0).allowMultipleAllocations().build());
    List<Device> nics = List.of(onRoot("nic-0", 0).build(), onRoot("nic-1", 0).build());
    ResourceClaim claim = Servers.claim(1, 1).build();

    Servers server = Servers.of(gpus, nics).shared(1, "gpu-0");
    assertThat(Servers.score(server.allocate(PlacementPolicy.best(), claim)).gigabytesPerSecond())
        .isEqualTo(40);
    Servers paired = Servers.of(gpus, nics).shared(1, "gpu-0", "nic-0");
    assertThat(Servers.score(paired.allocate(PlacementPolicy.best(), claim)).gigabytesPerSecond())
        .isEqualTo(20);
  }

  private static Device.Builder onRoot(String name, int root) {
    return Device.named(name)
        .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(root))
        .attribute(name.startsWith("gpu") ? "numa" : "dra.net/numaNode", root);
  }
}
