package io.dra4j.cli.topology;

import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Draws the links outside the PCIe tree, NVLink, XGMI and C2C, in separate panels, so that no line
 * crosses text. Devices that are all joined in the same way are drawn at one bar, others in a
 * circle.
 */
final class DirectLinksPicture {

  private static final int CHIP_HEIGHT = 22;
  private static final int GAP = 12;
  private static final int TITLE = 24;
  private static final int IN_A_ROW = 16;
  private static final int ROW = CHIP_HEIGHT + 3 * GAP;
  private static final int MAX_IN_CIRCLE = 24;
  private static final int BETWEEN = 48; // of a GPU and its processor

  /** An end of a drawn link. */
  private record End(String label, Palette ink) {}

  private record Joined(End one, End other, DirectLink link) {}

  /**
   * Links of one kind between devices that they join.
   *
   * @param title the kind of links and the joined devices
   * @param content draws the links below the title
   */
  record Panel(String title, int width, int height, Content content) {
    void draw(SvgPicture svg, int x, int y) {
      svg.rectangle(x, y, width, height, Palette.NUMA_NODE, Palette.FRAME);
      svg.text(x + GAP, y + 17, title, Palette.TEXT, true);
      content.draw(svg, x + GAP, y + TITLE + GAP);
    }
  }

  /** Draws the content of a panel. */
  interface Content {
    void draw(SvgPicture svg, int x, int y);
  }

  private final DeviceLabels labels;
  private final HostTopology topology;

  private DirectLinksPicture(HostTopology topology, DeviceLabels labels) {
    this.topology = topology;
    this.labels = labels;
  }

  /** Returns a panel for each set of devices that links of one kind join. */
  static List<Panel> of(HostTopology topology, DeviceLabels labels) {
    return new DirectLinksPicture(topology, labels).panels();
  }

  private List<Panel> panels() {
    List<Panel> panels = new ArrayList<>();
    for (DirectLink.Type type : DirectLink.Type.values()) {
      List<Joined> joined =
          topology.links().stream()
              .filter(link -> link.type() == type)
              .map(link -> new Joined(end(link.a()), end(link.b()), link))
              .toList();
      if (joined.isEmpty()) {
        continue;
      }
      if (type == DirectLink.Type.C2C) {
        panels.add(processors(joined));
      } else {
        components(joined).forEach(component -> panels.add(panel(type, component)));
      }
    }
    return panels;
  }

  private End end(String id) {
    TopologyDevice device = topology.device(id).orElse(null);
    if (device == null) { // a processor: numa:0
      return new End(id.replaceFirst("^numa:", "NUMA "), Palette.OTHER);
    }
    return new End(labels.of(device), TopologyPicture.inkOf(device.kind()));
  }

  /** Returns the connected components, each with its links. */
  private static Collection<List<Joined>> components(List<Joined> joined) {
    Map<End, Set<End>> together = new LinkedHashMap<>();
    for (Joined one : joined) {
      Set<End> merged = new LinkedHashSet<>();
      for (End end : List.of(one.one, one.other)) {
        merged.addAll(together.getOrDefault(end, Set.of(end)));
      }
      merged.forEach(end -> together.put(end, merged));
    }
    Map<Set<End>, List<Joined>> components = new LinkedHashMap<>();
    joined.forEach(
        one ->
            components
                .computeIfAbsent(together.getOrDefault(one.one, Set.of()), any -> new ArrayList<>())
                .add(one));
    return components.values();
  }

  private static List<End> ends(List<Joined> component) {
    Map<String, End> ends = new LinkedHashMap<>();
    for (Joined one : component) {
      ends.put(one.one.label, one.one);
      ends.put(one.other.label, one.other);
    }
    return ends.values().stream()
        .sorted((a, b) -> LabelRanges.ORDER.compare(a.label, b.label))
        .toList();
  }

  private static Panel panel(DirectLink.Type type, List<Joined> component) {
    List<End> ends = ends(component);
    int all = ends.size() * (ends.size() - 1) / 2;
    Set<String> counts = new LinkedHashSet<>();
    new TreeSet<>(component.stream().map(one -> one.link.count()).toList())
        .forEach(count -> counts.add(new DirectLink("a", "b", type, count).nvidiaSmiName()));
    String title = name(type) + " " + LabelRanges.of(ends.stream().map(End::label).toList()) + ": ";
    if (component.size() == all && counts.size() == 1) {
      return bar(
          title + counts.iterator().next() + " between " + (all == 1 ? "both" : "any two"), ends);
    }
    if (ends.size() > MAX_IN_CIRCLE) {
      String many = component.size() + " pairs with " + String.join(", ", counts);
      return new Panel(
          title + many + "; see -o json",
          SvgPicture.widthOf(title + many + "; see -o json") + 2 * GAP,
          TITLE + GAP,
          (svg, x, y) -> {});
    }
    return circle(
        title + component.size() + " of " + all + " pairs", List.copyOf(counts), ends, component);
  }

  private static String name(DirectLink.Type type) {
    return switch (type) {
      case NVLINK -> "NVLink";
      case XGMI -> "XGMI";
      case C2C -> "C2C";
    };
  }

  private static int chipWidth(List<End> ends) {
    return 2 * 8 + ends.stream().mapToInt(end -> SvgPicture.widthOf(end.label)).max().orElse(0);
  }

  private static void chip(SvgPicture svg, int x, int y, int width, End end) {
    svg.rectangle(x, y, width, CHIP_HEIGHT, end.ink, Palette.CARD);
    svg.text(
        x + (width - SvgPicture.widthOf(end.label)) / 2, y + 15, end.label, Palette.TEXT, true);
  }

  /** Draws all devices at one bar, in rows whose bars are joined on the left. */
  private static Panel bar(String title, List<End> ends) {
    int chip = chipWidth(ends);
    int rows = (ends.size() + IN_A_ROW - 1) / IN_A_ROW;
    int columns = Math.min(ends.size(), IN_A_ROW);
    int width = 2 * GAP + columns * (chip + GAP) + GAP;
    return new Panel(
        title,
        Math.max(width, SvgPicture.widthOf(title) + 2 * GAP),
        TITLE + GAP + rows * ROW,
        (svg, x, y) -> {
          for (int i = 0; i < ends.size(); i++) {
            int left = x + GAP + i % IN_A_ROW * (chip + GAP);
            int top = y + i / IN_A_ROW * ROW;
            int bar = top + CHIP_HEIGHT + GAP;
            if (i % IN_A_ROW == 0) {
              int last = Math.min(ends.size() - i, IN_A_ROW) - 1;
              svg.line(x, bar, left + last * (chip + GAP) + chip, bar, Palette.LINK, 4);
            }
            svg.line(left + chip / 2.0, top + CHIP_HEIGHT, left + chip / 2.0, bar, Palette.LINK, 3);
            chip(svg, left, top, chip, ends.get(i));
          }
          int first = y + CHIP_HEIGHT + GAP;
          svg.line(x, first, x, first + (rows - 1) * ROW, Palette.LINK, 4);
        });
  }

  /** Draws lines whose width grows with the number of links, with a legend on the right. */
  private static Panel circle(
      String title, List<String> counts, List<End> ends, List<Joined> component) {
    int chip = chipWidth(ends);
    int size = ends.size();
    double step = 2 * Math.PI / size;
    // Far enough that the line between the neighbours of a chip does not cross it.
    int radius = size < 5 ? 60 : (int) Math.max(80, 34 / (1 - Math.cos(step)));
    int legend = 40 + counts.stream().mapToInt(SvgPicture::widthOf).max().orElse(0);
    int circle = 2 * radius + chip;
    int height = TITLE + 3 * GAP + 2 * radius + CHIP_HEIGHT;
    return new Panel(
        title,
        Math.max(circle + 4 * GAP + legend, SvgPicture.widthOf(title) + 2 * GAP),
        height,
        (svg, x, y) -> {
          Map<String, double[]> places =
              places(ends, x + circle / 2.0, y + radius + CHIP_HEIGHT / 2.0, radius);
          for (Joined one : component) {
            double[] from = places.get(one.one.label);
            double[] to = places.get(one.other.label);
            if (from != null && to != null) {
              int rank = counts.indexOf(one.link.nvidiaSmiName());
              svg.line(from[0], from[1], to[0], to[1], Palette.LINK, thickness(rank));
            }
          }
          for (End end : ends) {
            double[] at = places.getOrDefault(end.label, new double[2]);
            chip(svg, (int) at[0] - chip / 2, (int) at[1] - CHIP_HEIGHT / 2, chip, end);
          }
          legend(svg, x + circle + GAP, y + GAP, counts);
        });
  }

  /** Returns the places of the devices on a circle around (x, y), by their labels. */
  private static Map<String, double[]> places(List<End> ends, double x, double y, int radius) {
    int size = ends.size();
    double step = 2 * Math.PI / size;
    Map<String, double[]> places = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      double angle = i * step - Math.PI / 2 - (size == 4 ? step / 2 : 0);
      places.put(
          ends.get(i).label,
          new double[] {x + radius * Math.cos(angle), y + radius * Math.sin(angle)});
    }
    return places;
  }

  private static void legend(SvgPicture svg, int x, int y, List<String> counts) {
    for (int i = 0; i < counts.size(); i++) {
      int middle = y + i * 20;
      svg.line(x, middle, x + 28, middle, Palette.LINK, thickness(i));
      svg.text(x + 36, middle + 4, counts.get(i), Palette.TEXT, false);
    }
  }

  private static double thickness(int rank) {
    return 1.2 + 2.2 * rank;
  }

  /** Draws GPUs with lines to their processors, side by side. */
  private static Panel processors(List<Joined> joined) {
    List<End> gpus = joined.stream().map(Joined::one).toList();
    List<End> nodes = joined.stream().map(Joined::other).toList();
    int left = chipWidth(gpus);
    int right = chipWidth(nodes);
    int pair = left + BETWEEN + right + 2 * GAP;
    int inRow = Math.max(1, Math.min(joined.size(), 4));
    int rows = (joined.size() + inRow - 1) / inRow;
    Set<String> counts = new LinkedHashSet<>();
    joined.forEach(one -> counts.add(one.link.nvidiaSmiName()));
    String title =
        "NVLink-C2C "
            + LabelRanges.of(gpus.stream().map(End::label).toList())
            + ": to the processor, "
            + String.join(", ", counts);
    return new Panel(
        title,
        Math.max(inRow * pair + GAP, SvgPicture.widthOf(title) + 2 * GAP),
        TITLE + GAP + rows * (CHIP_HEIGHT + GAP),
        (svg, x, y) -> {
          for (int i = 0; i < joined.size(); i++) {
            int at = x + i % inRow * pair;
            int top = y + i / inRow * (CHIP_HEIGHT + GAP);
            int middle = top + CHIP_HEIGHT / 2;
            svg.line(at + left, middle, at + left + BETWEEN, middle, Palette.LINK, 3);
            chip(svg, at, top, left, joined.get(i).one);
            chip(svg, at + left + BETWEEN, top, right, joined.get(i).other);
          }
        });
  }
}
