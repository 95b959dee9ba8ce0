package io.dra4j.cli.topology;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Groups of GPUs or accelerators with their nearest NICs; each device is in at most one group. */
final class NearestGroups {

  /** The levels in the order of legends. */
  private static final List<PathType> LEVELS =
      List.of(
          PathType.SWITCH,
          PathType.MULTI_SWITCH,
          PathType.HOST_BRIDGE,
          PathType.HOST_BRIDGE_OR_NUMA_NODE,
          PathType.NUMA_NODE);

  /**
   * Devices with the same nearest NICs.
   *
   * @param mark a letter, for readers who cannot distinguish the colours
   * @param level the path between GPUs and NICs
   * @param devices the devices that are in no nearer group
   * @param beside the marks of nearer groups that have the NICs; empty if the group has its own
   *     NICs
   */
  record Group(String mark, PathType level, List<TopologyDevice> devices, List<String> beside) {}

  private final List<Group> groups = new ArrayList<>();
  private final Map<String, Integer> byDevice = new HashMap<>();

  NearestGroups(HostTopology topology) {
    for (PathType level : LEVELS) {
      for (List<TopologyDevice> near : topology.groups(level)) {
        List<TopologyDevice> others =
            near.stream().filter(device -> !byDevice.containsKey(device.id())).toList();
        if (has(near, true) && has(others, false)) {
          add(level, near, others);
        }
      }
    }
  }

  private static boolean has(List<TopologyDevice> devices, boolean nic) {
    return devices.stream().anyMatch(device -> (device.kind() == DeviceKind.NIC) == nic);
  }

  private void add(PathType level, List<TopologyDevice> near, List<TopologyDevice> others) {
    List<String> beside =
        has(others, true)
            ? List.of()
            : near.stream()
                .filter(device -> device.kind() == DeviceKind.NIC)
                .map(device -> groups.get(byDevice.getOrDefault(device.id(), 0)).mark())
                .distinct()
                .toList();
    others.forEach(device -> byDevice.put(device.id(), groups.size()));
    groups.add(new Group(mark(groups.size()), level, others, beside));
  }

  /** Returns the mark of a group: A to Z, then AA. */
  static String mark(int number) {
    String last = String.valueOf((char) ('A' + number % 26));
    return number < 26 ? last : mark(number / 26 - 1) + last;
  }

  /** Returns all groups, the nearest first. */
  List<Group> all() {
    return groups;
  }

  /** Returns the index of a device's group in {@link #all()}; -1 if it has none. */
  int indexOf(TopologyDevice device) {
    return byDevice.getOrDefault(device.id(), -1);
  }
}
