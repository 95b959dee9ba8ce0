package io.dra4j.cli;

import io.dra4j.model.DeviceId;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A topology as a picture: boxes in boxes for NUMA nodes, host bridges and switches, a card for
 * each device. Devices that are nearest to each other have stripes of one colour, so that pairs
 * show.
 */
final class TopologyPicture {

  private static final int CARD_WIDTH = 176;
  private static final int MAX_CARD_WIDTH = 420;
  private static final int CARD_MARGIN = 22;
  private static final int CARD_HEIGHT = 62;
  private static final int GAP = 12;
  private static final int TITLE = 24;
  private static final int LINE = 17;
  private static final int MAX_ROW = 1_760;
  private static final double CHARACTER = 7.25; // of 12 px monospace text
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a6d00", "#6a51a3",
          "#1b7837", "#b2182b", "#4393c3", "#f46d43", "#5e3c99", "#01665e", "#bf812d", "#c51b7d");

  private final DeviceLabels labels;
  private final Map<String, String> stripes = new HashMap<>();
  private final Map<DeviceId, Point> bottoms = new HashMap<>(); // of the cards of devices
  private final StringBuilder svg = new StringBuilder();

  private TopologyPicture(HostTopology topology) {
    this.labels = new DeviceLabels(topology);
    int next = 0;
    for (List<TopologyDevice> group : nearest(topology)) {
      String colour = COLOURS.get(next++ % COLOURS.size());
      group.forEach(device -> stripes.put(device.id(), colour));
    }
  }

  /** The groups at the shortest distance at which a GPU or accelerator meets a NIC. */
  private static List<List<TopologyDevice>> nearest(HostTopology topology) {
    for (PathType within :
        List.of(PathType.SWITCH, PathType.MULTI_SWITCH, PathType.HOST_BRIDGE, PathType.NUMA_NODE)) {
      List<List<TopologyDevice>> groups =
          topology.groups(within).stream().filter(TopologyPicture::isMixed).toList();
      if (!groups.isEmpty()) {
        return groups;
      }
    }
    return List.of();
  }

  private static boolean isMixed(List<TopologyDevice> group) {
    return group.stream().anyMatch(device -> device.kind() == DeviceKind.NIC)
        && group.stream().anyMatch(device -> device.kind() != DeviceKind.NIC);
  }

  /** The picture of a host; of a node, if it has a name. */
  static String of(String node, HostTopology topology) {
    return of(node, topology, List.of());
  }

  /** The same with lines between pairs of devices, each as wide as what it carries. */
  static String of(String node, HostTopology topology, List<Joint> joints) {
    return new TopologyPicture(topology).draw(node, TopologyTree.of(topology), joints);
  }

  /**
   * A line between two devices.
   *
   * @param text what the line stands for, in words below the picture
   */
  record Joint(DeviceId one, DeviceId other, double gigabytesPerSecond, String text) {

    /** Four pixels for 48 GB/s, and so that a slow one is still seen. */
    double width() {
      return Math.max(1, Math.min(24, Math.round(gigabytesPerSecond / 1.2) / 10.0));
    }
  }

  private record Point(int x, int y) {}

  /** Something to draw, of known size. */
  private sealed interface Box permits Card, Frame {
    int width();

    int height();
  }

  private record Card(TopologyDevice device, List<String> lines) implements Box {
    /** As wide as its lines, if that is not too wide. */
    @Override
    public int width() {
      int longest = lines.stream().mapToInt(String::length).max().orElse(0);
      int wanted = CARD_MARGIN + (int) Math.ceil(longest * CHARACTER);
      return Math.min(Math.max(wanted, CARD_WIDTH), MAX_CARD_WIDTH);
    }

    @Override
    public int height() {
      return CARD_HEIGHT;
    }
  }

  private record Placed(Box box, int x, int y) {}

  private record Frame(TopologyTree tree, List<Placed> contents, int width, int height)
      implements Box {}

  private String draw(String title, List<TopologyTree> nodes, List<Joint> joints) {
    List<Box> boxes = new ArrayList<>();
    nodes.forEach(node -> boxes.add(frame(node)));
    Rows rows = new Rows(GAP, title.isEmpty() ? GAP : GAP + TITLE, MAX_ROW);
    boxes.forEach(rows::add);
    String note =
        stripes.isEmpty()
            ? "No GPU or accelerator has a NIC near it."
            : "One colour: as near to each other as GPUs and NICs get here.";
    String heading = title.isEmpty() ? "" : "Node " + title;
    int longest = Math.max(note.length(), heading.length());
    for (Joint joint : joints) {
      longest = Math.max(longest, joint.text.length());
    }
    int width = Math.max(rows.width, GAP + (int) Math.ceil(longest * CHARACTER)) + GAP;
    int height = rows.height + GAP + 22 + joints.size() * LINE;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        """
            .formatted(width, height));
    text(GAP, 20, heading, "#000000", true);
    rows.placed.forEach(placed -> draw(placed, 0, 0));
    joints.forEach(this::line);
    text(GAP, height - 12 - joints.size() * LINE, note, "#555555", false);
    for (int i = 0; i < joints.size(); i++) {
      text(GAP, height - 12 - (joints.size() - 1 - i) * LINE, joints.get(i).text, "#000000", false);
    }
    return svg.append("</svg>\n").toString();
  }

  private Frame frame(TopologyTree tree) {
    List<Box> boxes = new ArrayList<>();
    tree.devices().forEach(device -> boxes.add(new Card(device, lines(device))));
    tree.branches().forEach(branch -> boxes.add(frame(branch)));
    // The wider a frame stands in others, the earlier it breaks its rows.
    int limit =
        switch (tree.level()) {
          case NUMA_NODE -> MAX_ROW - 2 * GAP;
          case HOST_BRIDGE -> MAX_ROW - 4 * GAP;
          case SWITCH -> 4 * (CARD_WIDTH + GAP) + GAP;
        };
    Rows rows = new Rows(GAP, TITLE + GAP, limit);
    boxes.forEach(rows::add);
    int title = (int) Math.ceil((tree.title().length() + tree.detail().length() + 2) * CHARACTER);
    int width = Math.max(rows.width + GAP, Math.min(title + 2 * GAP, limit));
    return new Frame(tree, rows.placed, width, Math.max(rows.height + GAP, TITLE + GAP));
  }

  /** Puts boxes in rows from left to right. */
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
        x = left;
        y = height + GAP;
      }
      placed.add(new Placed(box, x, y));
      width = Math.max(width, x + box.width());
      height = Math.max(height, y + box.height());
      x += box.width() + GAP;
    }
  }

  private void draw(Placed placed, int left, int top) {
    int x = left + placed.x;
    int y = top + placed.y;
    if (placed.box instanceof Card card) {
      card(card, x, y);
    } else if (placed.box instanceof Frame frame) {
      frame(frame, x, y);
    }
  }

  /** Below the cards, so that their text stays readable. */
  private void line(Joint joint) {
    Point from = bottoms.get(joint.one);
    Point to = bottoms.get(joint.other);
    if (from != null && to != null) {
      svg.append(
          """
          <path d="M %d %d C %d %d %d %d %d %d" fill="none" stroke="#b2182b" stroke-width="%s" \
          stroke-opacity="0.7" stroke-linecap="round"/>
          """
              .formatted(
                  from.x,
                  from.y,
                  from.x,
                  from.y + 2 * GAP,
                  to.x,
                  to.y + 2 * GAP,
                  to.x,
                  to.y,
                  joint.width()));
    }
  }

  private void frame(Frame frame, int x, int y) {
    String fill =
        switch (frame.tree.level()) {
          case NUMA_NODE -> "#f2f2f2";
          case HOST_BRIDGE -> "#ffffff";
          case SWITCH -> "#eaf2fb";
        };
    rectangle(x, y, frame.width, frame.height, fill, "#888888");
    String title = frame.tree.title();
    String detail = frame.tree.detail();
    int room = (int) ((frame.width - 2 * GAP) / CHARACTER);
    text(x + GAP, y + 17, cut(title, room), "#000000", true);
    int left = room - title.length() - 2;
    if (!detail.isEmpty() && left >= Math.min(detail.length(), 8)) {
      int at = x + GAP + (int) Math.ceil((title.length() + 2) * CHARACTER);
      text(at, y + 17, cut(detail, left), "#555555", false);
    }
    frame.contents.forEach(placed -> draw(placed, x, y));
  }

  private void card(Card card, int x, int y) {
    TopologyDevice device = card.device;
    String fill =
        switch (device.kind()) {
          case GPU -> "#e2f2dc";
          case ACCELERATOR -> "#e6f0d0";
          case NIC -> "#fdebd3";
          case NVME, DISPLAY, BRIDGE, OTHER, UNKNOWN -> "#ececec";
        };
    rectangle(x, y, card.width(), CARD_HEIGHT, fill, "#444444");
    DeviceId published = device.published();
    if (published != null) {
      bottoms.put(published, new Point(x + card.width() / 2, y + CARD_HEIGHT));
    }
    String stripe = stripes.get(device.id());
    if (stripe != null) {
      rectangle(x, y, 8, CARD_HEIGHT, stripe, stripe);
    }
    int room = (int) ((card.width() - CARD_MARGIN) / CHARACTER);
    for (int i = 0; i < card.lines.size(); i++) {
      text(x + 16, y + 18 + i * 17, shorten(card.lines.get(i), room), "#000000", i == 0);
    }
  }

  /** A published device is known by its name, one of a host by its address. */
  private List<String> lines(TopologyDevice device) {
    String names = String.join(" ", device.names());
    String first = labels.of(device) + (names.isEmpty() ? "" : " " + names);
    DeviceId published = device.published();
    if (published != null) {
      return List.of(first, published.device(), published.driver());
    }
    return List.of(first, device.id(), device.link() == null ? "" : device.link().toString());
  }

  /** What names have in common is at their ends, so that the middle goes. */
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

  private void rectangle(int x, int y, int width, int height, String fill, String stroke) {
    svg.append(
        """
        <rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s" stroke="%s"/>
        """
            .formatted(x, y, width, height, fill, stroke));
  }

  private void text(int x, int y, String text, String fill, boolean bold) {
    if (!text.isEmpty()) {
      svg.append(
          """
          <text x="%d" y="%d" fill="%s"%s>%s</text>
          """
              .formatted(x, y, fill, bold ? " font-weight=\"bold\"" : "", escape(text)));
    }
  }

  /** Text from a host, without control characters and markup. */
  private static String escape(String text) {
    return Terminal.safe(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
