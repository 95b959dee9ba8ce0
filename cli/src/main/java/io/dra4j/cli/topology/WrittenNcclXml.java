package io.dra4j.cli.topology;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.NcclXmlWriter;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DevicePath;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a topology as an NCCL topology file. The file has places, not paths. If a matrix
 * contradicts the places, as the matrix of the hardware does on a virtual machine, switches are
 * invented. If that does not produce the paths either, the topology is refused.
 */
final class WrittenNcclXml {

  private static final String WRITTEN = "-o nccl-xml";

  private WrittenNcclXml() {}

  static String of(HostTopology topology) throws OverlayException {
    List<String> nowhere =
        topology.endpoints().stream()
            .filter(device -> device.address() == null && device.kind() != DeviceKind.NIC)
            .map(TopologyDevice::id)
            .toList();
    if (!nowhere.isEmpty()) {
      throw new OverlayException(
          WRITTEN,
          0,
          "the file identifies devices by PCI address, but these devices have no known address: "
              + CommandMessages.some(nowhere));
    }
    String text = NcclXmlWriter.write(topology);
    Optional<String> contradiction = contradiction(topology, text, false);
    if (contradiction.isEmpty()) {
      return text;
    }
    Optional<HostTopology> invented = InventedSwitches.in(topology);
    if (invented.isPresent()) {
      String withSwitches = NcclXmlWriter.write(invented.get());
      if (contradiction(topology, withSwitches, true).isEmpty()) {
        return withSwitches;
      }
    }
    throw new OverlayException(WRITTEN, 0, contradiction.get());
  }

  /** Returns the first path, of a matrix or of all, that would be different in the file. */
  private static Optional<String> contradiction(HostTopology topology, String text, boolean all)
      throws OverlayException {
    List<TopologyDevice> endpoints = topology.endpoints();
    HostTopology written = null;
    for (int i = 0; i < endpoints.size(); i++) {
      for (int j = i + 1; j < endpoints.size(); j++) {
        TopologyDevice a = endpoints.get(i);
        TopologyDevice b = endpoints.get(j);
        DevicePath said = topology.sourcedPath(topology.indexOf(a.id()), topology.indexOf(b.id()));
        boolean counts =
            said.source().isMatrix()
                || (all
                    && a.address() != null
                    && b.address() != null
                    && said.type() != PathType.UNKNOWN
                    && !isLinked(topology, a, b));
        if (!counts) {
          continue;
        }
        if (written == null) {
          written = read(text);
        }
        PathType path = path(written, a.address(), b.address());
        if (!agree(said.type(), path)) {
          return Optional.of(
              ("%s and %s are %s apart in the matrix, but would be %s apart in the file:"
                      + " omit --nvidia-smi")
                  .formatted(a.id(), b.id(), said.type(), path));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether devices have NVLinks. A matrix then has the NVLinks instead of the PCIe path,
   * which only the tree of the guest has.
   */
  private static boolean isLinked(HostTopology topology, TopologyDevice a, TopologyDevice b) {
    return topology.directLink(topology.indexOf(a.id()), topology.indexOf(b.id())).isPresent();
  }

  private static HostTopology read(String text) throws OverlayException {
    try {
      return HostTopology.builder()
          .overlay(
              NcclXml.read(
                  new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                  WRITTEN,
                  warning -> {}))
          .build();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read from memory", e);
    }
  }

  private static PathType path(
      HostTopology written, @Nullable PciAddress a, @Nullable PciAddress b) {
    return a == null
            || b == null
            || written.device(a.toString()).isEmpty()
            || written.device(b.toString()).isEmpty()
        ? PathType.UNKNOWN
        : written.path(a.toString(), b.toString());
  }

  /** Returns whether paths agree. The file does not define the host bridges of a path. */
  private static boolean agree(PathType said, PathType written) {
    if (written == PathType.HOST_BRIDGE_OR_NUMA_NODE) {
      return said == PathType.HOST_BRIDGE
          || said == PathType.NUMA_NODE
          || said == PathType.HOST_BRIDGE_OR_NUMA_NODE;
    }
    return said.nvidiaSmiName().equals(written.nvidiaSmiName());
  }
}
