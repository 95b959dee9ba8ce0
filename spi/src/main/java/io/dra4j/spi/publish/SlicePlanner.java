package io.dra4j.spi.publish;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SliceLimits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts what a driver offers in one pool into ResourceSlices. A slice has at most 128 devices, or 64
 * if one of them has taints, draws on counters or has a list attribute (resource.k8s.io/v1,
 * ResourceSliceMaxDevices and ResourceSliceMaxDevicesWithAdvancedFeatures); counter sets have
 * slices of their own, 8 in each.
 *
 * <p>A plan starts from the slices that are published: those that the API server has, of any
 * generation and by any publisher. Slices that need no change are the same objects in the new plan,
 * so that nothing is written. If one slice changes and none comes or goes, the pool keeps its
 * generation, because that is a single write. If more than one write is needed, the generation goes
 * up, and all slices are written: readers take the newest generation, and only when it is complete,
 * so they never see half of the change. Devices stay in their slice as long as there is room.
 *
 * <p>The name of a slice begins with its place in the pool, in four digits, because allocators try
 * the slices of a pool in the order of their names. A published slice keeps its name if it begins
 * with the right place, also if the server has generated the rest. Other names end with a hash of
 * driver, pool and node, so that they differ between nodes. The server is not asked to generate
 * them ({@code generateName}): a create whose answer was lost can be repeated, and does not make a
 * second slice.
 *
 * <p>A taint keeps the {@code timeAdded} that it has on the server for as long as the device has a
 * taint of this key, value and effect. Immutable and thread-safe.
 */
public final class SlicePlanner {

  private static final int MAX_NAME_BYTES = 253; // DNS1123SubdomainMaxLength
  private static final int HASH_BYTES = 6;
  private static final Pattern PLACE = Pattern.compile("([0-9]{4})-.*");

  private final String driver;
  private final String node;
  private final String pool;

  private SlicePlanner(String driver, String node, String pool) {
    this.driver = Objects.requireNonNull(driver, "driver");
    this.node = Objects.requireNonNull(node, "node");
    this.pool = Objects.requireNonNull(pool, "pool");
  }

  /**
   * Plans for the devices of one node, in a pool with the name of the node.
   *
   * @param driver the name of the driver
   * @param node the name of the node
   * @return the planner
   */
  public static SlicePlanner forNode(String driver, String node) {
    return new SlicePlanner(driver, node, node);
  }

  /**
   * Plans for a pool of any name.
   *
   * @param driver the name of the driver
   * @param node the name of the node that the driver runs on, from where devices can be used unless
   *     the pool says otherwise
   * @param pool the name of the pool
   * @return the planner
   */
  public static SlicePlanner forPool(String driver, String node, String pool) {
    return new SlicePlanner(driver, node, pool);
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
   * @param published all slices of the pool, of any generation
   * @return the slices, at least one; those that need not be written are the same objects as
   *     before. Published slices whose names are not among them are to be deleted.
   * @throws IllegalArgumentException if two devices have the same name
   */
  public List<ResourceSlice> plan(
      List<Device> devices, List<CounterSet> counters, List<ResourceSlice> published) {
    return plan(DevicePool.of(devices, counters), published).slices();
  }

  /**
   * Plans slices in place of those that are published.
   *
   * @param offer what the pool is to have
   * @param published the slices of the pool as they are on the server, of any generation, in any
   *     order; those of other pools and drivers are passed over
   * @return the slices and what is to be done for them
   * @throws IllegalArgumentException if two devices have the same name
   */
  public SlicePlan plan(DevicePool offer, List<ResourceSlice> published) {
    List<ResourceSlice> known =
        published.stream()
            .filter(slice -> slice.driver().equals(driver) && slice.pool().name().equals(pool))
            .sorted(
                Comparator.comparingLong((ResourceSlice slice) -> slice.pool().generation())
                    .thenComparing(slice -> slice.metadata().name()))
            .toList();
    long generation = known.isEmpty() ? 0 : known.get(known.size() - 1).pool().generation();
    List<ResourceSlice> current =
        known.stream().filter(slice -> slice.pool().generation() == generation).toList();
    List<Device> devices = withTimes(offer.devices(), known);
    List<ResourceSlice> wanted = new ArrayList<>();
    List<CounterSet> counters = offer.counters();
    for (int i = 0; i < counters.size(); i += SliceLimits.MAX_COUNTER_SETS) {
      int end = Math.min(counters.size(), i + SliceLimits.MAX_COUNTER_SETS);
      wanted.add(slice(offer).sharedCounters(counters.subList(i, end)).build());
    }
    for (List<Device> group : group(devices, current)) {
      boolean hasParts = group.stream().anyMatch(one -> !one.consumesCounters().isEmpty());
      wanted.add(
          slice(offer)
              .devices(group)
              .partitionTypeAttribute(hasParts ? offer.partitionTypeAttribute() : null)
              .skipNodeOperations(offer.skipNodeOperations())
              .build());
    }
    return numbered(named(wanted, known), current, known, generation);
  }

  /** The server wants exactly one of the ways to say the nodes, also of slices of counters. */
  private ResourceSlice.Builder slice(DevicePool offer) {
    ResourceSlice.Builder slice = ResourceSlice.named("", driver);
    if (offer.perDeviceNodeSelection()) {
      return slice.perDeviceNodeSelection(true);
    }
    return slice.nodeSelection(
        offer.nodeSelection().isGiven() ? offer.nodeSelection() : NodeSelection.ofNode(node));
  }

  /** The slices under the names of published ones, newest first, or under new names. */
  private List<ResourceSlice> named(List<ResourceSlice> wanted, List<ResourceSlice> known) {
    Map<Integer, ResourceSlice> places = new HashMap<>();
    Map<String, ResourceSlice> names = new HashMap<>();
    for (ResourceSlice slice : known) { // the newest generation is last, and wins
      Matcher place = PLACE.matcher(slice.metadata().name());
      if (place.matches()) {
        places.put(Integer.valueOf(place.group(1)), slice);
      }
      names.put(slice.metadata().name(), slice);
    }
    List<ResourceSlice> named = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      ResourceSlice slice = wanted.get(i);
      ResourceSlice before = places.get(i);
      if (before == null || !isUpdatable(before, slice)) {
        ObjectMeta metadata = ObjectMeta.named(newName(i, slice.nodeSelection()));
        before = names.get(metadata.name());
        named.add(
            slice.toBuilder().metadata(before == null ? metadata : before.metadata()).build());
      } else {
        named.add(slice.toBuilder().metadata(before.metadata()).build());
      }
    }
    return named;
  }

  /** The server refuses another node on update (ValidateResourceSliceUpdate). */
  private static boolean isUpdatable(ResourceSlice before, ResourceSlice next) {
    return Objects.equals(before.nodeSelection().nodeName(), next.nodeSelection().nodeName());
  }

  /** No character in names marks where a driver's name ends and a node's begins. */
  private String newName(int place, NodeSelection selection) {
    String identity = String.join("\n", driver, pool, node, String.valueOf(selection.nodeName()));
    String hash = "-" + hash(identity);
    String start = "%04d-".formatted(place);
    String readable = (pool + "-" + driver).replace('/', '-');
    int most = MAX_NAME_BYTES - start.length() - hash.length();
    int end = Math.min(most, readable.length());
    while (end > 0 && !Character.isLetterOrDigit(readable.charAt(end - 1))) {
      end--; // no label ends with a dash
    }
    return start + readable.substring(0, end) + hash;
  }

  /** The first 48 bits of SHA-256: names that people choose never have the same. */
  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] all = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(all, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private SlicePlan numbered(
      List<ResourceSlice> wanted,
      List<ResourceSlice> current,
      List<ResourceSlice> known,
      long generation) {
    Map<String, ResourceSlice> before = new HashMap<>();
    current.forEach(slice -> before.put(slice.metadata().name(), slice));
    List<ResourceSlice> slices = new ArrayList<>();
    int writes = 0;
    for (ResourceSlice slice : wanted) {
      ResourceSlice next = slice.toBuilder().pool(pool, generation, wanted.size()).build();
      ResourceSlice old = before.remove(slice.metadata().name());
      if (old != null && old.equals(next)) {
        slices.add(old);
      } else {
        writes += old == null ? wanted.size() + 1 : 1; // one that comes is never alone
        slices.add(next);
      }
    }
    if (generation == 0 || writes > 1 || !before.isEmpty()) {
      slices.clear();
      for (ResourceSlice slice : wanted) {
        slices.add(slice.toBuilder().pool(pool, generation + 1, wanted.size()).build());
      }
    }
    return changes(slices, known);
  }

  @SuppressWarnings("ReferenceEquality") // the same object is what need not be written
  private static SlicePlan changes(List<ResourceSlice> slices, List<ResourceSlice> known) {
    Map<String, ResourceSlice> published = new LinkedHashMap<>();
    known.forEach(slice -> published.put(slice.metadata().name(), slice));
    List<ResourceSlice> creates = new ArrayList<>();
    List<ResourceSlice> updates = new ArrayList<>();
    for (ResourceSlice slice : slices) {
      ResourceSlice old = published.remove(slice.metadata().name());
      if (old == null) {
        creates.add(slice);
      } else if (old != slice) {
        updates.add(slice);
      }
    }
    return new SlicePlan(slices, creates, updates, List.copyOf(published.values()));
  }

  /** The devices, whose taints have the times of those that are published. */
  private static List<Device> withTimes(List<Device> devices, List<ResourceSlice> known) {
    Map<String, Device> published = new HashMap<>();
    for (ResourceSlice slice : known) {
      for (Device device : slice.devices()) {
        if (!device.taints().isEmpty()) {
          published.put(device.name(), device);
        }
      }
    }
    return published.isEmpty()
        ? devices
        : devices.stream().map(one -> withTimes(one, published.get(one.name()))).toList();
  }

  private static Device withTimes(Device device, @Nullable Device published) {
    if (published == null || device.taints().isEmpty()) {
      return device;
    }
    List<DeviceTaint> taints = new ArrayList<>();
    for (DeviceTaint taint : device.taints()) {
      DeviceTaint kept = taint;
      for (DeviceTaint one : published.taints()) {
        if (one.timeAdded() != null && one.isSameMark(taint)) {
          kept = one;
        }
      }
      taints.add(kept);
    }
    return taints.equals(device.taints()) ? device : device.withTaints(taints);
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
