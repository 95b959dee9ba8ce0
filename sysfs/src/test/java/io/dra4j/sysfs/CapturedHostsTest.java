package io.dra4j.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.Reading;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captured machines, read here and, at the moment of the capture, by other programs. */
class CapturedHostsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, HostInventory> READ = new TreeMap<>();

  /** The machines of the lab, where all four were asked. */
  static List<String> hosts() {
    return Reading.LSTOPO_XML.hosts();
  }

  @BeforeAll
  static void read() throws IOException {
    for (String name : hosts()) {
      try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
        Path root = memory.getPath("/host");
        CapturedHost.named(name).expandTo(root);
        READ.put(name, SysfsReader.read(Host.captured(root)));
      }
    }
  }

  private static HostInventory read(String name) {
    HostInventory inventory = Objects.requireNonNull(READ.get(name));
    assertThat(inventory.warnings()).isEmpty();
    return inventory;
  }

  private static TreeOverlay hwloc(String name) throws Exception {
    List<String> warnings = new ArrayList<>();
    byte[] xml = Reading.LSTOPO_XML.of(name).getBytes(StandardCharsets.UTF_8);
    TreeOverlay overlay = HwlocXml.read(new ByteArrayInputStream(xml), name, warnings::add);
    assertThat(warnings).isEmpty();
    return overlay;
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void hwlocSeesTheSamePlaces(String name) throws Exception {
    HostTopology topology = read(name).topology().build();

    TreeOverlay hwloc = hwloc(name);

    assertThat(hwloc.devices()).hasSizeGreaterThan(5);
    for (TopologyDevice expected : hwloc.devices()) {
      TopologyDevice device = topology.device(expected.id()).orElseThrow();
      assertThat(device.location().bridges())
          .as(expected.id())
          .isEqualTo(expected.location().bridges());
      if (topology.numaNodes().size() > 1) { // the kernel may name none where there is but one
        assertThat(device.location().numaNode())
            .as(expected.id())
            .isEqualTo(expected.location().numaNode());
      }
      assertThat(device.location().root()).as(expected.id()).isEqualTo(expected.location().root());
      if (expected.kind() == DeviceKind.NIC) {
        assertThat(device.names()).as(expected.id()).containsAll(expected.names());
      }
    }
  }

  /** hwloc knows no physical functions; all else must be equal. */
  @ParameterizedTest
  @MethodSource("hosts")
  void hwlocGivesTheSamePaths(String name) throws Exception {
    HostTopology ours = read(name).topology().build();
    HostTopology theirs = HostTopology.builder().overlay(hwloc(name)).build();

    List<TopologyDevice> endpoints = theirs.endpoints();
    assertThat(endpoints).isNotEmpty();
    for (TopologyDevice a : endpoints) {
      for (TopologyDevice b : endpoints) {
        PathType type = ours.path(a.id(), b.id());
        boolean virtual = type == PathType.SAME_CARD;
        assertThat(type)
            .as("%s %s", a.id(), b.id())
            .isEqualTo(virtual ? PathType.SAME_CARD : theirs.path(a.id(), b.id()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void lspciListsTheSameFunctions(String name) throws Exception {
    List<String> ours = new ArrayList<>();
    for (PciFunction function : read(name).pciFunctions()) {
      assertThat(function.identity()).isNotNull();
      ours.add(
          "%s %04x %04x:%04x"
              .formatted(
                  function.address(),
                  function.identity().classCode() >>> 8,
                  function.identity().vendor(),
                  function.identity().device()));
    }
    List<String> theirs = new ArrayList<>();
    for (String line : Reading.LSPCI_TXT.of(name).split("\n\n", -1)[1].split("\n", -1)) {
      if (!line.isBlank()) {
        List<String> ids = new ArrayList<>();
        Matcher id = Pattern.compile("\\[([0-9a-f]{4}(?::[0-9a-f]{4})?)]").matcher(line);
        while (id.find()) {
          ids.add(id.group(1));
        }
        theirs.add(line.substring(0, line.indexOf(' ')) + " " + ids.get(0) + " " + ids.get(1));
      }
    }
    assertThat(ours).containsExactlyElementsOf(theirs);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void ipLinkListsTheSameNetdevs(String name) throws Exception {
    Map<String, Netdev> ours = new TreeMap<>();
    read(name).netdevs().forEach(netdev -> ours.put(netdev.name(), netdev));
    JsonNode links = JSON.readTree(Reading.LINK_JSON.of(name));
    assertThat(links).hasSize(ours.size());
    for (JsonNode link : links) {
      Netdev netdev = ours.get(link.get("ifname").asText());
      assertThat(netdev).as(link.get("ifname").asText()).isNotNull();
      assertThat(netdev.index()).hasValue(link.get("ifindex").asInt());
      assertThat(netdev.mtu()).hasValue(link.get("mtu").asInt());
      assertThat(netdev.hardwareAddress()).isEqualTo(link.get("address").asText());
      assertThat(netdev.operationalState()).isEqualToIgnoringCase(link.get("operstate").asText());
      if (link.has("parentbus") && link.get("parentbus").asText().equals("pci")) {
        assertThat(netdev.address()).hasToString(link.get("parentdev").asText());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void rdmaListsTheSameDevices(String name) throws Exception {
    Map<String, RdmaDevice> ours = new TreeMap<>();
    HostInventory inventory = read(name);
    inventory.rdmaDevices().forEach(device -> ours.put(device.name(), device));
    JsonNode rdma = JSON.readTree(Reading.RDMA_JSON.of(name));
    assertThat(rdma.get("dev")).hasSize(ours.size());
    for (JsonNode expected : rdma.get("dev")) {
      RdmaDevice device = Objects.requireNonNull(ours.get(expected.get("ifname").asText()));
      assertThat(device.nodeGuid()).isEqualTo(expected.get("node_guid").asText());
      assertThat(device.sysImageGuid()).isEqualTo(expected.get("sys_image_guid").asText());
    }
    for (JsonNode expected : rdma.get("link")) {
      RdmaDevice device = Objects.requireNonNull(ours.get(expected.get("ifname").asText()));
      assertThat(device.parent()).isEqualTo(expected.get("netdev").asText());
      assertThat(device.ports())
          .filteredOn(port -> port.number() == expected.get("port").asInt())
          .singleElement()
          .satisfies(
              port -> {
                assertThat(port.state()).isEqualTo(expected.get("state").asText());
                assertThat(port.physicalState().replace("LinkUp", "LINK_UP"))
                    .isEqualTo(expected.get("physical_state").asText());
              });
      assertThat(
              inventory.pciFunctions().stream()
                  .filter(function -> function.names().contains(device.name()))
                  .findFirst()
                  .orElseThrow()
                  .names())
          .contains(expected.get("netdev").asText());
    }
  }
}
