package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HwlocXmlTest {

  private final List<String> warnings = new ArrayList<>();

  private TreeOverlay read(String xml) throws Exception {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    return HwlocXml.read(new ByteArrayInputStream(bytes), "host.xml", warnings::add);
  }

  private static String machine(String version, String objects) {
    return """
        <?xml version="1.0"?>
        <!DOCTYPE topology SYSTEM "hwloc2.dtd">
        <topology version="%s">
          <object type="Machine" nodeset="0x00000003">
            <object type="Package" os_index="1" nodeset="0x00000002">
              <object type="NUMANode" os_index="1" cpuset="0x0000ff00" nodeset="0x00000002"/>
              <object type="Bridge" bridge_type="0-1" bridge_pci="0000:[80-9f]">
                <object type="Bridge" bridge_type="1-1" bridge_pci="0000:[81-81]" \
        pci_busid="0000:80:01.0" pci_type="0604 [8086:2030] [8086:0000] 04">
                  %s
                </object>
              </object>
            </object>
          </object>
        </topology>
        """
        .formatted(version, objects);
  }

  // Networks are number 2 in format 2 and the fifth bit in format 3.
  @ParameterizedTest
  @CsvSource({"2.0, 2", "2.0, 3", "3.0, 16", "3.0, 32"})
  void bothFormatsAreRead(String version, String networkType) throws Exception {
    TreeOverlay overlay =
        read(
            machine(
                version,
                """
                <object type="PCIDev" pci_busid="0000:81:00.0" pci_type="0280 [15b3:1021] [15b3:0101] 00">
                  <object type="OSDev" name="net7" osdev_type="%s"/>
                </object>
                """
                    .formatted(networkType)));

    assertThat(warnings).isEmpty();
    TopologyDevice device = overlay.devices().get(0);
    assertThat(device.kind()).isEqualTo(DeviceKind.NIC);
    assertThat(device.names()).containsExactly("net7");
    assertThat(device.location().root()).isEqualTo("pci0000:80");
    assertThat(device.location().bridges()).hasToString("[0000:80:01.0]");
    assertThat(device.location().numaNode()).hasValue(1);
    assertThat(overlay.numaNodes().get(0).cpus()).isEqualTo("8-15");
    assertThat(overlay.numaNodes().get(0).socket()).hasValue(1);
  }

  /** One package with a NIC, and its NUMA nodes. */
  private static String nodes(String nodeset, String... nodes) {
    return """
        <topology version="2.0"><object type="Machine" nodeset="0x000000ff">
          <object type="Package" os_index="0" nodeset="%s">%s
            <object type="Bridge" bridge_type="0-1" bridge_pci="0000:[80-9f]">
              <object type="PCIDev" pci_busid="0000:81:00.0" pci_type="0207 [15b3:1021] [15b3:0041] 00"/>
            </object>
          </object>
        </object></topology>
        """
        .formatted(nodeset, String.join("\n", nodes));
  }

  private static String node(int id, String cpus, String subtype) {
    return "<object type=\"NUMANode\" os_index=\"%d\" cpuset=\"%s\" nodeset=\"0x%x\"%s/>"
        .formatted(id, cpus, 1 << id, subtype.isEmpty() ? "" : " subtype=\"" + subtype + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GPUMemory", "HBM", "NVM", "SPM", "CXL-DRAM", ""})
  void memoryWithoutCpusIsNoPlaceOfDevices(String subtype) throws Exception {
    TreeOverlay overlay = read(nodes("0x00000005", node(0, "0x0f", ""), node(2, "0x0f", subtype)));

    assertThat(overlay.devices().get(0).location().numaNode()).hasValue(0);
    assertThat(overlay.numaNodes()).extracting(NumaNode::cpus).containsExactly("0-3", "");
  }

  @Test
  void memoryNearTheWholeMachineIsNoPlaceOfDevices() throws Exception {
    TreeOverlay overlay = read(nodes("0x00000005", node(0, "0x0f", "DRAM"), node(2, "0xff", "")));

    assertThat(overlay.devices().get(0).location().numaNode()).hasValue(0);
  }

  @Test
  void memoryThatIsThereAloneIsThePlace() throws Exception {
    TreeOverlay overlay = read(nodes("0x00000004", node(2, "0x0f", "HBM")));

    assertThat(overlay.devices().get(0).location().numaNode()).hasValue(2);
  }

  @Test
  void devicesOfAPackageWithTwoNodesOfCpusAreInNeither() throws Exception {
    TreeOverlay overlay =
        read(
            nodes(
                "0x0000000f",
                node(0, "0x03", "DRAM"),
                node(1, "0x0c", "DRAM"),
                node(2, "0x03", "HBM"),
                node(3, "0x0c", "HBM")));

    assertThat(overlay.devices().get(0).location().numaNode()).isEmpty();
    assertThat(overlay.numaNodes())
        .extracting(NumaNode::cpus)
        .containsExactly("0-1", "2-3", "", "");
  }

  private static String latencies(String indexes, String values) {
    return """
        <topology version="2.0">
          <object type="Machine">
            <object type="NUMANode" os_index="4" cpuset="0x1" nodeset="0x10"/>
            <object type="NUMANode" os_index="2" cpuset="0x2" nodeset="0x4"/>
          </object>
          <distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os">
            <indexes length="4">%s</indexes>
            <u64values length="6">%s</u64values>
            <u64values length="6">17 10 </u64values>
          </distances2>
        </topology>
        """
        .formatted(indexes, values);
  }

  @Test
  void distancesOfNumaNodesAreInTheOrderOfTheirNumbers() throws Exception {
    TreeOverlay overlay = read(latencies("4 2 ", "10 21 "));

    assertThat(warnings).isEmpty();
    assertThat(overlay.numaNodes())
        .extracting(NumaNode::id, NumaNode::distances)
        .containsExactly(tuple(4, List.of(21, 10)), tuple(2, List.of(10, 17)));
  }

  @ParameterizedTest
  @CsvSource({"4 2, 10", "4 4, 10 21", "4 2, 10 junk", "4 2, 10 99999999999", "4, 10 21", "'',10"})
  void distancesThatMakeNoSenseAreLeftOut(String indexes, String values) throws Exception {
    TreeOverlay overlay = read(latencies(indexes, values));

    assertThat(overlay.numaNodes()).extracting(NumaNode::distances).containsOnly(List.of());
    assertThat(warnings).singleElement().asString().startsWith("host.xml:6: ");
  }

  @Test
  void anAbsurdEntryCostsThatEntryOnly() throws Exception {
    TreeOverlay overlay =
        read(
            machine(
                "2.0",
                """
                <object type="PCIDev" pci_busid="junk" pci_type="0302 [10de:2330] [10de:16c1] a1"/>
                <object type="PCIDev" pci_busid="0000:81:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1"/>
                """));

    assertThat(overlay.devices()).extracting(TopologyDevice::id).containsExactly("0000:81:00.0");
    assertThat(warnings).singleElement().asString().contains("host.xml:", "pci_busid");
  }

  @Test
  void ofTwoEntriesForOneDeviceTheLastWins() throws Exception {
    TreeOverlay overlay =
        read(
            machine(
                "2.0",
                """
                <object type="PCIDev" pci_busid="0000:81:00.0" pci_type="0107 [10de:2330] [10de:16c1] a1"/>
                <object type="PCIDev" pci_busid="0000:81:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1"/>
                <object type="PCIDev" pci_busid="0000:81:01.0" pci_type="0200 [8086:10d3] [8086:0000] 00"/>
                """));
    HostTopology host = HostTopology.builder().overlay(overlay).build();

    assertThat(host.device("0000:81:00.0").orElseThrow().kind()).isEqualTo(DeviceKind.GPU);
    assertThat(host.path("0000:81:00.0", "0000:81:01.0")).isEqualTo(PathType.SWITCH);
    assertThat(host.warnings()).singleElement().asString().contains("0000:81:00.0 occurs twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<topology/>",
        "<topology version=\"1.0\"/>",
        "<topology version=\"4.0\"/>",
        "<system version=\"2.0\"/>"
      })
  void otherFormatsAreRefusedByName(String xml) {
    assertThatThrownBy(() -> read(xml))
        .isInstanceOf(OverlayException.class)
        .hasMessageMatching("host[.]xml(:\\d+){0,2}: .*");
  }
}
