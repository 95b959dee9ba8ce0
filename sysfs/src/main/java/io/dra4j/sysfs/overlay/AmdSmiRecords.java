package io.dra4j.sysfs.overlay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.sysfs.text.KernelText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the tables of {@link AmdSmiTables} in the formats for programs: the JSON and CSV of {@code
 * rocm-smi --showtopo}, which have a text for each pair of GPUs, and the JSON of {@code amd-smi
 * topology}, which has a list of links for each GPU. The CSV of amd-smi is recognized and rejected:
 * its columns change with each release.
 */
final class AmdSmiRecords {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LINKS = "\"links\"";
  private static final String PAIR_WORDS = "between DRM devices";
  private static final String NODE_WORDS = "(Topology) Numa Node";

  /** A pair as a name, then its value: a member of JSON, or a line of CSV with two columns. */
  private static final Pattern PAIR =
      Pattern.compile(
          "\"\\(Topology\\) (Weight|Hops|Link type) between DRM devices ([0-9]{1,4}) and "
              + "([0-9]{1,4})\""
              + "\\s*[:,]\\s*\"?([A-Za-z0-9/]+)");

  /** A pair as the title of a column. */
  private static final Pattern TITLE =
      Pattern.compile(
          "\"?\\(Topology\\) (Weight|Hops|Link type) between DRM devices ([0-9]{1,4}) and "
              + "([0-9]{1,4})\"?");

  private static final Pattern CARD = Pattern.compile("\"card([0-9]{1,4})\"\\s*:");
  private static final Pattern NODE =
      Pattern.compile("\"\\(Topology\\) Numa Node\"\\s*:\\s*\"?([0-9]{1,4})\\b");
  private static final Pattern CARD_ROW = Pattern.compile("card([0-9]{1,4})");

  private final List<String> lines;
  private final String origin;
  private final AmdSmiTables tables;

  private AmdSmiRecords(List<String> lines, String origin, AmdSmiTables tables) {
    this.lines = lines;
    this.origin = origin;
    this.tables = tables;
  }

  /** Returns whether the lines have such records. */
  static boolean areIn(List<String> lines) {
    return lines.stream().anyMatch(line -> line.contains(PAIR_WORDS))
        || isJsonOfLinks(lines)
        || lines.stream().anyMatch(AmdSmiRecords::isHeaderOfAmdSmi);
  }

  private static boolean isJsonOfLinks(List<String> lines) {
    return begin(lines) < lines.size() && lines.stream().anyMatch(line -> line.contains(LINKS));
  }

  /** Returns the first line of the JSON; warnings may come before it. */
  private static int begin(List<String> lines) {
    int line = 0;
    while (line < lines.size()
        && !lines.get(line).startsWith("[")
        && !lines.get(line).startsWith("{")) {
      line++;
    }
    return line;
  }

  private static boolean isHeaderOfAmdSmi(String line) {
    return line.toLowerCase(Locale.ROOT).matches("gpu,(bdf|gpu_bdf|links?|weight|link_type)\\b.*");
  }

  /** Fills the tables. */
  static void read(List<String> lines, String origin, AmdSmiTables tables) throws OverlayException {
    AmdSmiRecords records = new AmdSmiRecords(lines, origin, tables);
    if (lines.stream().anyMatch(line -> line.contains(PAIR_WORDS))) {
      records.pairs();
    } else if (isJsonOfLinks(lines)) {
      records.links();
    } else {
      throw new OverlayException(
          origin,
          0,
          "is the CSV of amd-smi topology, which is not supported: expected the output of "
              + "amd-smi topology or amd-smi topology --json");
    }
  }

  private void pairs() throws OverlayException {
    TreeSet<Integer> gpus = new TreeSet<>();
    List<String[]> found = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher pair = PAIR.matcher(lines.get(i));
      boolean any = false;
      while (pair.find()) {
        any = true;
        found.add(new String[] {pair.group(1), pair.group(2), pair.group(3), pair.group(4)});
      }
      if (!any && lines.get(i).contains(PAIR_WORDS) && i + 1 < lines.size()) {
        columns(lines.get(i), lines.get(i + 1), found);
      }
    }
    for (String[] one : found) {
      gpus.add(Integer.parseInt(one[1]));
      gpus.add(Integer.parseInt(one[2]));
    }
    for (int gpu : gpus) {
      tables.gpu("GPU" + gpu);
    }
    for (String[] one : found) {
      AmdSmiTables.Table table =
          switch (one[0]) {
            case "Weight" -> AmdSmiTables.Table.WEIGHT;
            case "Hops" -> AmdSmiTables.Table.HOPS;
            default -> AmdSmiTables.Table.LINK_TYPE;
          };
      String a = "GPU" + Integer.parseInt(one[1]);
      String b = "GPU" + Integer.parseInt(one[2]);
      tables.cell(table, a, b, one[3]);
      tables.cell(table, b, a, one[3]);
    }
    nodes();
  }

  /** Reads a line of titles with the line of values below it. */
  private static void columns(String titles, String values, List<String[]> found) {
    List<String> names = MatrixText.cells(titles, MatrixText.Separator.COMMA);
    List<String> cells = MatrixText.cells(values, MatrixText.Separator.COMMA);
    for (int i = 0; i < Math.min(names.size(), cells.size()); i++) {
      Matcher title = TITLE.matcher(names.get(i));
      if (title.matches()) {
        found.add(new String[] {title.group(1), title.group(2), title.group(3), cells.get(i)});
      }
    }
  }

  /** Reads the NUMA nodes of cards: members of an object, or a column with a row, for each card. */
  private void nodes() {
    String card = "";
    int column = -1;
    for (String line : lines) {
      if (line.startsWith("device,")) {
        column = MatrixText.cells(line, MatrixText.Separator.COMMA).indexOf(NODE_WORDS);
        continue;
      }
      List<String> cells =
          column < 0 ? List.of() : MatrixText.cells(line, MatrixText.Separator.COMMA);
      Matcher row = CARD_ROW.matcher(cells.isEmpty() ? "" : cells.get(0));
      if (row.matches() && column < cells.size()) {
        node(row.group(1), cells.get(column));
      }
      card = nodesOfObjects(line, card);
    }
  }

  /** Reads the NUMA nodes of a line, which may have all cards; returns the card at its end. */
  private String nodesOfObjects(String line, String before) {
    List<String> cards = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    Matcher card = CARD.matcher(line);
    while (card.find()) {
      starts.add(card.start());
      cards.add(card.group(1));
    }
    String current = before;
    int next = 0;
    Matcher node = NODE.matcher(line);
    while (node.find()) {
      while (next < starts.size() && starts.get(next) < node.start()) {
        current = cards.get(next++);
      }
      node(current, node.group(1));
    }
    return cards.isEmpty() ? current : cards.get(cards.size() - 1);
  }

  private void node(String card, String text) {
    OptionalInt node = KernelText.decimal(text, 1_023);
    if (!card.isEmpty() && node.isPresent()) {
      tables.numaNode("GPU" + Integer.parseInt(card), node.getAsInt());
    }
  }

  private void links() throws OverlayException {
    int begin = begin(lines);
    JsonNode root;
    try {
      root = JSON.readTree(String.join("\n", lines.subList(begin, lines.size())));
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : begin + e.getLocation().getLineNr();
      throw new OverlayException(
          origin,
          Math.min(Math.max(line, 0), lines.size()),
          "expected the JSON of amd-smi topology, found invalid JSON: " + e.getOriginalMessage());
    }
    List<JsonNode> gpus = new ArrayList<>();
    for (JsonNode list : root.isArray() ? List.of(root) : List.copyOf(children(root))) {
      for (JsonNode gpu : list) {
        if (gpu.path("links").isArray()) {
          gpus.add(gpu);
        }
      }
    }
    for (JsonNode gpu : gpus) {
      tables.gpu(label(gpu));
    }
    for (JsonNode gpu : gpus) {
      for (JsonNode link : gpu.path("links")) {
        for (AmdSmiTables.Table table : AmdSmiTables.Table.values()) {
          JsonNode value = link.path(table.field());
          if (value.isValueNode()) {
            tables.cell(table, label(gpu), label(link), value.asText());
          }
        }
      }
    }
  }

  private static List<JsonNode> children(JsonNode object) {
    List<JsonNode> children = new ArrayList<>();
    object.forEach(children::add);
    return children;
  }

  /** Returns the address of a GPU, or its number if it has none. */
  private String label(JsonNode gpu) throws OverlayException {
    String address = gpu.path("bdf").asText("");
    String label = address.isEmpty() ? "GPU" + gpu.path("gpu").asText("") : address;
    if (!AmdSmiTables.LABEL.matcher(label).matches()) {
      throw new OverlayException(
          origin,
          0,
          "expected a GPU with its bdf such as 0000:0c:00.0, or its number, found "
              + KernelText.quote(label));
    }
    return label;
  }
}
