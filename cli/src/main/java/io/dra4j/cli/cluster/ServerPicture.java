package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.model.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws a server as text: NUMA nodes, PCIe roots, devices, and the claims that hold them. */
final class ServerPicture {

  private final DeviceCatalog devices;
  private final DeviceWords words;

  ServerPicture(DeviceCatalog devices, DeviceWords words) {
    this.devices = devices;
    this.words = words;
  }

  List<String> draw(String node) {
    Map<String, Map<String, List<DeviceId>>> tree = new TreeMap<>(ServerPicture::compareNumbers);
    for (DeviceId id : devices.devicesOf(node)) {
      tree.computeIfAbsent(devices.numaNode(id), any -> new TreeMap<>())
          .computeIfAbsent(devices.pcieRoot(id), any -> new ArrayList<>())
          .add(id);
    }
    List<String> lines = new ArrayList<>();
    lines.add(node);
    if (tree.isEmpty()) {
      lines.add("`-- (no devices of its own: no ResourceSlice names this node)");
    }
    forEach(
        tree,
        "",
        lines,
        numa -> numa.equals(DeviceCatalog.UNKNOWN) ? "NUMA node unknown" : "NUMA node " + numa,
        (roots, below) ->
            forEach(
                roots,
                below,
                lines,
                root -> root.equals(DeviceCatalog.UNKNOWN) ? "no PCIe root" : root,
                (ids, deeper) -> drawDevices(ids, deeper, lines)));
    return lines.stream().map(Terminal::safe).toList();
  }

  /** Draws the elements below a node of the tree. */
  private interface Below<T> {
    void draw(T thing, String indent);
  }

  private static <T> void forEach(
      Map<String, T> things,
      String indent,
      List<String> lines,
      java.util.function.UnaryOperator<String> title,
      Below<T> below) {
    int left = things.size();
    for (Map.Entry<String, T> thing : things.entrySet()) {
      boolean last = --left == 0;
      lines.add(indent + (last ? "`-- " : "|-- ") + title.apply(thing.getKey()));
      below.draw(thing.getValue(), indent + (last ? "    " : "|   "));
    }
  }

  private void drawDevices(List<DeviceId> ids, String indent, List<String> lines) {
    int name = ids.stream().mapToInt(id -> id.device().length()).max().orElse(0);
    int driver = ids.stream().mapToInt(id -> id.driver().length()).max().orElse(0);
    for (int i = 0; i < ids.size(); i++) {
      DeviceId id = ids.get(i);
      lines.add(
          "%s%s%s  %s  %s  %s"
              .formatted(
                  indent,
                  i == ids.size() - 1 ? "`-- " : "|-- ",
                  padded(id.device(), name),
                  padded(id.driver(), driver),
                  devices.busId(id),
                  words.withArrow(id))
              .stripTrailing());
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  /** Compares NUMA nodes by number; other texts come last. */
  private static int compareNumbers(String a, String b) {
    int byLength = Integer.compare(a.length(), b.length());
    boolean numbers =
        a.chars().allMatch(Character::isDigit) && b.chars().allMatch(Character::isDigit);
    if (numbers && byLength != 0) {
      return byLength;
    }
    if (a.equals(DeviceCatalog.UNKNOWN) != b.equals(DeviceCatalog.UNKNOWN)) {
      return a.equals(DeviceCatalog.UNKNOWN) ? 1 : -1;
    }
    return a.compareTo(b);
  }
}
