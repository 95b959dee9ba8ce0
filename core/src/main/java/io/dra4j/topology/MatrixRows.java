package io.dra4j.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The rows of a recorded matrix and the devices of the host that they are about. */
final class MatrixRows {

  private static final int NVIDIA = 0x10de;

  private final MatrixOverlay overlay;
  private final Map<String, Integer> rowById;

  private MatrixRows(MatrixOverlay overlay, Map<String, Integer> rowById) {
    this.overlay = overlay;
    this.rowById = rowById;
  }

  /** Finds the devices that the rows are about. */
  static MatrixRows match(
      MatrixOverlay recorded, List<TopologyDevice> sorted, List<String> warnings) {
    MatrixOverlay overlay = withoutRepeats(recorded, warnings);
    reportContradictions(overlay, warnings);
    Map<String, Integer> rowById = new HashMap<>();
    matchGpus(overlay, sorted, rowById, warnings);
    matchNics(overlay, sorted, rowById, warnings);
    return new MatrixRows(overlay, rowById);
  }

  /** Leaves one row of each label. */
  private static MatrixOverlay withoutRepeats(MatrixOverlay overlay, List<String> warnings) {
    Map<String, MatrixOverlay.Row> byLabel = new LinkedHashMap<>();
    for (MatrixOverlay.Row row : overlay.rows()) {
      if (byLabel.put(row.label(), row) != null) {
        warnings.add(overlay.origin() + ": " + row.label() + " is there twice; the last one wins");
      }
    }
    return new MatrixOverlay(overlay.origin(), List.copyOf(byLabel.values()));
  }

  /** Each pair of devices is there twice, once in either row. */
  private static void reportContradictions(MatrixOverlay overlay, List<String> warnings) {
    int count = 0;
    String first = "";
    for (int j = 1; j < overlay.rows().size(); j++) {
      MatrixOverlay.Row later = overlay.rows().get(j);
      for (MatrixOverlay.Row earlier : overlay.rows().subList(0, j)) {
        String one = cell(earlier, later.label());
        String other = cell(later, earlier.label());
        if (one.isEmpty() || other.isEmpty() || one.equals(other)) {
          continue;
        }
        if (count++ == 0) {
          first =
              "%s: from %s to %s it is %s, and back %s"
                  .formatted(overlay.origin(), earlier.label(), later.label(), one, other);
        }
      }
    }
    if (count > 0) {
      warnings.add(
          first
              + (count > 1 ? " (and " + (count - 1) + " more such pairs)" : "")
              + "; of two paths or numbers of links that of the later row counts");
    }
  }

  /** What a row says of another device; empty if nothing. */
  private static String cell(MatrixOverlay.Row row, String label) {
    Integer links = row.nvLinks().get(label);
    PathType path = row.paths().get(label);
    return links != null && links > 0 ? "NV" + links : path == null ? "" : path.toString();
  }

  /** The index of a GPU is its place in the order of PCI addresses (NVML, nvmlDeviceGetIndex). */
  private static void matchGpus(
      MatrixOverlay overlay,
      List<TopologyDevice> sorted,
      Map<String, Integer> rowById,
      List<String> warnings) {
    List<TopologyDevice> gpus =
        sorted.stream()
            .filter(device -> device.kind() == DeviceKind.GPU)
            .filter(device -> mayBeOfNvidia(device.identity()))
            .toList();
    matchInOrder(overlay, rows(overlay, DeviceKind.GPU), gpus, "GPUs", rowById, warnings);
  }

  private static boolean mayBeOfNvidia(@Nullable PciIdentity identity) {
    return identity == null || identity.vendor() == NVIDIA || identity.vendor() == 0;
  }

  private static void matchNics(
      MatrixOverlay overlay,
      List<TopologyDevice> sorted,
      Map<String, Integer> rowById,
      List<String> warnings) {
    List<Integer> unnamed = new ArrayList<>();
    for (int row : rows(overlay, DeviceKind.NIC)) {
      String name = overlay.rows().get(row).name();
      List<String> ids =
          sorted.stream()
              .filter(device -> device.names().contains(name))
              .map(TopologyDevice::id)
              .toList();
      ids.forEach(id -> rowById.put(id, row));
      if (ids.isEmpty()) {
        unnamed.add(row);
      }
    }
    List<TopologyDevice> nics =
        sorted.stream()
            .filter(device -> device.kind() == DeviceKind.NIC && !rowById.containsKey(device.id()))
            .toList();
    matchInOrder(overlay, unnamed, nics, "NICs", rowById, warnings);
  }

  private static void matchInOrder(
      MatrixOverlay overlay,
      List<Integer> rows,
      List<TopologyDevice> devices,
      String what,
      Map<String, Integer> rowById,
      List<String> warnings) {
    if (rows.isEmpty()) {
      return;
    }
    if (rows.size() != devices.size()) {
      warnings.add(
          overlay.origin()
              + " has "
              + rows.size()
              + " "
              + what
              + " that no name connects with one of the "
              + devices.size()
              + " here; they are left out");
      return;
    }
    for (int i = 0; i < rows.size(); i++) {
      rowById.put(devices.get(i).id(), rows.get(i));
    }
  }

  private static List<Integer> rows(MatrixOverlay overlay, DeviceKind kind) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < overlay.rows().size(); i++) {
      if (overlay.rows().get(i).kind() == kind) {
        rows.add(i);
      }
    }
    rows.sort(Comparator.comparingInt(row -> index(overlay.rows().get(row).label())));
    return rows;
  }

  /** The number at the end of a label, so that GPU10 comes after GPU9. */
  private static int index(String label) {
    int from = label.length();
    while (from > 0 && Character.digit(label.charAt(from - 1), 10) >= 0) {
      from--;
    }
    String digits = label.substring(from);
    return digits.isEmpty() || digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  /** How many rows are about a device. */
  int count() {
    return (int) rowById.values().stream().distinct().count();
  }

  /** The devices with the NUMA nodes that the matrix gives. */
  List<TopologyDevice> withNumaNodes(List<TopologyDevice> devices) {
    List<TopologyDevice> result = new ArrayList<>(devices.size());
    for (TopologyDevice device : devices) {
      Integer row = rowById.get(device.id());
      OptionalInt node = row == null ? OptionalInt.empty() : overlay.rows().get(row).numaNode();
      result.add(node.isPresent() ? device.withNumaNode(node.getAsInt()) : device);
    }
    return result;
  }

  PathLayer layer(List<TopologyDevice> sorted) {
    MatrixLayer layer =
        new MatrixLayer(overlay.origin(), overlay.source(), sorted.size(), overlay.rows().size());
    for (int i = 0; i < sorted.size(); i++) {
      Integer row = rowById.get(sorted.get(i).id());
      if (row != null) {
        layer.row(i, row);
      }
    }
    Map<String, Integer> rowByLabel = new HashMap<>();
    overlay.rows().forEach(row -> rowByLabel.put(row.label(), rowByLabel.size())); // each once
    for (int i = 0; i < overlay.rows().size(); i++) {
      int from = i;
      overlay
          .rows()
          .get(i)
          .paths()
          .forEach(
              (label, type) -> {
                Integer to = rowByLabel.get(label);
                if (to != null) {
                  layer.path(from, to, type);
                }
              });
    }
    return layer;
  }

  /** The NVLinks between the devices, by their ids. */
  List<DirectLink> links() {
    Map<String, String> idByLabel = new HashMap<>();
    rowById.forEach((id, row) -> idByLabel.putIfAbsent(overlay.rows().get(row).label(), id));
    List<DirectLink> links = new ArrayList<>();
    for (MatrixOverlay.Row row : overlay.rows()) {
      String a = idByLabel.get(row.label());
      row.nvLinks()
          .forEach(
              (label, count) -> {
                String b = idByLabel.get(label);
                if (a != null && b != null && count > 0) {
                  links.add(new DirectLink(a, b, DirectLink.Type.NVLINK, count));
                }
              });
    }
    return links;
  }
}
