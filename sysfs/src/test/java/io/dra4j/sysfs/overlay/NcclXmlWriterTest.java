package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.topology.CpuModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NcclXmlWriterTest {

  private static final String GPU = "0001:00:00.0";
  private static final String NIC = "0101:00:00.0";

  private static TopologyDevice device(String address, DeviceKind kind, Location location) {
    return TopologyDevice.of(PciAddress.parse(address), kind, location);
  }

  private static Location location(String root, int numaNode, String... bridges) {
    List<PciAddress> chain = Arrays.stream(bridges).map(PciAddress::parse).toList();
    return new Location(root, chain, OptionalInt.of(numaNode));
  }

  private static TreeOverlay overlay(List<TopologyDevice> devices, List<DirectLink> links) {
    return TreeOverlay.builder("recorded", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(devices)
        .links(links)
        .build();
  }

  private static HostTopology gpus(int count, int nvLinks) {
    List<TopologyDevice> devices = new ArrayList<>();
    List<DirectLink> links = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String address = "0000:%02x:00.0".formatted(16 + i);
      devices.add(device(address, DeviceKind.GPU, location("pci0000:00", 0)));
      for (int j = 0; j < i; j++) {
        String other = "0000:%02x:00.0".formatted(16 + j);
        links.add(new DirectLink(other, address, DirectLink.Type.NVLINK, nvLinks));
      }
    }
    return HostTopology.builder().devices(devices).overlay(overlay(List.of(), links)).build();
  }

  @Test
  void whatAnOverlayCorrectedStaysCorrected() throws Exception {
    // As on Azure: the guest sees each device below a host bridge of its own.
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(GPU, DeviceKind.GPU, location("pci0001:00", 0)),
                    device(NIC, DeviceKind.NIC, location("pci0101:00", 0))))
            .overlay(
                overlay(
                    List.of(
                        device(GPU, DeviceKind.GPU, location("cpu:0", 0, "ffff:ff:01.0")),
                        device(NIC, DeviceKind.NIC, location("cpu:0", 0, "ffff:ff:01.0"))),
                    List.of()))
            .build();
    assertThat(host.path(GPU, NIC)).isEqualTo(PathType.SWITCH);

    RoundTrip.assertKeeps(host);
  }

  @Test
  void moreNvLinksThanAGpuHasGoThroughNvSwitches() throws Exception {
    HostTopology host = gpus(8, 18);

    assertThat(NcclXmlWriter.write(host))
        .containsOnlyOnce("busid=\"0000:10:00.0\"")
        .contains("<nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>")
        .doesNotContain("target=\"0000:11:00.0\"");
    RoundTrip.assertKeeps(host);
  }

  @Test
  void asManyNvLinksAsAGpuHasGoFromGpuToGpu() throws Exception {
    HostTopology host = gpus(4, 4);

    assertThat(NcclXmlWriter.write(host))
        .contains("<nvlink target=\"0000:11:00.0\" count=\"4\" tclass=\"0x030200\"/>");
    RoundTrip.assertKeeps(host);
  }

  @Test
  void linksToTheProcessorAreWrittenOnlyWithTheRateThatNcclDemands() throws Exception {
    List<TopologyDevice> devices = List.of(device(GPU, DeviceKind.GPU, location("pci0001:00", 0)));
    DirectLink known = new DirectLink(GPU, "numa:0", DirectLink.Type.C2C, 10, 44_400);
    DirectLink unknown = new DirectLink(GPU, "numa:0", DirectLink.Type.C2C, 10);

    HostTopology host =
        HostTopology.builder().devices(devices).overlay(overlay(List.of(), List.of(known))).build();
    RoundTrip.assertKeeps(host);
    assertThat(
            NcclXmlWriter.write(
                HostTopology.builder()
                    .devices(devices)
                    .overlay(overlay(List.of(), List.of(unknown)))
                    .build()))
        .doesNotContain("c2c");
  }

  @Test
  void devicesOfOneSwitchStayTogetherWhateverTheirNumaNodes() throws Exception {
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(
                        "0000:04:00.0",
                        DeviceKind.GPU,
                        location("pci0000:00", 0, "0000:00:01.0", "0000:01:00.0", "0000:02:00.0")),
                    device(
                        "0000:05:00.0",
                        DeviceKind.NIC,
                        location("pci0000:00", 1, "0000:00:01.0", "0000:01:00.0", "0000:02:01.0"))))
            .build();

    RoundTrip.assertKeeps(host);
  }

  @Test
  void devicesOfOneBusStayTogether() throws Exception {
    Location bus = location("pci0000:00", 0, "0000:00:01.0", "0000:01:00.0", "0000:02:00.0");
    Location next = location("pci0000:00", 0, "0000:00:01.0", "0000:01:00.0", "0000:02:01.0");
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device("0000:03:00.0", DeviceKind.GPU, bus),
                    device("0000:03:01.0", DeviceKind.NIC, bus),
                    device("0000:04:00.0", DeviceKind.NIC, next)))
            .build();
    HostTopology again =
        HostTopology.builder().overlay(RoundTrip.read(NcclXmlWriter.write(host))).build();

    assertThat(again.path("0000:03:00.0", "0000:03:01.0")).isEqualTo(PathType.SWITCH);
    assertThat(again.path("0000:03:00.0", "0000:04:00.0")).isEqualTo(PathType.MULTI_SWITCH);
  }

  @Test
  void unknownNumaNodesStayUnknown() {
    HostTopology host =
        HostTopology.builder()
            .devices(
                List.of(
                    device(
                        GPU, DeviceKind.GPU, new Location(null, List.of(), OptionalInt.empty()))))
            .numaNodes(
                List.of(
                    new NumaNode(0, "0-31,64-95", OptionalInt.empty(), List.of()),
                    new NumaNode(1, "32-63", OptionalInt.empty(), List.of())))
            .cpu(new CpuModel("arm64", "", 0, 0))
            .build();

    assertThat(NcclXmlWriter.write(host))
        .contains("<cpu numaid=\"-1\" arch=\"arm64\">\n    <pci busid=\"0001:00:00.0\"")
        .contains("numaid=\"0\" affinity=\"ffffffff,00000000,ffffffff\"");
  }

  /** Trees as kernels make them: root ports, and switches with an upstream and downstream ports. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenIsReadBackEqual(long seed) throws Exception {
    Random random = new Random(seed);
    List<TopologyDevice> devices = new ArrayList<>();
    int bus = 1;
    for (int root = 0; root < 4; root++) {
      String rootPort = "%04x:00:01.0".formatted(root);
      String upstream = "%04x:01:00.0".formatted(root);
      for (int port : IntStream.range(0, 1 + random.nextInt(5)).toArray()) {
        String downstream = "%04x:02:%02x.0".formatted(root, port);
        bus++;
        devices.add(
            device(
                "%04x:%02x:00.0".formatted(root, bus + 2),
                random.nextBoolean() ? DeviceKind.GPU : DeviceKind.NIC,
                location("pci%04x:00".formatted(root), root / 2, rootPort, upstream, downstream)));
      }
    }

    RoundTrip.assertKeeps(HostTopology.builder().devices(devices).build());
  }
}
