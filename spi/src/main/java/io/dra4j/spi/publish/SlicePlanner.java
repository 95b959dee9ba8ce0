package io.dra4j.spi.publish;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SliceLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the devices of a driver on a node into the ResourceSlices of one pool. A slice has at most
 * 128 devices, or 64 if one of them has taints, draws on counters or has a list attribute
 * (resource.k8s.io/v1, ResourceSliceMaxDevices and ResourceSliceMaxDevicesWithAdvancedFeatures);
 * counter sets have slices of their own, 8 in each.
 *
 * <p>A plan starts from the slices that are published. Those that need no change are the same
 * objects in the new plan, so that nothing is written. If one slice changes and none comes or goes,
 * the pool keeps its generation, because that is a single write. If more than one write is needed,
 * the generation goes up, and all slices are written: readers take the newest generation, and only
 * when it is complete, so they never see half of the change. Devices stay in their slice as long as
 * there is room. Immutable and thread-safe.
 */
public final class SlicePlanner {

  private final String driver;
  private final String node;

  private SlicePlanner(String driver, String node) {
    this.driver = driver;
    this.node = node;
  }

  /**
   * Plans for the devices of one node, in a pool with the name of the node.
   *
   * @param driver the name of the driver
   * @param node the name of the node
   * @return the planner
   */
  public static SlicePlanner forNode(String driver, String node) {
    return new SlicePlanner(driver, node);
  }

  /**
   * Plans slices for devices of which none are published yet.
   *
   * @param devices the devices, in the order in which they are to be tried
   * @return the slices, at least one, of generation 1
   * @throws IllegalArgumentException if two devices have the same name
   */
  public List<ResourceSlice> plan(List<Device> devices) {
    return plan(devices, List.of(), List.of());
  }

  /**
   * Plans slices in place of those that are published.
   *
   * @param devices the devices, in the order in which they are to be tried within a slice
   * @param counters the counters that they share
   * @param published all slices of the pool, in their order, of any generation
   * @return the slices, at least one; those that need not be written are the same objects as
   *     before. Published slices whose names are not among them are to be deleted.
   * @throws IllegalArgumentException if two devices have the same name
   */
  public List<ResourceSlice> plan(
      List<Device> devices, List<CounterSet> counters, List<ResourceSlice> published) {
    long generation =
        published.stream().mapToLong(slice -> slice.pool().generation()).max().orElse(0);
    List<ResourceSlice> current =
        published.stream().filter(slice -> slice.pool().generation() == generation).toList();
    List<List<Device>> groups = group(devices, current);
    List<ResourceSlice> slices = new ArrayList<>();
    for (int i = 0; i < counters.size(); i += SliceLimits.MAX_COUNTER_SETS) {
      slices.add(
          slice(slices.size())
              .sharedCounters(
                  counters.subList(i, Math.min(counters.size(), i + SliceLimits.MAX_COUNTER_SETS)))
              .build());
    }
    for (List<Device> group : groups) {
      slices.add(slice(slices.size()).devices(group).build());
    }
    return numbered(slices, current, published.size(), generation);
  }

  private ResourceSlice.Builder slice(int number) {
    return ResourceSlice.named(name(number), driver).nodeSelection(NodeSelection.ofNode(node));
  }

  /** The first slice has no number, so that a pool of one looks like what it is. */
  private String name(int number) {
    return node + "-" + driver + (number == 0 ? "" : "-" + number);
  }

  private List<ResourceSlice> numbered(
      List<ResourceSlice> wanted, List<ResourceSlice> current, int published, long generation) {
    Map<String, ResourceSlice> before = new HashMap<>();
    current.forEach(slice -> before.put(slice.metadata().name(), slice));
    List<ResourceSlice> same = new ArrayList<>();
    int writes = 0;
    for (ResourceSlice slice : wanted) {
      ResourceSlice next = slice.toBuilder().pool(node, generation, wanted.size()).build();
      ResourceSlice old = before.get(slice.metadata().name());
      if (old != null && sameContent(old, next)) {
        same.add(old);
      } else {
        writes++;
        same.add(next);
      }
    }
    boolean comeOrGone = published != wanted.size() || before.size() != wanted.size();
    if (generation > 0 && writes <= 1 && !comeOrGone) {
      return List.copyOf(same);
    }
    return wanted.stream()
        .map(slice -> slice.toBuilder().pool(node, generation + 1, wanted.size()).build())
        .toList();
  }

  /** What the API server adds to metadata is not ours to compare. */
  private static boolean sameContent(ResourceSlice old, ResourceSlice next) {
    return old.toBuilder().metadata(next.metadata()).build().equals(next);
  }

  private static List<List<Device>> group(List<Device> devices, List<ResourceSlice> current) {
    Map<String, Integer> places = new HashMap<>();
    List<List<Device>> groups = new ArrayList<>();
    for (ResourceSlice slice : current) {
      if (!slice.devices().isEmpty()) {
        slice.devices().forEach(device -> places.putIfAbsent(device.name(), groups.size()));
        groups.add(new ArrayList<>());
      }
    }
    Set<String> names = new HashSet<>();
    List<Device> homeless = new ArrayList<>();
    for (Device device : devices) {
      if (!names.add(device.name())) {
        throw new IllegalArgumentException("two devices are called '" + device.name() + "'");
      }
      Integer place = places.get(device.name());
      if (place == null || !hasRoom(groups.get(place), device)) {
        homeless.add(device);
      } else {
        groups.get(place).add(device);
      }
    }
    for (Device device : homeless) {
      List<Device> room = null;
      for (List<Device> group : groups) {
        if (room == null && hasRoom(group, device)) {
          room = group;
        }
      }
      if (room == null) {
        room = new ArrayList<>();
        groups.add(room);
      }
      room.add(device);
    }
    groups.removeIf(List::isEmpty);
    if (groups.isEmpty()) {
      groups.add(List.of());
    }
    return inOrder(groups, devices);
  }

  /** Devices that came in later stand where they belong, not at the end. */
  private static List<List<Device>> inOrder(List<List<Device>> groups, List<Device> devices) {
    Map<String, Integer> groupOf = new HashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      for (Device device : groups.get(i)) {
        groupOf.put(device.name(), i);
      }
    }
    List<List<Device>> ordered = new ArrayList<>();
    groups.forEach(group -> ordered.add(new ArrayList<>()));
    for (Device device : devices) {
      Integer group = groupOf.get(device.name());
      if (group != null) {
        ordered.get(group).add(device);
      }
    }
    return ordered;
  }

  private static boolean hasRoom(List<Device> group, Device next) {
    if (group.size() < SliceLimits.MAX_ADVANCED_DEVICES) {
      return true;
    }
    return group.size() < SliceLimits.MAX_DEVICES
        && !SliceLimits.isAdvanced(next)
        && group.stream().noneMatch(SliceLimits::isAdvanced);
  }
}
