package io.dra4j.sysfs.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TreeOverlay;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes a host as an NCCL topology file and reads it again. */
final class RoundTrip {

  private RoundTrip() {}

  static TreeOverlay read(String xml) throws Exception {
    List<String> warnings = new ArrayList<>();
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    TreeOverlay overlay = NcclXml.read(new ByteArrayInputStream(bytes), "again", warnings::add);
    assertThat(warnings).isEmpty();
    return overlay;
  }

  /**
   * The file gives the paths that such a file can give, and writing it again gives the same file.
   */
  static void assertKeeps(HostTopology host) throws Exception {
    String xml = NcclXmlWriter.write(host);
    HostTopology again = HostTopology.builder().overlay(read(xml)).build();

    List<TopologyDevice> endpoints = host.endpoints();
    assertThat(again.endpoints()).hasSameSizeAs(endpoints);
    for (TopologyDevice a : endpoints) {
      for (TopologyDevice b : endpoints) {
        assertThat(again.path(a.id(), b.id()))
            .as("%s %s", a.id(), b.id())
            .isEqualTo(asNccl(host, a, b));
      }
    }
    assertThat(again.links()).containsExactlyElementsOf(host.links());
    assertThat(NcclXmlWriter.write(again)).isEqualTo(xml);
  }

  private static PathType asNccl(HostTopology host, TopologyDevice a, TopologyDevice b) {
    PathType type = host.path(a.id(), b.id());
    return switch (type) {
      case HOST_BRIDGE, NUMA_NODE -> PathType.HOST_BRIDGE_OR_NUMA_NODE;
      default -> type;
    };
  }
}
