package io.dra4j.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** The rows of a recorded matrix and the matching devices of the host. */
final class MatrixRows {

  private static final int MAX_NAMED = 8;
  private static final Pattern UNNAMED = Pattern.compile("NIC[0-9]+");

  private final MatrixOverlay overlay;
  private final Map<String, Integer> rowById = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private MatrixRows(MatrixOverlay overlay) {
    this.overlay = overlay;
  }

  /** Finds the devices of the rows. */
  static MatrixRows match(
      MatrixOverlay recorded, List<TopologyDevice> sorted, List<String> warnings) {
    MatrixOverlay overlay = withoutRepeats(recorded, warnings);
    reportContradictions(overlay, warnings);
    MatrixRows rows = new MatrixRows(overlay);
    rows.matchGpus(sorted);
    rows.matchNics(sorted);
    rows.problems.forEach(
        problem -> warnings.add(overlay.origin() + ": " + problem + "; left out"));
    return rows;
  }

  /** The matrix with one row for each label. */
  private static MatrixOverlay withoutRepeats(MatrixOverlay overlay, List<String> warnings) {
    Map<String, MatrixOverlay.Row> byLabel = new LinkedHashMap<>();
    for (MatrixOverlay.Row row : overlay.rows()) {
      if (byLabel.put(row.label(), row) != null) {
        warnings.add(overlay.origin() + ": " + row.label() + " occurs twice; the last one wins");
      }
    }
    return new MatrixOverlay(overlay.origin(), overlay.source(), List.copyOf(byLabel.values()));
  }

  /**
   * Reports pairs with different entries: each pair of devices occurs twice, once in either row.
   */
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
              + "; the later row counts");
    }
  }

  /** The entry of a row for another device; empty if there is none. */
  private static String cell(MatrixOverlay.Row row, String label) {
    Integer links = row.links().get(label);
    PathType path = row.paths().get(label);
    return links != null && links > 0 ? "NV" + links : path == null ? "" : path.toString();
  }

  /** Matches GPUs by index: their position in PCI address order (NVML, nvmlDeviceGetIndex). */
  private void matchGpus(List<TopologyDevice> sorted) {
    List<TopologyDevice> gpus =
        sorted.stream()
            .filter(device -> device.kind() == DeviceKind.GPU)
            .filter(device -> overlay.mayList(device.identity()))
            .toList();
    List<Integer> rows = rows(DeviceKind.GPU);
    List<Integer> unnamed = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (int row : rows) {
      MatrixOverlay.Row one = overlay.rows().get(row);
      if (matchByName(row, sorted) > 0) {
        continue;
      }
      if (one.name().equals(one.label()) && PciAddress.tryParse(one.name()).isEmpty()) {
        unnamed.add(row);
      } else {
        missing.add(one.name());
      }
    }
    if (!missing.isEmpty()) {
      problems.add("GPUs of the matrix that are not here: " + some(missing));
    }
    if (unnamed.isEmpty()) {
      return;
    }
    if (unnamed.size() < rows.size() || rows.size() != gpus.size()) {
      problems.add(
          "%s in the matrix, %s"
              .formatted(gpus(rows.size()), gpus.isEmpty() ? "none here" : here(gpus)));
      return;
    }
    for (int i = 0; i < rows.size(); i++) {
      rowById.put(gpus.get(i).id(), rows.get(i));
    }
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  private static String here(List<TopologyDevice> devices) {
    return devices.size()
        + " here ("
        + some(devices.stream().map(TopologyDevice::id).toList())
        + ")";
  }

  private static String some(List<String> names) {
    return names.size() <= MAX_NAMED
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MAX_NAMED)) + " and " + (names.size() - MAX_NAMED);
  }

  /** Matches a row by the id, the address or a name of devices; returns the number of matches. */
  private int matchByName(int row, List<TopologyDevice> devices) {
    String name = overlay.rows().get(row).name();
    int count = 0;
    for (TopologyDevice device : devices) {
      if (device.id().equals(name)
          || device.names().contains(name)
          || (device.address() != null && device.address().toString().equals(name))) {
        rowById.put(device.id(), row);
        count++;
      }
    }
    return count;
  }

  /**
   * Matches NICs by their names, from a legend or the labels of older versions. Without names, they
   * are in the order of RDMA devices, which differs from the order of addresses.
   */
  private void matchNics(List<TopologyDevice> sorted) {
    List<TopologyDevice> nics =
        sorted.stream().filter(device -> device.kind() == DeviceKind.NIC).toList();
    RdmaNames here = new RdmaNames(nics);
    List<Integer> unnamed = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    boolean anyNamed = false;
    for (int row : rows(DeviceKind.NIC)) {
      String name = overlay.rows().get(row).name();
      if (matchByName(row, sorted) > 0) {
        anyNamed = true;
      } else if (UNNAMED.matcher(name).matches()) {
        unnamed.add(row);
      } else {
        missing.add(name);
      }
    }
    if (!missing.isEmpty() && !anyNamed && !here.all().isEmpty()) {
      problems.add(
          "it is about another machine: its NICs are %s, the NICs here are %s"
              .formatted(some(missing), some(here.all())));
      rowById.clear();
    } else if (!missing.isEmpty()) {
      problems.add("NICs of the matrix that are not here: " + some(missing));
    } else if (!unnamed.isEmpty() && !anyNamed) {
      matchUnnamed(unnamed, nics, here);
    }
  }

  private void matchUnnamed(List<Integer> rows, List<TopologyDevice> nics, RdmaNames here) {
    Optional<Map<Integer, String>> numbered = here.numbered(rows.size());
    if (numbered.isPresent()) {
      for (int row : rows) {
        String id = numbered.get().get(index(overlay.rows().get(row).label()));
        if (id != null) {
          rowById.put(id, row);
        }
      }
    } else if (rows.size() == nics.size() && areEqual(rows)) { // any order is right
      for (int i = 0; i < rows.size(); i++) {
        rowById.put(nics.get(i).id(), rows.get(i));
      }
    } else {
      problems.add(
          (rows.size() == 1 ? "1 NIC" : rows.size() + " NICs")
              + " without a NIC legend, whose order is not known");
    }
  }

  /** Whether rows differ only in their labels. */
  private boolean areEqual(List<Integer> rows) {
    List<String> labels = rows.stream().map(row -> overlay.rows().get(row).label()).toList();
    Set<OptionalInt> nodes = new HashSet<>();
    Set<String> among = new HashSet<>();
    for (int row : rows) {
      MatrixOverlay.Row one = overlay.rows().get(row);
      nodes.add(one.numaNode());
      for (String label : labels) {
        if (!label.equals(one.label())) {
          among.add(cell(one, label));
        }
      }
    }
    boolean seenAsOne = true;
    for (MatrixOverlay.Row other : overlay.rows()) {
      if (!labels.contains(other.label())) {
        seenAsOne &= labels.stream().map(label -> cell(other, label)).distinct().count() <= 1;
        seenAsOne &=
            rows.stream()
                    .map(row -> cell(overlay.rows().get(row), other.label()))
                    .distinct()
                    .count()
                <= 1;
      }
    }
    return seenAsOne && nodes.size() <= 1 && among.size() <= 1;
  }

  private List<Integer> rows(DeviceKind kind) {
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

  /** The ids of the devices by the labels of their rows. */
  Map<String, String> idByLabel() {
    Map<String, String> ids = new HashMap<>();
    rowById.forEach((id, row) -> ids.putIfAbsent(overlay.rows().get(row).label(), id));
    return ids;
  }

  /** The number of rows with a device, and the reasons why others have none. */
  OverlayMatch found() {
    return new OverlayMatch(
        (int) rowById.values().stream().distinct().count(), overlay.rows().size(), problems);
  }

  /** The devices with the NUMA nodes of the matrix. */
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
    Map<String, String> idByLabel = idByLabel();
    List<DirectLink> links = new ArrayList<>();
    for (MatrixOverlay.Row row : overlay.rows()) {
      String a = idByLabel.get(row.label());
      row.links()
          .forEach(
              (label, count) -> {
                String b = idByLabel.get(label);
                if (a != null && b != null && count > 0) {
                  links.add(new DirectLink(a, b, overlay.linkType(), count));
                }
              });
    }
    return links;
  }
}
