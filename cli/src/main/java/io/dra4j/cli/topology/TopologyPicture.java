package io.dra4j.cli.topology;

import io.dra4j.model.DeviceId;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Draws a topology: nested boxes for NUMA nodes, host bridges and switches, and a card for each
 * device. Devices that are nearest to each other have stripes with the same colour and letter, and
 * a legend gives their path. {@link DirectLinksPicture} draws the links outside the PCIe tree.
 */
public final class TopologyPicture {

  private static final int CARD_WIDTH = 186;
  private static final int MAX_CARD_WIDTH = 430;
  private static final int CARD_MARGIN = 32;
  private static final int CARD_HEIGHT = 62;
  private static final int STRIPE = 20;
  private static final int GAP = 12;
  private static final int TITLE = 24;
  private static final int LINE = 17;
  private static final int LEGEND = 24;
  private static final int MAX_ROW = 1_320; // so that it is legible on paper
  private static final double CHARACTER = SvgPicture.LETTER;
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a6d00", "#6a51a3",
          "#1b7837", "#b2182b", "#4393c3", "#f46d43", "#5e3c99", "#01665e", "#bf812d", "#c51b7d");

  private final HostTopology topology;
  private final DeviceLabels labels;
  private final NearestGroups groups;
  private final Set<DeviceId> taken;
  private final Set<PciAddress> collapsed = new TreeSet<>(); // bridges that are not drawn
  private final Map<DeviceId, Point> bottoms = new HashMap<>(); // of the cards of devices
  private final List<Runnable> aboveLines = new ArrayList<>(); // drawn above the lines

  private final @Nullable Function<DeviceId, String> states;
  private final int cardHeight;

  private TopologyPicture(
      HostTopology topology, Set<DeviceId> taken, @Nullable Function<DeviceId, String> states) {
    this.topology = topology;
    this.taken = taken;
    this.states = states;
    this.cardHeight = CARD_HEIGHT + (states == null ? 0 : LINE);
    this.labels = new DeviceLabels(topology);
    this.groups = new NearestGroups(topology);
  }

  /** Returns the picture of a host, with the name of its node if it is not empty. */
  public static String of(String node, HostTopology topology) {
    return new TopologyPicture(topology, Set.of(), null).draw(node, List.of());
  }

  /**
   * Returns the picture of a host with lines between pairs of devices, each as wide as its
   * bandwidth, and thick borders around allocated devices.
   *
   * @param states the outcome of each device, in a few words
   */
  public static String of(
      String node,
      HostTopology topology,
      List<Joint> joints,
      Set<DeviceId> taken,
      Function<DeviceId, String> states) {
    return new TopologyPicture(topology, taken, states).draw(node, joints);
  }

  /** Returns the colour of the cards of devices of a kind. */
  static Palette inkOf(DeviceKind kind) {
    return switch (kind) {
      case GPU -> Palette.GPU;
      case ACCELERATOR -> Palette.ACCELERATOR;
      case NIC -> Palette.NIC;
      case NVME, DISK, CPU, MEMORY, DISPLAY, BRIDGE, OTHER, UNKNOWN -> Palette.OTHER;
    };
  }

  /**
   * A line between two devices.
   *
   * @param text the description of the line below the picture
   */
  public record Joint(DeviceId one, DeviceId other, double gigabytesPerSecond, String text) {

    /** Returns the width of the line: four pixels for 48 GB/s, with a minimum for slow pairs. */
    double width() {
      return Math.max(1, Math.min(24, Math.round(gigabytesPerSecond / 1.2) / 10.0));
    }
  }

  private record Point(int x, int y) {}

  /** A part of the picture with a known size. */
  private sealed interface Box permits Card, Frame, Links {
    int width();

    int height();
  }

  private record Card(TopologyDevice device, List<String> lines, int height) implements Box {
    /** Returns the width of the lines of the card, up to a limit. */
    @Override
    public int width() {
      int longest = lines.stream().mapToInt(String::length).max().orElse(0);
      int wanted = CARD_MARGIN + (int) Math.ceil(longest * CHARACTER);
      return Math.min(Math.max(wanted, CARD_WIDTH), MAX_CARD_WIDTH);
    }
  }

  private record Placed(Box box, int x, int y) {}

  private record Frame(
      TopologyTree tree, String detail, List<Placed> contents, int width, int height)
      implements Box {}

  private record Links(DirectLinksPicture.Panel panel) implements Box {
    @Override
    public int width() {
      return panel.width();
    }

    @Override
    public int height() {
      return panel.height();
    }
  }

  /** A line of the text below the picture, with a patch in front of it if it belongs to a group. */
  private record LegendEntry(int group, String text, boolean beginsLine) {
    int width() {
      return SvgPicture.widthOf(text) + (group < 0 ? 0 : STRIPE + 6);
    }
  }

  private record PlacedEntry(LegendEntry entry, int x, int y) {}

  private String draw(String title, List<Joint> joints) {
    String heading = title.isEmpty() ? "" : "Node " + title;
    Rows rows = new Rows(GAP, title.isEmpty() ? GAP : GAP + TITLE, MAX_ROW);
    TopologyTree.of(topology).forEach(node -> rows.add(frame(node, 0)));
    rows.endRow();
    DirectLinksPicture.of(topology, labels).forEach(panel -> rows.add(new Links(panel)));
    List<LegendEntry> legend = legend();
    int longest = SvgPicture.widthOf(heading);
    for (Joint joint : joints) {
      longest = Math.max(longest, SvgPicture.widthOf(joint.text));
    }
    for (LegendEntry entry : legend) {
      longest = Math.max(longest, entry.width());
    }
    int width = Math.max(rows.width, GAP + longest) + GAP;
    List<PlacedEntry> entries = place(legend, rows.height + GAP, width - GAP);
    int below = entries.isEmpty() ? rows.height : entries.get(entries.size() - 1).y + LEGEND;
    SvgPicture svg = new SvgPicture(width, below + joints.size() * LINE + GAP);
    svg.text(GAP, 20, heading, Palette.TEXT, true);
    rows.placed.forEach(placed -> draw(svg, placed, 0, 0));
    joints.forEach(joint -> line(svg, joint));
    aboveLines.forEach(Runnable::run);
    entries.forEach(entry -> draw(svg, entry));
    for (int i = 0; i < joints.size(); i++) {
      svg.text(GAP, below + (i + 1) * LINE - 4, joints.get(i).text, Palette.TEXT, false);
    }
    return svg.end();
  }

  /** Returns the legend: colours by level, the nearest first, and bridges that are not drawn. */
  private List<LegendEntry> legend() {
    List<LegendEntry> legend = new ArrayList<>();
    if (groups.all().isEmpty()) {
      legend.add(new LegendEntry(-1, "No GPU or accelerator has a NIC near it.", true));
    }
    Map<PathType, Boolean> named = new EnumMap<>(PathType.class);
    for (int i = 0; i < groups.all().size(); i++) {
      NearestGroups.Group group = groups.all().get(i);
      if (named.putIfAbsent(group.level(), true) == null) {
        String level = group.level().nvidiaSmiName() + ": " + TopologyText.meaning(group.level());
        legend.add(new LegendEntry(-1, level, true));
      }
      String members = LabelRanges.of(group.devices().stream().map(labels::of).toList());
      String beside =
          group.beside().isEmpty() ? "" : ", beside " + String.join(" ", group.beside());
      legend.add(new LegendEntry(i, members + beside, beginsLine(legend)));
    }
    if (!taken.isEmpty()) {
      legend.add(new LegendEntry(-1, "Thick border: allocated", true));
    }
    if (!collapsed.isEmpty()) {
      String text =
          collapsed.size() == 1
              ? "1 bridge with only one element below it is not drawn"
              : collapsed.size() + " bridges with only one element below them are not drawn";
      legend.add(new LegendEntry(-1, text + "; \"+1 bridge\" marks where one is left out", true));
    }
    return legend;
  }

  private static boolean beginsLine(List<LegendEntry> legend) {
    return legend.get(legend.size() - 1).group < 0;
  }

  private static List<PlacedEntry> place(List<LegendEntry> legend, int top, int limit) {
    List<PlacedEntry> placed = new ArrayList<>();
    int x = GAP;
    int y = top - LEGEND;
    for (LegendEntry entry : legend) {
      if (entry.beginsLine || x + entry.width() > limit) {
        x = GAP;
        y += LEGEND;
      }
      placed.add(new PlacedEntry(entry, x, y));
      x += entry.width() + 2 * GAP;
    }
    return placed;
  }

  private static void draw(SvgPicture svg, PlacedEntry placed) {
    LegendEntry entry = placed.entry;
    int left = placed.x;
    if (entry.group >= 0) {
      patch(svg, left, placed.y, 18, entry.group);
      left += STRIPE + 6;
    }
    svg.text(
        left, placed.y + 13, entry.text, entry.group < 0 ? Palette.DETAIL : Palette.TEXT, false);
  }

  private static void patch(SvgPicture svg, int x, int y, int height, int group) {
    String colour = COLOURS.get(group % COLOURS.size());
    svg.patch(x, y, STRIPE, height, colour, NearestGroups.mark(group));
  }

  /** Returns the box of a place with its content, below this many bridges. */
  private Frame frame(TopologyTree tree, int depth) {
    int inside = depth + (tree.bridge() == null ? 0 : 1 + hidden(tree, depth));
    List<Box> boxes = new ArrayList<>();
    tree.devices()
        .forEach(device -> boxes.add(new Card(device, lines(device, inside), cardHeight)));
    tree.branches().forEach(branch -> boxes.add(frame(branch, inside)));
    // The deeper a frame is nested, the earlier it breaks its rows.
    int limit =
        switch (tree.level()) {
          case NUMA_NODE -> MAX_ROW - 2 * GAP;
          case HOST_BRIDGE -> MAX_ROW - 4 * GAP;
          case SWITCH -> 4 * (CARD_WIDTH + GAP) + GAP;
        };
    Rows rows = new Rows(GAP, TITLE + GAP, limit);
    boxes.forEach(rows::add);
    String more = tree.bridge() == null ? "" : more(hidden(tree, depth));
    String detail = tree.detail() + (tree.detail().isEmpty() || more.isEmpty() ? "" : ", ") + more;
    int title = (int) Math.ceil((tree.title().length() + detail.length() + 2) * CHARACTER);
    int width = Math.max(rows.width + GAP, Math.min(title + 2 * GAP, limit));
    return new Frame(tree, detail, rows.placed, width, Math.max(rows.height + GAP, TITLE + GAP));
  }

  /** Returns the number of bridges above a place that are left out. */
  private int hidden(TopologyTree tree, int depth) {
    TopologyTree at = tree;
    while (at.devices().isEmpty()) {
      at = at.branches().get(0);
    }
    List<PciAddress> chain = topology.place(at.devices().get(0)).bridges();
    int hidden = Math.max(0, chain.indexOf(tree.bridge()) - depth);
    collapsed.addAll(chain.subList(depth, depth + hidden));
    return hidden;
  }

  private static String more(int bridges) {
    return bridges == 0 ? "" : bridges == 1 ? "+1 bridge" : "+" + bridges + " bridges";
  }

  /** Arranges boxes in rows from left to right. */
  private static final class Rows {
    private final List<Placed> placed = new ArrayList<>();
    private final int left;
    private final int limit;
    private int x;
    private int y;
    private int width;
    private int height;

    Rows(int left, int top, int limit) {
      this.left = left;
      this.limit = limit;
      this.x = left;
      this.y = top;
      this.height = top - GAP;
    }

    void add(Box box) {
      if (x > left && x + box.width() > limit) {
        endRow();
      }
      placed.add(new Placed(box, x, y));
      width = Math.max(width, x + box.width());
      height = Math.max(height, y + box.height());
      x += box.width() + GAP;
    }

    void endRow() {
      x = left;
      y = height + GAP;
    }
  }

  private void draw(SvgPicture svg, Placed placed, int left, int top) {
    int x = left + placed.x;
    int y = top + placed.y;
    if (placed.box instanceof Card card) {
      DeviceId published = card.device.published();
      if (published != null) {
        bottoms.put(published, new Point(x + card.width() / 2, y + card.height()));
      }
      aboveLines.add(() -> card(svg, card, x, y));
    } else if (placed.box instanceof Frame frame) {
      frame(svg, frame, x, y);
    } else if (placed.box instanceof Links links) {
      links.panel.draw(svg, x, y);
    }
  }

  /** Draws a line from below one card to below the other, behind all cards between. */
  private void line(SvgPicture svg, Joint joint) {
    Point from = bottoms.get(joint.one);
    Point to = bottoms.get(joint.other);
    if (from != null && to != null) {
      svg.bow(from.x, from.y, to.x, to.y, 2 * GAP, Palette.PAIR, joint.width());
    }
  }

  private void frame(SvgPicture svg, Frame frame, int x, int y) {
    Palette fill =
        switch (frame.tree.level()) {
          case NUMA_NODE -> Palette.NUMA_NODE;
          case HOST_BRIDGE -> Palette.HOST_BRIDGE;
          case SWITCH -> Palette.SWITCH;
        };
    svg.rectangle(x, y, frame.width, frame.height, fill, Palette.FRAME);
    aboveLines.add(() -> title(svg, frame, x, y));
    frame.contents.forEach(placed -> draw(svg, placed, x, y));
  }

  private static void title(SvgPicture svg, Frame frame, int x, int y) {
    String title = frame.tree.title();
    int room = (int) ((frame.width - 2 * GAP) / CHARACTER);
    svg.text(x + GAP, y + 17, cut(title, room), Palette.TEXT, true);
    int left = room - title.length() - 2;
    if (!frame.detail.isEmpty() && left >= Math.min(frame.detail.length(), 8)) {
      int at = x + GAP + (int) Math.ceil((title.length() + 2) * CHARACTER);
      svg.text(at, y + 17, cut(frame.detail, left), Palette.DETAIL, false);
    }
  }

  private void card(SvgPicture svg, Card card, int x, int y) {
    TopologyDevice device = card.device;
    svg.rectangle(x, y, card.width(), card.height(), inkOf(device.kind()), Palette.CARD);
    DeviceId published = device.published();
    int group = groups.indexOf(device);
    if (group >= 0) {
      patch(svg, x, y, card.height(), group);
    }
    if (published != null && taken.contains(published)) {
      svg.border(x, y, card.width(), card.height(), Palette.TAKEN);
    }
    int room = (int) ((card.width() - CARD_MARGIN) / CHARACTER);
    for (int i = 0; i < card.lines.size(); i++) {
      svg.text(x + 26, y + 18 + i * LINE, shorten(card.lines.get(i), room), Palette.TEXT, i == 0);
    }
  }

  /** Returns a card's lines, with the name of a published device or the address of a host's. */
  private List<String> lines(TopologyDevice device, int depth) {
    String names = String.join(" ", device.names());
    String first = labels.of(device) + (names.isEmpty() ? "" : " " + names);
    DeviceId published = device.published();
    if (published != null) {
      return states == null
          ? List.of(first, published.device(), published.driver())
          : List.of(first, published.device(), published.driver(), states.apply(published));
    }
    List<PciAddress> chain = topology.place(device).bridges();
    List<PciAddress> hidden = chain.subList(Math.min(depth, chain.size()), chain.size());
    collapsed.addAll(hidden);
    String link = device.link() == null ? "" : device.link().toString();
    String more = more(hidden.size());
    return List.of(first, device.id(), link + (link.isEmpty() || more.isEmpty() ? "" : " ") + more);
  }

  /** Shortens a text in the middle, because names differ at their ends. */
  private static String shorten(String text, int room) {
    if (text.length() <= room) {
      return text;
    }
    int tail = room / 2;
    int head = room - 1 - tail;
    return text.substring(0, head) + "…" + text.substring(text.length() - tail);
  }

  private static String cut(String text, int room) {
    if (text.length() <= room) {
      return text;
    }
    return room < 2 ? "" : text.substring(0, room - 1) + "…";
  }
}
