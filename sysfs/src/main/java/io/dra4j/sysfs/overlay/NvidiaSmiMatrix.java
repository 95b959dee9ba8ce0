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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code nvidia-smi topo -m}, from the terminal or as people copy it: with
 * commas or the bars of Markdown, quoted, with blanks instead of tabs, with long lines broken. The
 * columns for CPU affinity and the rows of NICs may be missing.
 *
 * <p>It also reads the tables of {@code rocm-smi --showtopo}, which may be JSON or CSV, and of
 * {@code amd-smi topology}, which may be JSON.
 */
public final class NvidiaSmiMatrix {

  private static final int NONE = -1;
  private static final int MAX_DEVICES = 512;
  private static final Pattern LEGEND_ENTRY =
      Pattern.compile("((?:NIC|nic)[0-9]{1,9})\\s*[:=|]\\s*([A-Za-z][A-Za-z0-9_.-]*)");
  private static final Pattern LEGEND =
      Pattern.compile("[\\s|-]*(?:" + LEGEND_ENTRY.pattern() + "[\\s,;|]*){1,512}");
  private static final Pattern GPU = Pattern.compile("GPU[0-9]+");
  private static final Pattern NVLINK_SWITCH = Pattern.compile("(?i)nv-?switch_?[0-9]+");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final Pattern NUMBERED_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*[0-9]");

  /** The types by name; older drivers print SOC for SYS. */
  private static final Map<String, PathType> PATHS =
      Map.of(
          "PIX", PathType.SWITCH,
          "PXB", PathType.MULTI_SWITCH,
          "PHB", PathType.HOST_BRIDGE,
          "NODE", PathType.NUMA_NODE,
          "SYS", PathType.SYSTEM,
          "SOC", PathType.SYSTEM);

  /** The words that begin the columns after the columns of devices. */
  private static final Set<String> AFFINITY = Set.of("cpu", "numa", "gpu", "affinity");

  private final String origin;
  private final List<String> labels = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final List<MatrixOverlay.Row> rows = new ArrayList<>();
  private MatrixText.Separator separator = MatrixText.Separator.BLANK;
  private int columns; // after the columns of devices
  private int affinityColumn =
      NONE; // the column of the NUMA node, counted after the columns of devices

  private NvidiaSmiMatrix(String origin) {
    this.origin = origin;
  }

  /**
   * {@return the recorded paths, read from a file}
   *
   * @param file the file
   * @throws OverlayException if it has no such matrix
   * @throws IOException if it cannot be read
   */
  public static MatrixOverlay read(Path file) throws OverlayException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString());
    }
  }

  /**
   * {@return the recorded paths, read from a stream}
   *
   * @param in the text; is not closed
   * @param origin the name of the text in messages
   * @throws OverlayException if it has no such matrix
   * @throws IOException if it cannot be read
   */
  public static MatrixOverlay read(InputStream in, String origin)
      throws OverlayException, IOException {
    List<String> lines = MatrixText.read(in, origin).lines();
    return AmdSmiTables.isIn(lines)
        ? AmdSmiTables.read(lines, origin)
        : new NvidiaSmiMatrix(origin).parse(lines);
  }

  private MatrixOverlay parse(List<String> lines) throws OverlayException {
    int next = 0;
    while (next < lines.size() && labels.isEmpty()) {
      next = header(lines, next);
    }
    while (next < lines.size() && rows.size() < labels.size()) {
      if (lines.get(next).isBlank()) {
        next++;
      } else if (rows.size() >= gpus() && !startsRow(lines.get(next))) {
        break; // documents omit the rows of NICs
      } else {
        next = row(lines, next);
      }
    }
    if (labels.isEmpty() || rows.size() < gpus()) {
      throw new OverlayException(
          origin,
          Math.max(1, lines.size()), // the end of the matrix
          "expected a matrix from nvidia-smi topo -m, found "
              + rows.size()
              + " rows for "
              + gpus()
              + " GPUs"
              + (isJson(lines)
                  ? "; supported JSON is the output of rocm-smi --showtopo and amd-smi topology"
                  : ""));
    }
    for (String label : labels.subList(rows.size(), labels.size())) {
      rows.add(row(label, OptionalInt.empty(), Map.of(), Map.of()));
    }
    readLegend(lines.subList(0, nextMatrix(lines, next)));
    return new MatrixOverlay(
        origin, rows.stream().filter(row -> !isSwitch(row.label())).map(this::named).toList());
  }

  /** Returns whether a label is an NVLink switch, which is not an end of a path. */
  private static boolean isSwitch(String label) {
    return NVLINK_SWITCH.matcher(label).matches();
  }

  private static boolean isJson(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.isBlank())
        .findFirst()
        .filter(line -> line.startsWith("{") || line.startsWith("["))
        .isPresent();
  }

  /** {@return the start of another machine's matrix, whose legend does not apply to this one} */
  private static int nextMatrix(List<String> lines, int from) {
    int next = from;
    while (next < lines.size() && !isFollowedByRow(lines, next)) {
      next++;
    }
    return next;
  }

  /** Returns whether a line is a header, and the next one the row of its first device. */
  private static boolean isFollowedByRow(List<String> lines, int header) {
    String line = lines.get(header);
    if (!isHeader(line) || header + 1 == lines.size()) {
      return false;
    }
    MatrixText.Separator separator = MatrixText.Separator.of(line);
    List<String> row = MatrixText.cells(lines.get(header + 1), separator);
    return !row.isEmpty() && row.get(0).equals(titles(line, separator).get(0));
  }

  private void readLegend(List<String> lines) {
    for (String line : lines) {
      if (LEGEND.matcher(line).matches()) {
        Matcher entry = LEGEND_ENTRY.matcher(line);
        while (entry.find()) {
          if (!PATHS.containsKey(entry.group(2)) && !entry.group(2).equals("X")) {
            names.put(entry.group(1).toUpperCase(Locale.ROOT), entry.group(2));
          }
        }
      }
    }
  }

  private long gpus() {
    return labels.stream().filter(label -> GPU.matcher(label).matches()).count();
  }

  private boolean startsRow(String line) {
    List<String> cells = MatrixText.cells(line, separator);
    return !cells.isEmpty() && cells.get(0).equals(labels.get(rows.size()));
  }

  /** Reads a line that may be the header, with its continuation lines. Returns the next line. */
  private int header(List<String> lines, int first) throws OverlayException {
    String line = lines.get(first);
    separator = MatrixText.Separator.of(line);
    if (!isHeader(line)) {
      return first + 1;
    }
    List<String> cells = titles(line, separator);
    Pattern name = nameIn(line, separator);
    int devices = devices(cells, name);
    int next = first + 1;
    while (next < lines.size()
        && devices <= MAX_DEVICES
        && continuesHeader(lines.get(next), cells.get(0))) {
      cells.addAll(MatrixText.cells(lines.get(next), separator));
      devices = devices(cells, name);
      next++;
    }
    labels.addAll(cells.subList(0, devices));
    if (labels.size() > MAX_DEVICES) {
      throw new OverlayException(origin, first + 1, "has more than " + MAX_DEVICES + " devices");
    }
    if (new HashSet<>(labels).size() < labels.size()) {
      throw new OverlayException(
          origin, first + 1, "names a device twice: " + KernelText.quote(line));
    }
    String rest = String.join(" ", cells.subList(devices, cells.size())).toLowerCase(Locale.ROOT);
    columns = 0;
    for (String title : List.of("cpu affinity", "numa affinity", "gpu numa id")) {
      columns += rest.contains(title) ? 1 : 0;
    }
    if (rest.contains("numa affinity")) {
      affinityColumn = rest.contains("cpu affinity") ? 1 : 0;
    }
    return next;
  }

  private static boolean isHeader(String line) {
    MatrixText.Separator separator = MatrixText.Separator.of(line);
    List<String> cells = titles(line, separator);
    return cells.subList(0, devices(cells, nameIn(line, separator))).stream()
        .anyMatch(cell -> GPU.matcher(cell).matches());
  }

  private static List<String> titles(String line, MatrixText.Separator separator) {
    List<String> cells = new ArrayList<>(MatrixText.cells(line, separator));
    if (!cells.isEmpty() && (cells.get(0).isEmpty() || cells.get(0).equalsIgnoreCase("device"))) {
      cells.remove(0); // the corner
    }
    return cells;
  }

  private static Pattern nameIn(String line, MatrixText.Separator separator) {
    boolean words = separator != MatrixText.Separator.BLANK || line.contains("\t");
    return words ? NAME : NUMBERED_NAME;
  }

  /** {@return how many cells of a header name GPUs, NICs, or RDMA devices as in older versions} */
  private static int devices(List<String> cells, Pattern name) {
    for (int i = 0; i < cells.size(); i++) {
      String first = cells.get(i).split("\\s", 2)[0].toLowerCase(Locale.ROOT);
      if (AFFINITY.contains(first)) {
        return i;
      }
      if (!name.matcher(cells.get(i)).matches() || cells.get(i).equals("X")) {
        return name == NAME ? i : 0; // a sentence
      }
    }
    return cells.size();
  }

  private boolean continuesHeader(String line, String firstLabel) {
    List<String> cells = MatrixText.cells(line, separator);
    return separator == MatrixText.Separator.BLANK
        && !cells.isEmpty()
        && !cells.get(0).equals(firstLabel)
        && cells.stream()
            .allMatch(
                cell ->
                    NUMBERED_NAME.matcher(cell).matches()
                        || AFFINITY.contains(cell.toLowerCase(Locale.ROOT))
                        || cell.equals("ID"));
  }

  /** Reads a row with its continuation lines. Returns the next line. */
  private int row(List<String> lines, int first) throws OverlayException {
    String line = lines.get(first);
    List<String> cells = new ArrayList<>(MatrixText.cells(line, separator));
    String label = labels.get(rows.size());
    int number = first + 1;
    if (cells.isEmpty() || !cells.get(0).equals(label)) {
      throw new OverlayException(
          origin, number, "expected the row of " + label + ", found " + KernelText.quote(line));
    }
    int next = first + 1;
    while (cells.size() <= labels.size() && next < lines.size() && isRest(lines.get(next))) {
      cells.addAll(MatrixText.cells(lines.get(next), separator));
      next++;
    }
    Map<String, PathType> paths = new HashMap<>();
    Map<String, Integer> nvLinks = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      String cell = i + 1 < cells.size() ? cells.get(i + 1) : "";
      OptionalInt links =
          cell.startsWith("NV")
              ? KernelText.decimal(cell.substring(2), 1_024)
              : OptionalInt.empty();
      if (isSwitch(labels.get(i)) || (i == rows.size() && cell.equals("X"))) {
        continue;
      }
      if (links.isPresent() && links.getAsInt() > 0) {
        nvLinks.put(labels.get(i), links.getAsInt());
      } else {
        paths.put(labels.get(i), type(cell, label, labels.get(i), number));
      }
    }
    rows.add(row(label, numaNode(cells), paths, nvLinks));
    return next;
  }

  /** Returns whether a line has only paths, so that it continues a row that was too long. */
  private boolean isRest(String line) {
    List<String> cells = MatrixText.cells(line, separator);
    return separator == MatrixText.Separator.BLANK
        && !cells.isEmpty()
        && (PATHS.containsKey(cells.get(0))
            || cells.get(0).equals("X")
            || cells.get(0).startsWith("NV"));
  }

  private static MatrixOverlay.Row row(
      String label,
      OptionalInt numaNode,
      Map<String, PathType> paths,
      Map<String, Integer> nvLinks) {
    return new MatrixOverlay.Row(
        label,
        GPU.matcher(label).matches() ? DeviceKind.GPU : DeviceKind.NIC,
        label,
        numaNode,
        paths,
        nvLinks);
  }

  private MatrixOverlay.Row named(MatrixOverlay.Row row) {
    return new MatrixOverlay.Row(
        row.label(),
        row.kind(),
        names.getOrDefault(row.label(), row.label()),
        row.numaNode(),
        row.paths(),
        row.links());
  }

  private PathType type(String cell, String row, String column, int number)
      throws OverlayException {
    PathType type = PATHS.get(cell);
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

  /** {@return the NUMA node of the affinity columns (CPUs, NUMA nodes); empty for several nodes} */
  private OptionalInt numaNode(List<String> cells) {
    int at = labels.size() + 1 + affinityColumn;
    if (affinityColumn == NONE || at >= cells.size()) {
      return OptionalInt.empty();
    }
    // A list of CPUs in several cells shifts the others. nvidia-smi itself leaves empty cells.
    long behind = cells.stream().skip(at + 1L).filter(cell -> !cell.isEmpty()).count();
    boolean isShifted = affinityColumn + 1 + behind > columns;
    return isShifted ? OptionalInt.empty() : KernelText.decimal(cells.get(at), 1_023);
  }
}
