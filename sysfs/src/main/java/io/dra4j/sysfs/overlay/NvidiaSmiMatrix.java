package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PathType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code nvidia-smi topo -m} prints, or the same table with commas. The columns for the
 * affinity to CPUs may be missing, and so may the rows of NICs.
 */
public final class NvidiaSmiMatrix {

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_DEVICES = 512;
  private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern LEGEND = Pattern.compile("\\s*(NIC[0-9]+)\\s*:\\s*(\\S+)\\s*");
  private static final Pattern GPU = Pattern.compile("GPU[0-9]+");
  private static final String NUMA_AFFINITY = "numa affinity";

  private final String origin;
  private final List<String> labels = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final List<MatrixOverlay.Row> rows = new ArrayList<>();
  private boolean hasAffinity;
  private boolean commas;

  private NvidiaSmiMatrix(String origin) {
    this.origin = origin;
  }

  /**
   * Reads a file.
   *
   * @param file the file
   * @return what it records
   * @throws OverlayException if it holds no such matrix
   * @throws IOException if it cannot be read
   */
  public static MatrixOverlay read(Path file) throws OverlayException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString());
    }
  }

  /**
   * Reads a stream.
   *
   * @param in the text; is not closed
   * @param origin what to call it in messages
   * @return what it records
   * @throws OverlayException if it holds no such matrix
   * @throws IOException if it cannot be read
   */
  public static MatrixOverlay read(InputStream in, String origin)
      throws OverlayException, IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new OverlayException(origin, 0, "is longer than " + MAX_BYTES + " bytes");
    }
    String text = Utf8Text.of(bytes, origin);
    return new NvidiaSmiMatrix(origin).parse(ESCAPES.matcher(text).replaceAll(""));
  }

  private MatrixOverlay parse(String text) throws OverlayException {
    List<String> lines = text.lines().toList();
    for (String line : lines) {
      Matcher legend = LEGEND.matcher(line);
      if (legend.matches()) {
        names.put(legend.group(1), legend.group(2));
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      if (labels.isEmpty()) {
        header(lines.get(i), i + 1);
      } else if (rows.size() < labels.size()) {
        row(lines.get(i), i + 1);
      }
    }
    long gpus = labels.stream().filter(label -> GPU.matcher(label).matches()).count();
    if (gpus == 0 || rows.size() < gpus) {
      throw new OverlayException(
          origin,
          Math.max(1, lines.size()), // where it ends
          "expected a matrix as nvidia-smi topo -m prints it, found "
              + rows.size()
              + " rows for "
              + gpus
              + " GPUs");
    }
    for (String label : labels.subList(rows.size(), labels.size())) { // documents leave them out
      rows.add(row(label, OptionalInt.empty(), Map.of(), Map.of()));
    }
    return new MatrixOverlay(origin, rows);
  }

  private void header(String line, int number) throws OverlayException {
    commas = line.contains(",");
    List<String> columns = cells(line);
    for (String column : columns) {
      if (isDevice(column)) {
        labels.add(column);
      } else if (column.toLowerCase(Locale.ROOT).equals(NUMA_AFFINITY)) {
        hasAffinity = true;
      }
    }
    if (labels.size() > MAX_DEVICES) {
      throw new OverlayException(origin, number, "has more than " + MAX_DEVICES + " devices");
    }
    if (labels.stream().noneMatch(label -> GPU.matcher(label).matches())) {
      labels.clear();
    }
    if (new HashSet<>(labels).size() < labels.size()) {
      throw new OverlayException(origin, number, "names a device twice: " + KernelText.quote(line));
    }
  }

  /** GPUs, NICs, and the RDMA devices that older versions name in the table itself. */
  private static boolean isDevice(String column) {
    return column.matches("[A-Za-z][A-Za-z0-9_-]*")
        && !column.equalsIgnoreCase("device")
        && !column.equals("X");
  }

  private void row(String line, int number) throws OverlayException {
    List<String> cells = cells(line);
    if (line.isBlank()) {
      return;
    }
    if (!cells.get(0).equals(labels.get(rows.size()))) {
      throw new OverlayException(
          origin,
          number,
          "expected the row of " + labels.get(rows.size()) + ", found " + KernelText.quote(line));
    }
    String label = cells.get(0);
    Map<String, PathType> paths = new HashMap<>();
    Map<String, Integer> nvLinks = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      String cell = i + 1 < cells.size() ? cells.get(i + 1) : "";
      OptionalInt links =
          cell.startsWith("NV")
              ? KernelText.decimal(cell.substring(2), 1_024)
              : OptionalInt.empty();
      if (i == rows.size() && cell.equals("X")) {
        continue;
      }
      if (links.isPresent() && links.getAsInt() > 0) {
        nvLinks.put(labels.get(i), links.getAsInt());
      } else {
        paths.put(labels.get(i), type(cell, label, labels.get(i), number));
      }
    }
    OptionalInt numaNode = hasAffinity ? numaNode(cells, labels.size() + 1) : OptionalInt.empty();
    rows.add(row(label, numaNode, paths, nvLinks));
  }

  private MatrixOverlay.Row row(
      String label,
      OptionalInt numaNode,
      Map<String, PathType> paths,
      Map<String, Integer> nvLinks) {
    return new MatrixOverlay.Row(
        label,
        GPU.matcher(label).matches() ? DeviceKind.GPU : DeviceKind.NIC,
        names.getOrDefault(label, label),
        numaNode,
        paths,
        nvLinks);
  }

  private PathType type(String cell, String row, String column, int number)
      throws OverlayException {
    PathType type =
        switch (cell) {
          case "PIX" -> PathType.SWITCH;
          case "PXB" -> PathType.MULTI_SWITCH;
          case "PHB" -> PathType.HOST_BRIDGE;
          case "NODE" -> PathType.NUMA_NODE;
          case "SYS" -> PathType.SYSTEM;
          default -> null;
        };
    return known(type, cell, row, column, number);
  }

  private PathType known(
      @Nullable PathType type, String cell, String row, String column, int number)
      throws OverlayException {
    if (type == null) {
      throw new OverlayException(
          origin,
          number,
          "expected PIX, PXB, PHB, NODE, SYS or NV# (X with itself) between "
              + row
              + " and "
              + column
              + ", found "
              + KernelText.quote(cell));
    }
    return type;
  }

  /** The affinity columns: CPUs, then NUMA nodes; more than one node is none in particular. */
  private static OptionalInt numaNode(List<String> cells, int afterPaths) {
    int at = afterPaths + 1;
    return at < cells.size() ? KernelText.decimal(cells.get(at), 1_023) : OptionalInt.empty();
  }

  private List<String> cells(String line) {
    if (commas) {
      return List.of(line.trim().split("\\s*,\\s*", -1));
    }
    List<String> cells = new ArrayList<>();
    String separator = line.contains("\t") ? "\t+" : "\\s{2,}";
    for (String cell : line.split(separator, -1)) {
      if (!cell.isBlank()) {
        cells.add(cell.trim());
      }
    }
    return cells;
  }
}
