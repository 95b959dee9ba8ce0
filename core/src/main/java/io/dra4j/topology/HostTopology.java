package io.dra4j.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one host and the paths between them. Immutable and thread-safe.
 *
 * <p>Paths follow the rules of {@code nvidia-smi topo -m} and NCCL over the host's PCIe trees and
 * NUMA nodes, corrected by {@link TopologyOverlay}s. The type of a path is the same in both
 * directions. If every device names its NUMA node, and all functions of one host bridge name the
 * same node, paths are also an ultrametric: the path from a to c is never longer than the longer
 * one of the paths from a to b and from b to c.
 */
public final class HostTopology {

  private final ImmutableList<TopologyDevice> devices;
  private final int size; // the number of devices
  private final ImmutableMap<String, Integer> indices;
  private final ImmutableMap<String, Location> recordedPlaces;
  private final ImmutableList<TopologyDevice> bridges;
  private final ImmutableList<NumaNode> numaNodes;
  private final ImmutableList<DirectLink> links;
  private final ImmutableMap<Long, DirectLink> linksByPair;
  private final @Nullable CpuModel cpu;
  private final ImmutableList<String> warnings;
  private final TreeLayer base;
  private final PathLayer[] overlays; // in order of precedence

  HostTopology(
      List<TopologyDevice> devices,
      Map<String, Integer> indices,
      TopologyParts parts,
      LinkTable links,
      TreeLayer base,
      List<PathLayer> overlays) {
    this.devices = ImmutableList.copyOf(devices);
    this.size = devices.size();
    this.indices = ImmutableMap.copyOf(indices);
    this.recordedPlaces = ImmutableMap.copyOf(parts.recordedPlaces);
    this.bridges = ImmutableList.copyOf(parts.bridges.values());
    this.numaNodes = ImmutableList.copyOf(parts.sortedNumaNodes());
    this.links = ImmutableList.copyOf(links.all());
    this.linksByPair = ImmutableMap.copyOf(links.byPair());
    this.cpu = parts.cpu;
    this.warnings = ImmutableList.copyOf(parts.warnings);
    this.base = base;
    this.overlays = overlays.toArray(PathLayer[]::new);
  }

  /** {@return a builder for a topology from the data of the host itself} */
  public static HostTopologyBuilder builder() {
    return new HostTopologyBuilder(TopologySource.SYSFS);
  }

  /**
   * Starts a topology of the devices that drivers publish for one host, from the attributes {@code
   * pcieRoot}, {@code pciBusID} and {@code numaNode} and older names that drivers used before
   * these.
   *
   * <p>Such a topology has less information than the host. The path of two devices on one pcieRoot
   * is {@link PathType#HOST_BRIDGE}, which is an upper bound. If one of two devices names no NUMA
   * node, their path is {@link PathType#UNKNOWN}.
   *
   * <p>Only the slices of the newest generation of each pool count, as for schedulers: a driver has
   * only not deleted the older ones yet.
   *
   * @param slices the slices of one host
   * @return a builder with all their devices
   */
  public static HostTopologyBuilder ofSlices(Collection<ResourceSlice> slices) {
    Objects.requireNonNull(slices, "slices");
    Map<Map.Entry<String, String>, Long> newest = new HashMap<>(); // by driver and pool
    for (ResourceSlice slice : slices) {
      Objects.requireNonNull(slice, "slice");
      newest.merge(poolOf(slice), slice.pool().generation(), Math::max);
    }
    HostTopologyBuilder builder = new HostTopologyBuilder(TopologySource.RESOURCE_SLICES);
    for (ResourceSlice slice : slices) {
      if (newest.getOrDefault(poolOf(slice), 0L) == slice.pool().generation()) {
        SliceDevices.addTo(builder, slice);
      }
    }
    return builder.numaNodesOfRoots();
  }

  /**
   * {@return whether an attribute affects the locations, links or kinds of devices in a topology
   * {@link #ofSlices}, in addition to the names of devices, drivers and pools} If no such attribute
   * has changed, a topology need not be created again.
   *
   * @param attribute the name of the attribute, with or without a domain
   */
  public static boolean isMadeFrom(String attribute) {
    Objects.requireNonNull(attribute, "attribute");
    return SliceDevices.reads(attribute);
  }

  private static Map.Entry<String, String> poolOf(ResourceSlice slice) {
    return Map.entry(slice.driver(), slice.pool().name());
  }

  /**
   * Finds malformed PCI addresses of devices. Such a device has no neighbours by its address. The
   * {@link #warnings} of a topology {@link #ofSlices} also contain them.
   *
   * @param slice the slice of a driver
   * @return a line for each: slice, device and attribute, and the expected and the found value
   */
  public static List<String> unreadableAddresses(ResourceSlice slice) {
    Objects.requireNonNull(slice, "slice");
    return SliceDevices.unreadableAddresses(slice);
  }

  /**
   * {@return all devices, including the bridges that the host lists, by PCI address, then by id;
   * the index of a device is its position in this list}
   */
  public List<TopologyDevice> devices() {
    return devices;
  }

  /** {@return the {@linkplain DeviceKind#isEndpoint() endpoints} by PCI address, then by id} */
  public List<TopologyDevice> endpoints() {
    return devices.stream()
        .filter(device -> device.kind().isEndpoint())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the bridges in the locations of devices, from host and overlays, by PCI address} */
  public List<TopologyDevice> bridges() {
    return bridges;
  }

  /** {@return the NUMA nodes by number; empty if they are not known} */
  public List<NumaNode> numaNodes() {
    return numaNodes;
  }

  /** {@return the links outside the PCIe tree, in the order of their devices} */
  public List<DirectLink> links() {
    return links;
  }

  /** {@return the processors, if known} */
  public Optional<CpuModel> cpu() {
    return Optional.ofNullable(cpu);
  }

  /** {@return warnings about data that was left out or is contradictory, each with its source} */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * {@return the device with an id, if there is one}
   *
   * @param id its id, for example {@code 0000:8f:00.0}
   */
  public Optional<TopologyDevice> device(String id) {
    Objects.requireNonNull(id, "id");
    Integer index = indices.get(id);
    return index == null ? Optional.empty() : Optional.of(devices.get(index));
  }

  /**
   * {@return the device that a ResourceSlice published; empty if no slice of this host has it}
   *
   * @param published driver, pool and name
   */
  public Optional<TopologyDevice> device(DeviceId published) {
    Objects.requireNonNull(published, "published");
    // The name of a slice's device is its id, unless another device has this name.
    Optional<TopologyDevice> device = device(published.toString());
    return device.filter(found -> published.equals(found.published()));
  }

  /**
   * {@return the location of a device in the tree of its paths, that of the last {@link
   * TreeOverlay} with the device, or else of the host; {@link Location#root()} begins with {@code
   * cpu:} if each bridge is a whole switch ({@link TreeOverlay.Levels#SWITCHES})} {@link
   * TopologyDevice#location()} always refers to the tree of the host if the host has the device.
   *
   * @param device a device of this host
   */
  public Location place(TopologyDevice device) {
    Objects.requireNonNull(device, "device");
    Location recorded = recordedPlaces.get(device.id());
    return recorded != null ? recorded : device.location();
  }

  /**
   * {@return the position of a device in {@link #devices()}, for the methods with an index}
   *
   * @param id its id, for example {@code 0000:8f:00.0}
   * @throws NoSuchElementException if there is no such device
   */
  public int indexOf(String id) {
    Objects.requireNonNull(id, "id");
    Integer index = indices.get(id);
    if (index == null) {
      throw new NoSuchElementException("no device '" + id + "' on this host");
    }
    return index;
  }

  /**
   * {@return the type of the path between two devices}
   *
   * @param a the id of one device, for example {@code 0000:8f:00.0}
   * @param b the id of the other
   * @throws NoSuchElementException if there is no such device
   */
  public PathType path(String a, String b) {
    Objects.requireNonNull(a, "a");
    Objects.requireNonNull(b, "b");
    return path(indexOf(a), indexOf(b));
  }

  /**
   * {@return the type of the path between two devices}
   *
   * @param a the index of one device
   * @param b the index of the other
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public PathType path(int a, int b) {
    Objects.checkIndex(a, size);
    Objects.checkIndex(b, size);
    if (a == b) {
      return PathType.SELF;
    }
    return overlays.length == 0 ? fromHost(a, b) : sourcedPath(a, b).type();
  }

  /**
   * {@return the path between two devices with its source} The last source that has the path
   * counts. If it leaves open which of two types applies, the last source that decides it counts.
   *
   * @param a the index of one device
   * @param b the index of the other
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public DevicePath sourcedPath(int a, int b) {
    Objects.checkIndex(a, size);
    Objects.checkIndex(b, size);
    if (a == b) {
      return new DevicePath(PathType.SELF, base.source());
    }
    DevicePath recorded = null;
    for (PathLayer overlay : overlays) {
      PathType type = overlay.type(a, b);
      if (type != null && (recorded == null || recorded.type().leavesOpen(type))) {
        recorded = new DevicePath(type, overlay.source());
      }
    }
    return recorded == null
        ? new DevicePath(fromHost(a, b), base.source())
        : resolve(recorded, a, b);
  }

  private PathType fromHost(int a, int b) {
    PathType type = base.type(a, b);
    return type == null ? PathType.UNKNOWN : type;
  }

  /** The path, where the host decides a type that a tree without host bridges leaves open. */
  private DevicePath resolve(DevicePath recorded, int a, int b) {
    int sameRoot = base.sameRoot(a, b);
    PathType type = sameRoot == 1 ? PathType.HOST_BRIDGE : PathType.NUMA_NODE;
    if (sameRoot < 0 || !recorded.type().leavesOpen(type)) {
      return recorded;
    }
    return new DevicePath(type, base.type(a, b) == type ? base.source() : recorded.source());
  }

  /**
   * {@return the links between two devices outside the PCIe tree, if there are any}
   *
   * @param a the index of one device
   * @param b the index of the other
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public Optional<DirectLink> directLink(int a, int b) {
    Objects.checkIndex(a, size);
    Objects.checkIndex(b, size);
    return Optional.ofNullable(linksByPair.get(pair(a, b)));
  }

  /** One number for two indices in either order. */
  static long pair(int a, int b) {
    return (long) Math.min(a, b) << 32 | Math.max(a, b);
  }

  /**
   * {@return the matrix of the types of all paths between some devices}
   *
   * @param chosen the devices, in the order of rows and columns
   * @throws NoSuchElementException if this host does not have one of the devices
   */
  public PathMatrix matrix(List<TopologyDevice> chosen) {
    Objects.requireNonNull(chosen, "chosen");
    int size = chosen.size();
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      rows[i] = indexOf(chosen.get(i).id());
    }
    PathType[] types = new PathType[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        PathType type = path(rows[i], rows[j]);
        types[i * size + j] = type;
        types[j * size + i] = type;
      }
    }
    return new PathMatrix(ImmutableList.copyOf(chosen), types);
  }

  /**
   * {@return groups of two or more GPUs and NICs near to each other, ordered by their first device}
   *
   * @param within the longest path within a group
   */
  public List<List<TopologyDevice>> groups(PathType within) {
    Objects.requireNonNull(within, "within");
    List<List<TopologyDevice>> groups = new ArrayList<>();
    for (TopologyDevice device : endpoints()) {
      int index = indexOf(device.id());
      Optional<List<TopologyDevice>> group =
          groups.stream()
              .filter(
                  other ->
                      path(index, indexOf(other.get(0).id())).isWithin(within)
                          && path(index, indexOf(other.get(0).id())) != PathType.UNKNOWN)
              .findFirst();
      if (group.isPresent()) {
        group.get().add(device);
      } else {
        groups.add(new ArrayList<>(List.of(device)));
      }
    }
    return groups.stream()
        .filter(group -> group.size() > 1)
        .<List<TopologyDevice>>map(ImmutableList::copyOf)
        .collect(ImmutableList.toImmutableList());
  }
}
