package io.dra4j.sysfs;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads {@code /sys/devices/system/node}. */
final class NumaNodes {

  /** The largest number a node can have: MAX_NUMNODES of the kernel is at most 1,024. */
  static final int MAX_NODE = 1_023;

  private static final int MAX_CPU = 1 << 20;
  private static final String NODES = "sys/devices/system/node";

  private final SysfsTree tree;

  NumaNodes(SysfsTree tree) {
    this.tree = tree;
  }

  List<NumaNode> read() {
    List<NumaNode> nodes = new ArrayList<>();
    for (String name : tree.list(NODES)) {
      if (!name.startsWith("node")) {
        continue;
      }
      OptionalInt id = KernelText.decimal(name.substring("node".length()), MAX_NODE);
      if (id.isPresent()) {
        tree.directory(NODES + "/" + name)
            .ifPresent(directory -> nodes.add(node(id.getAsInt(), directory)));
      }
    }
    return nodes;
  }

  private NumaNode node(int id, SysfsTree.Directory directory) {
    String cpus = directory.text("cpulist").orElse("");
    if (!cpus.matches("[0-9,-]*") || cpus.length() > 4_096) {
      tree.warn(directory.path() + "/cpulist", "expected a list such as 0-27,56-83");
      cpus = "";
    }
    return new NumaNode(id, cpus, socket(cpus), distances(directory));
  }

  private List<Integer> distances(SysfsTree.Directory directory) {
    String text = directory.text("distance").orElse("");
    List<Integer> distances = new ArrayList<>();
    for (String word : text.split("\\s+", -1)) {
      OptionalInt distance = KernelText.decimal(word, 0xffff);
      if (distance.isEmpty() || distances.size() > MAX_NODE) {
        if (!text.isEmpty()) {
          tree.warn(directory.path() + "/distance", "expected numbers such as 10 21");
        }
        return List.of();
      }
      distances.add(distance.getAsInt());
    }
    return distances;
  }

  /** Returns the package of the first CPU. */
  private OptionalInt socket(String cpus) {
    int end = 0;
    while (end < cpus.length() && Character.digit(cpus.charAt(end), 10) >= 0) {
      end++;
    }
    OptionalInt first = KernelText.decimal(cpus.substring(0, end), MAX_CPU);
    if (first.isEmpty()) {
      return OptionalInt.empty();
    }
    return tree.directory("sys/devices/system/cpu/cpu" + first.getAsInt() + "/topology")
        .map(directory -> directory.number("physical_package_id", 0xffff))
        .orElse(OptionalInt.empty());
  }
}
