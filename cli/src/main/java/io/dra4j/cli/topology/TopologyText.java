package io.dra4j.cli.topology;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.TextTable;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Writes a topology as text: the tree, then the matrix like {@code nvidia-smi topo -m}. */
final class TopologyText {

  private static final int MAX_COLUMNS = 64;

  private final HostTopology topology;
  private final DeviceLabels labels;
  private final StringBuilder text = new StringBuilder();

  private TopologyText(HostTopology topology) {
    this.topology = topology;
    this.labels = new DeviceLabels(topology);
  }

  /** Returns the text of a host, with the name of its node if it is not empty. */
  static String of(String node, HostTopology topology) {
    String title = node.isEmpty() ? "" : "Node " + Terminal.safe(node) + "\n";
    return title + new TopologyText(topology).text();
  }

  private String text() {
    if (labels.devices().isEmpty()) {
      return "No NIC, GPU or accelerator.\n";
    }
    for (TopologyTree node : TopologyTree.of(topology)) {
      tree(node, "");
    }
    text.append('\n');
    if (labels.devices().size() > MAX_COLUMNS) {
      text.append("The matrix has ")
          .append(labels.devices().size())
          .append(" columns; see -o json for all paths.\n");
      return text.toString();
    }
    matrix();
    return text.toString();
  }

  private void tree(TopologyTree tree, String indent) {
    String detail = tree.detail().isEmpty() ? "" : "  " + tree.detail();
    text.append(indent).append(Terminal.safe(tree.title() + detail)).append('\n');
    for (TopologyTree branch : tree.branches()) {
      tree(branch, indent + "  ");
    }
    for (TopologyDevice device : tree.devices()) {
      text.append(indent).append("  ").append(Terminal.safe(describe(device))).append('\n');
    }
  }

  private String describe(TopologyDevice device) {
    List<String> parts = new ArrayList<>();
    parts.add(labels.of(device));
    if (!device.id().equals(labels.of(device))) { // as in a matrix alone
      parts.add(device.id());
    }
    PciIdentity identity = device.identity();
    if (identity != null && (identity.vendor() | identity.device()) != 0) {
      parts.add("[" + number(identity.vendor()) + ":" + number(identity.device()) + "]");
    }
    if (device.link() != null) {
      parts.add(device.link().toString());
    }
    device.names().stream().filter(name -> !name.equals(labels.of(device))).forEach(parts::add);
    if (device.physicalFunction() != null) {
      parts.add("VF of " + device.physicalFunction());
    }
    return String.join("  ", parts);
  }

  private static String number(int number) {
    return number == 0 ? "unknown" : "%04x".formatted(number);
  }

  private void matrix() {
    List<TopologyDevice> devices = labels.devices();
    PathMatrix matrix = topology.matrix(devices);
    String[] header = header(devices);
    TextTable table = new TextTable(header);
    Set<PathType> used = EnumSet.noneOf(PathType.class);
    boolean links = false;
    for (int row = 0; row < devices.size(); row++) {
      String[] cells = new String[devices.size() + 2];
      cells[0] = header[row + 1];
      for (int column = 0; column < devices.size(); column++) {
        PathType type = matrix.path(row, column);
        Optional<DirectLink> link =
            topology.directLink(
                topology.indexOf(devices.get(row).id()),
                topology.indexOf(devices.get(column).id()));
        cells[column + 1] = link.map(DirectLink::nvidiaSmiName).orElse(type.nvidiaSmiName());
        if (link.isPresent()) {
          links = true;
        } else {
          used.add(type);
        }
      }
      cells[devices.size() + 1] = numaNode(devices.get(row));
      table.row(cells);
    }
    text.append(table);
    List<String> legend = legend(used, links);
    if (!legend.isEmpty()) {
      text.append("\nLegend:\n");
      legend.forEach(line -> text.append("  ").append(line).append('\n'));
    }
  }

  private String[] header(List<TopologyDevice> devices) {
    String[] header = new String[devices.size() + 2];
    header[0] = "";
    header[devices.size() + 1] = "NUMA";
    for (int i = 0; i < devices.size(); i++) {
      header[i + 1] = labels.of(devices.get(i));
    }
    return header;
  }

  private static String numaNode(TopologyDevice device) {
    OptionalInt node = device.location().numaNode();
    return node.isPresent() ? Integer.toString(node.getAsInt()) : "-";
  }

  private static List<String> legend(Set<PathType> used, boolean links) {
    List<String> legend = new ArrayList<>();
    used.stream()
        .filter(type -> type != PathType.SELF && type != PathType.SAME_CARD)
        .forEach(type -> legend.add("%-8s %s".formatted(type.nvidiaSmiName(), meaning(type))));
    if (used.contains(PathType.SAME_CARD) && !used.contains(PathType.SWITCH)) {
      legend.add("PIX      through one PCIe switch, or on one card");
    }
    if (links) {
      legend.add("NV#, XGMI# direct links, and how many");
    }
    return legend;
  }

  static String meaning(PathType type) {
    return switch (type) {
      case SELF -> "the same device";
      case SAME_CARD -> "on one card";
      case SWITCH -> "through one PCIe switch, or on one card";
      case MULTI_SWITCH -> "through several PCIe switches, not the host bridge";
      case HOST_BRIDGE -> "through one PCIe host bridge";
      case HOST_BRIDGE_OR_NUMA_NODE -> "within one NUMA node, through one host bridge or several";
      case NUMA_NODE -> "through several host bridges of one NUMA node";
      case UNKNOWN -> "not known: a NUMA node is missing";
      case SYSTEM -> "from one NUMA node to another";
    };
  }
}
