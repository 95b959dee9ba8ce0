package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.topology.CpuModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NcclXmlTest {

  private final List<String> warnings = new ArrayList<>();

  private TreeOverlay read(String xml) throws Exception {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    return NcclXml.read(new ByteArrayInputStream(bytes), "test.xml", warnings::add);
  }

  private TreeOverlay fixture() throws Exception {
    try (InputStream in =
        Objects.requireNonNull(NcclXmlTest.class.getResourceAsStream("two-sockets.nccl.xml"))) {
      return NcclXml.read(in, "two-sockets.nccl.xml", warnings::add);
    }
  }

  private static TopologyDevice device(TreeOverlay overlay, String id) {
    return overlay.devices().stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static String cpu(String host, int node, String address, int links) {
    return """
        <cpu %s numaid="%d"><pci busid="%s" class="0x030200"><gpu>
          <nvlink target="fffffff:ff:ff.0" count="%d" tclass="0x068000"/>
        </gpu></pci></cpu>"""
        .formatted(host.isEmpty() ? "" : "host_hash=\"" + host + "\"", node, address, links);
  }

  @ParameterizedTest
  @CsvSource({
    "0xaa, 0xaa, 0xbb, 0xbb, 18", // one after the other
    "0xaa, 0xaa, 0xbb, '', 4", // without one, it belongs to the first
    "0xAA, 0xaa, 0xbb, 0xcc, 18"
  })
  void ofAFileOfSeveralHostsTheFirstIsRead(
      String first, String second, String third, String fourth, int links) throws Exception {
    TreeOverlay overlay =
        read(
            "<system version=\"1\">"
                + cpu(first, 0, "0000:01:00.0", 18)
                + cpu(second, 1, "0000:02:00.0", 18)
                + cpu(third, 0, "0000:01:00.0", 18)
                + cpu(fourth, 1, fourth.isEmpty() ? "0000:03:00.0" : "0000:02:00.0", 4)
                + "</system>");

    assertThat(overlay.links()).extracting(DirectLink::count).contains(links).doesNotContain(36);
    assertThat(warnings)
        .singleElement()
        .asString()
        .matches("test.xml: has [23] hosts; only the first one is read, with host_hash '0xaa'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0xaa"})
  void aFileOfOneHostIsReadAsAWhole(String host) throws Exception {
    TreeOverlay overlay =
        read(
            "<system version=\"1\">"
                + cpu(host, 0, "0000:01:00.0", 18)
                + cpu(host, 1, "0000:02:00.0", 18)
                + "</system>");

    assertThat(warnings).isEmpty();
    assertThat(overlay.links())
        .containsExactly(
            new DirectLink("0000:01:00.0", "0000:02:00.0", DirectLink.Type.NVLINK, 18));
  }

  @Test
  void aFileTellsKindsPlacesLinksAndNames() throws Exception {
    TreeOverlay overlay = fixture();

    assertThat(warnings).isEmpty();
    assertThat(overlay.cpu()).isEqualTo(new CpuModel("x86_64", "GenuineIntel", 6, 143));
    assertThat(overlay.numaNodes()).extracting(NumaNode::cpus).containsExactly("0-15", "32-63");
    assertThat(device(overlay, "0000:11:00.0").kind()).isEqualTo(DeviceKind.GPU);
    assertThat(device(overlay, "0000:82:00.0").kind()).isEqualTo(DeviceKind.GPU);
    assertThat(device(overlay, "0000:90:00.0").kind()).isEqualTo(DeviceKind.UNKNOWN);
    assertThat(device(overlay, "0000:13:00.0").names()).containsExactly("mlx5_0");
    assertThat(device(overlay, "0000:13:00.0").link()).isEqualTo(new PcieLink(8_000, 16));
    assertThat(device(overlay, "0000:84:00.0").link()).isEqualTo(new PcieLink(32_000, 16));
    assertThat(device(overlay, "0000:82:00.0").link()).isNull();
    assertThat(device(overlay, "net:eth0").location().numaNode()).hasValue(0);
    assertThat(overlay.bridges()).hasSize(4);
  }

  @Test
  void nvSwitchesJoinTheirGpusAtTheSpeedOfTheSlowerOne() throws Exception {
    assertThat(fixture().links())
        .contains(
            new DirectLink("0000:11:00.0", "0000:12:00.0", DirectLink.Type.NVLINK, 10),
            new DirectLink("0000:11:00.0", "numa:0", DirectLink.Type.C2C, 2, 42_000),
            new DirectLink("0000:82:00.0", "0000:84:00.0", DirectLink.Type.XGMI, 1));
  }

  @Test
  void switchesAndNumaNodesGivePaths() throws Exception {
    HostTopology host = HostTopology.builder().overlay(fixture()).build();

    assertThat(host.path("0000:11:00.0", "0000:13:00.0")).isEqualTo(PathType.SWITCH);
    assertThat(host.path("0000:11:00.0", "net:eth0")).isEqualTo(PathType.HOST_BRIDGE_OR_NUMA_NODE);
    assertThat(host.path("0000:11:00.0", "0000:82:00.0")).isEqualTo(PathType.SYSTEM);
    assertThat(host.path("0000:82:00.0", "0000:84:00.0")).isEqualTo(PathType.SWITCH); // Broadcom
  }

  @Test
  void whatIsWrittenIsReadBackEqual() throws Exception {
    HostTopology host = HostTopology.builder().overlay(fixture()).build();

    RoundTrip.assertKeeps(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no xml at all",
        "<topology version=\"2.0\"/>",
        "<system version=\"1\"><cpu numaid=\"0\">",
        "<system version=\"99\"><cpu numaid=\"0\"/></system>",
        "<system version=\"\u0001\"/>",
        "<system version=\"1\"><cpu numaid=\"0\"/></system><system/>",
        "\u0000\u0001\u0002"
      })
  void whatIsNoTopologyFileIsRefusedByName(String xml) {
    assertThatThrownBy(() -> read(xml))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("test[.]xml(:\\d+){0,2}: .*");
  }

  @Test
  void entitiesAreNotExpanded() {
    String bomb =
        """
        <?xml version="1.0"?>
        <!DOCTYPE system [
          <!ENTITY a "aaaaaaaaaa">
          <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
          <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
        ]>
        <system version="1"><cpu numaid="0">&c;</cpu></system>
        """;

    assertThatThrownBy(() -> read(bomb)).isInstanceOf(OverlayException.class);
  }

  @Test
  void nothingOutsideTheFileIsOpened() {
    String xml =
        """
        <!DOCTYPE system [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
        <system version="1"><cpu numaid="0">&secret;</cpu></system>
        """;

    assertThatThrownBy(() -> read(xml)).isInstanceOf(OverlayException.class);
  }

  @Test
  void depthIsBounded() {
    String xml = "<system version=\"1\">" + "<cpu>".repeat(100_000);

    assertThatThrownBy(() -> read(xml))
        .isInstanceOf(OverlayException.class)
        .hasMessageContaining("levels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<cpu numaid=\"99999999999\"><pci busid=\"0000:01:00.0\"/></cpu>",
        "<cpu numaid=\"0\"><pci busid=\"junk\"/></cpu>",
        "<cpu numaid=\"0\"><pci/></cpu>"
      })
  void anAbsurdEntryCostsThatEntryOnly(String entry) throws Exception {
    String good = "<cpu numaid=\"1\"><pci busid=\"0000:02:00.0\" class=\"0x020000\"/></cpu>";

    TreeOverlay overlay = read("<system version=\"1\">\n" + entry + "\n" + good + "</system>");

    assertThat(overlay.devices()).extracting(TopologyDevice::id).containsExactly("0000:02:00.0");
    assertThat(warnings).singleElement().asString().startsWith("test.xml:2: ");
  }

  /** As much as there is of it in one line each. */
  @Test
  void whatIsNotUnderstoodIsTold() throws Exception {
    TreeOverlay overlay =
        read(
            """
            <system>
             <cpu numaid="0">
              <pcie busid="0000:01:00.0"/>
              <pcie busid="0000:02:00.0"/>
              <pci busid="0000:03:00.0" link_speed="fast" link_width="16"><nic>
               <net name="a" speed="-1"/>
               <rail/>
              </nic></pci>
              <pci busid="0000:04:00.0" link_speed="8 GT/s" link_width="-3"><pcilink/></pci>
             </cpu>
             <gpu/>
            </system>
            """);

    assertThat(overlay.devices()).hasSize(2).allMatch(device -> device.link() == null);
    assertThat(warnings)
        .containsExactly(
            "test.xml:1: <system>: has no version, so NCCL would reject the file; read as "
                + "version 1",
            "test.xml:3: element 'pcie' in <cpu>: expected nic, pci; left out (2 times)",
            "test.xml:7: element 'rail' in <nic>: expected net; left out",
            "test.xml:11: element 'gpu' in <system>: expected cpu; left out",
            "test.xml:5: <pci>: expected a link_speed such as 32.0 GT/s PCIe and a link_width from"
                + " 0 to 32, found 'fast' and '16'; the speed is left out",
            "test.xml:6: <net>: expected a speed in Mbit/s, found '-1'; the speed is left out",
            "test.xml:9: <pci>: expected a link_speed such as 32.0 GT/s PCIe and a link_width from"
                + " 0 to 32, found '8 GT/s' and '-3'; the speed is left out");
  }

  @ParameterizedTest
  @CsvSource({
    "32.0 GT/s PCIe, 0,  48", // of a virtual root, whose end of the link nobody knows
    "16.0 GT/s PCIe, '', 24",
    "32.0 GT/s PCIe, 8,  24",
    "'',             0,  0",
    "'',             16, 0"
  })
  void aLinkCarriesWhatNcclSupposes(String speed, String width, double gigabytes) throws Exception {
    TreeOverlay overlay =
        read(
            "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\" link_speed=\"%s\" link_width=\"%s\"/></cpu></system>"
                .formatted(speed, width));

    PcieLink link = device(overlay, "0000:01:00.0").link();
    assertThat(link == null ? 0 : link.ncclGigabytesPerSecond()).isEqualTo(gigabytes);
  }

  @Test
  void aNicWithoutAddressHasItsRateAndIsPlacedBelowAllCpusButTheFirst() throws Exception {
    TreeOverlay overlay =
        read(
            """
            <system version="1">
              <cpu numaid="0"><nic><net name="eth0" speed="10000"/><net name="eth1"/></nic></cpu>
              <cpu numaid="1"><nic><net name="eth2" speed="25000"/></nic></cpu>
            </system>
            """);

    assertThat(device(overlay, "net:eth0").megabitsPerSecond()).hasValue(10_000);
    assertThat(device(overlay, "net:eth1").megabitsPerSecond()).isEmpty();
    assertThat(device(overlay, "net:eth2").megabitsPerSecond()).hasValue(25_000);
    assertThat(overlay.unplaced()).containsExactlyInAnyOrder("net:eth0", "net:eth1");
  }

  private static String gpu(int bus, String link) {
    return "<pci busid=\"%04x:01:00.0\" class=\"0x030200\"><gpu>%s</gpu></pci>"
        .formatted(bus, link);
  }

  @Test
  void whatAVirtualMachineDoesNotSeeIsAnNvSwitch() throws Exception {
    String link = "<nvlink target=\"fffffff:ffff:ff\" count=\"18\"/>";

    TreeOverlay overlay =
        read(
            "<system version=\"1\"><cpu numaid=\"0\">"
                + gpu(1, link)
                + gpu(2, link)
                + "</cpu></system>");

    assertThat(warnings).isEmpty();
    assertThat(overlay.links())
        .containsExactly(
            new DirectLink("0001:01:00.0", "0002:01:00.0", DirectLink.Type.NVLINK, 18));
  }

  @Test
  void nvLinksToProcessorsJoinNoGpus() throws Exception {
    String link = "<nvlink target=\"0004:00:00.0\" count=\"3\" tclass=\"0x068001\"/>";

    TreeOverlay overlay =
        read(
            "<system version=\"1\"><cpu numaid=\"0\">"
                + gpu(1, link)
                + gpu(2, link)
                + "</cpu></system>");

    assertThat(warnings).isEmpty();
    assertThat(overlay.links()).isEmpty();
  }

  @Test
  void gpusAtNvSwitchesAreBounded() throws Exception {
    String link = "<nvlink target=\"fffffff:ffff:ff\" count=\"18\"/>";
    StringBuilder xml = new StringBuilder("<system version=\"1\"><cpu numaid=\"0\">");
    for (int i = 0; i < 20_000; i++) {
      xml.append(gpu(i, link));
    }

    TreeOverlay overlay = read(xml.append("</cpu></system>").toString());

    assertThat(overlay.devices()).hasSize(20_000);
    assertThat(overlay.links()).isEmpty();
    assertThat(warnings).singleElement().asString().contains("at most 256", "20000");
  }

  @Test
  void theMessageSaysWhere() {
    assertThatThrownBy(() -> read("<system>\n  <cpu numaid=0/>\n</system>"))
        .isInstanceOf(OverlayException.class)
        .hasMessageStartingWith("test.xml:2:");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedFilesAreRefusedOrReadInPart(long seed) throws Exception {
    Random random = new Random(seed);
    byte[] whole;
    try (InputStream in =
        Objects.requireNonNull(NcclXmlTest.class.getResourceAsStream("two-sockets.nccl.xml"))) {
      whole = in.readAllBytes();
    }
    int refused = 0;
    for (int i = 0; i < 1_000; i++) {
      byte[] damaged =
          Arrays.copyOf(whole, i % 4 == 0 ? random.nextInt(whole.length) : whole.length);
      for (int j = 0; j <= random.nextInt(4) && damaged.length > 0; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        NcclXml.read(new ByteArrayInputStream(damaged), "damaged", warnings::add);
      } catch (OverlayException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(250, 1_000);
  }
}
