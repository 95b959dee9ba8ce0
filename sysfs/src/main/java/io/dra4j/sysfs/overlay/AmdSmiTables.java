package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologySource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the output of {@code rocm-smi --showtopo} and {@code amd-smi topology}: one table each for
 * weights, hops and types of links, which may also be written as records ({@link AmdSmiRecords}).
 * The tables have no switches and no NICs. For GPUs without XGMI between them they report only
 * whether the path leaves the NUMA node (which amdkfd counts as three hops); the tree of the host
 * has the rest. An XGMI link of one hop counts as one link, because the tables have no numbers of
 * links.
 */
final class AmdSmiTables {

  private static final int MAX_DEVICES = 512;
  private static final int HOPS_BETWEEN_NUMA_NODES = 3;
  private static final int WEIGHT_WITHIN_NUMA_NODE = 40;
  static final Pattern LABEL =
      Pattern.compile("GPU[0-9]{1,4}|[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
  private static final Pattern NUMA_NODE =
      Pattern.compile("GPU\\[([0-9]{1,4})]\\s*:\\s*\\(Topology\\)\\s*Numa Node:\\s*([0-9]{1,4})");

  /** The tables with facts about paths. */
  enum Table {
    WEIGHT("weight between two gpus", "weight table", "weight"),
    HOPS("hops between two gpus", "hops table", "num_hops"),
    LINK_TYPE("link type between two gpus", "link type table", "link_type");

    private final String ofRocmSmi;
    private final String ofAmdSmi;
    private final String field;

    Table(String ofRocmSmi, String ofAmdSmi, String field) {
      this.ofRocmSmi = ofRocmSmi;
      this.ofAmdSmi = ofAmdSmi;
      this.field = field;
    }

    /** Returns the name of the field in the JSON of amd-smi. */
    String field() {
      return field;
    }

    private boolean isTitle(String line) {
      String text = line.toLowerCase(Locale.ROOT);
      return text.contains(ofRocmSmi) || text.contains(ofAmdSmi);
    }
  }

  private final String origin;
  private final Map<Table, Map<String, Map<String, String>>> tables = new EnumMap<>(Table.class);
  private final Map<String, Integer> numaNodes = new HashMap<>();
  private List<String> labels = List.of();

  private AmdSmiTables(String origin) {
    this.origin = origin;
  }

  /** Returns whether the lines have one of the tables, or the same facts as records. */
  static boolean isIn(List<String> lines) {
    return AmdSmiRecords.areIn(lines)
        || lines.stream()
            .anyMatch(line -> Stream.of(Table.values()).anyMatch(t -> t.isTitle(line)));
  }

  static MatrixOverlay read(List<String> lines, String origin) throws OverlayException {
    AmdSmiTables tables = new AmdSmiTables(origin);
    if (AmdSmiRecords.areIn(lines)) {
      AmdSmiRecords.read(lines, origin, tables);
    } else {
      tables.parse(lines);
    }
    return tables.matrix(lines.size());
  }

  /** Adds a GPU: a row and a column of each table. */
  void gpu(String label) throws OverlayException {
    if (labels.contains(label)) {
      return;
    }
    if (labels.size() == MAX_DEVICES) {
      throw new OverlayException(origin, 0, "has more than " + MAX_DEVICES + " GPUs");
    }
    List<String> more = new ArrayList<>(labels);
    more.add(label);
    labels = more;
  }

  /** Sets a cell. */
  void cell(Table table, String row, String column, String value) {
    tables
        .computeIfAbsent(table, any -> new HashMap<>())
        .computeIfAbsent(row, any -> new HashMap<>())
        .put(column, value);
  }

  /** Sets the NUMA node of a GPU. */
  void numaNode(String label, int node) {
    numaNodes.put(label, node);
  }

  private void parse(List<String> lines) throws OverlayException {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      for (Table table : Table.values()) {
        if (table.isTitle(line)) {
          table(table, lines, i + 1);
        }
      }
      Matcher node = NUMA_NODE.matcher(line);
      if (node.find()) {
        numaNode("GPU" + node.group(1), Integer.parseInt(node.group(2)));
      }
    }
  }

  private MatrixOverlay matrix(int lines) throws OverlayException {
    if (!tables.containsKey(Table.LINK_TYPE)) {
      throw new OverlayException(
          origin,
          Math.max(1, lines),
          "expected the table of link types of rocm-smi --showtopo or amd-smi topology, found "
              + "none");
    }
    List<MatrixOverlay.Row> rows = new ArrayList<>();
    for (String label : labels) {
      rows.add(row(label));
    }
    return new MatrixOverlay(origin, TopologySource.AMD_SMI, rows);
  }

  private void table(Table table, List<String> lines, int first) throws OverlayException {
    int next = first;
    while (next < lines.size() && lines.get(next).isBlank()) {
      next++;
    }
    List<String> columns = next < lines.size() ? cells(lines.get(next)) : List.of();
    if (columns.isEmpty()
        || columns.size() > MAX_DEVICES
        || !columns.stream().allMatch(cell -> LABEL.matcher(cell).matches())
        || new HashSet<>(columns).size() < columns.size()
        || !(labels.isEmpty() || labels.equals(columns))) {
      throw new OverlayException(
          origin,
          Math.min(next + 1, Math.max(1, lines.size())),
          "expected the GPUs of the table, each once and as in the tables before it");
    }
    labels = columns;
    Map<String, Map<String, String>> byRow = new HashMap<>();
    for (String label : labels) {
      next++;
      List<String> cells = next < lines.size() ? cells(lines.get(next)) : List.of();
      if (cells.size() != labels.size() + 1 || !cells.get(0).equals(label)) {
        throw new OverlayException(
            origin,
            Math.min(next + 1, lines.size()),
            "expected the row of " + label + " with " + labels.size() + " cells");
      }
      Map<String, String> byColumn = new HashMap<>();
      for (int i = 0; i < labels.size(); i++) {
        byColumn.put(labels.get(i), cells.get(i + 1));
      }
      byRow.put(label, byColumn);
    }
    tables.put(table, byRow);
  }

  private static List<String> cells(String line) {
    return MatrixText.cells(line, MatrixText.Separator.BLANK);
  }

  private MatrixOverlay.Row row(String label) {
    Map<String, PathType> paths = new HashMap<>();
    Map<String, Integer> links = new HashMap<>();
    for (String other : labels) {
      if (other.equals(label)) {
        continue;
      }
      OptionalInt hops = number(Table.HOPS, label, other);
      OptionalInt weight = number(Table.WEIGHT, label, other);
      switch (cell(Table.LINK_TYPE, label, other)) {
        case "XGMI" -> {
          if (hops.orElse(1) == 1) {
            links.put(other, 1);
          }
        }
        case "PCIE" -> {
          boolean leavesNode =
              hops.isPresent()
                  ? hops.getAsInt() >= HOPS_BETWEEN_NUMA_NODES
                  : weight.orElse(0) > WEIGHT_WITHIN_NUMA_NODE;
          if (leavesNode) {
            paths.put(other, PathType.SYSTEM);
          }
        }
        default -> {} // N/A, UNKNOWN: it says nothing
      }
    }
    Integer node = numaNodes.get(label);
    return new MatrixOverlay.Row(
        label,
        DeviceKind.GPU,
        label.toLowerCase(Locale.ROOT).startsWith("gpu") ? label : label.toLowerCase(Locale.ROOT),
        node == null ? OptionalInt.empty() : OptionalInt.of(node),
        paths,
        links);
  }

  private String cell(Table table, String row, String column) {
    return tables
        .getOrDefault(table, Map.of())
        .getOrDefault(row, Map.of())
        .getOrDefault(column, "")
        .toUpperCase(Locale.ROOT);
  }

  private OptionalInt number(Table table, String row, String column) {
    return KernelText.decimal(cell(table, row, column), 100_000);
  }
}
