package io.dra4j.dranet;

import io.dra4j.dranet.discovery.AttributeGroup;
import io.dra4j.dranet.discovery.DeviceAttributes;
import io.dra4j.dranet.discovery.DeviceNames;
import io.dra4j.dranet.discovery.MoveObstacle;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.dranet.discovery.NetworkDevices;
import io.dra4j.dranet.discovery.NetworkFacts;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the devices of a host, and holds the newest snapshot. {@link NetworkDevices} defines what a
 * device is, {@link DeviceAttributes} which attributes are published. Thread-safe.
 */
final class NetworkDiscovery {

  /**
   * The devices of a host at one time.
   *
   * @param scan the number of the inventory, which grows with each inventory
   * @param look the number of the kernel query, which grows with each query
   * @param host the inventory that readers found
   * @param facts the answer of the kernel
   * @param devices the devices by name
   */
  record Snapshot(
      long scan,
      long look,
      HostInventory host,
      NetworkFacts facts,
      Map<String, NetworkDevice> devices) {

    /**
     * Returns whether this snapshot has a later inventory, or the same inventory and a later query.
     */
    boolean isNewerThan(@Nullable Snapshot other) {
      return other == null || scan > other.scan || (scan == other.scan && look > other.look);
    }
  }

  private final String name;
  private final NetworkNamespace namespace;
  private final Host host;
  private final @Nullable CompiledSelector filter;
  private final boolean numaNodeLists;
  private final boolean movesIpoib;
  private final Set<AttributeGroup> groups;
  private final List<AttributeProvider> providers;
  private final Consumer<String> warnings;
  private final AtomicLong scans = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();
  private final AtomicReference<@Nullable Snapshot> newest = new AtomicReference<>();
  private volatile Set<String> offered = Set.of();

  NetworkDiscovery(NetworkOptions options, NetworkNamespace namespace, Consumer<String> warnings) {
    this.name = options.name;
    this.namespace = namespace;
    this.host = options.host;
    this.filter = options.filter;
    this.numaNodeLists = options.numaNodeLists;
    this.movesIpoib = options.movesIpoib;
    this.groups = Set.copyOf(options.groups);
    this.providers = List.copyOf(options.attributes);
    this.warnings = warnings;
  }

  /** Returns the newest snapshot; null before the first. */
  @Nullable Snapshot newest() {
    return newest.get();
  }

  /** Returns the devices of the newest snapshot by name; empty before the first. */
  Map<String, NetworkDevice> devices() {
    Snapshot now = newest.get();
    return now == null ? Map.of() : now.devices;
  }

  /** Returns the devices that the last discovery offered, from the newest snapshot. */
  List<NetworkDevice> offered() {
    Set<String> names = offered;
    return devices().values().stream().filter(one -> names.contains(one.name())).toList();
  }

  /** Returns the devices to offer from a new inventory. */
  List<Device> discover(HostInventory inventory) {
    Snapshot found = look(scans.incrementAndGet(), inventory);
    DeviceAttributes attributes = new DeviceAttributes(name, inventory, numaNodeLists, groups);
    List<NetworkDevice> candidates =
        new TreeMap<>(found.devices).values().stream().filter(this::isCandidate).toList();
    providers.forEach(one -> expect(one, candidates));
    List<Device> devices = new ArrayList<>();
    for (NetworkDevice one : candidates) {
      Device device =
          attributes.of(
              one, provided(one), (of, cut) -> warnings.accept("device " + of + ": " + cut));
      if (isOffered(device)) {
        devices.add(device);
      }
    }
    offered = devices.stream().map(Device::name).collect(Collectors.toUnmodifiableSet());
    for (MoveObstacle one : found.facts.obstacles().values()) {
      if (one.kind() == MoveObstacle.Kind.ADVERTISED_UPLINK) {
        warnings.accept("skipping a link: " + one.reason());
      }
    }
    return devices;
  }

  /**
   * Queries the kernel, and keeps the answer unless another thread has stored a newer one.
   *
   * @throws UncheckedIOException if the links cannot be read
   */
  private Snapshot look(long scan, HostInventory inventory) {
    long look = looks.incrementAndGet();
    NetworkFacts facts = NetworkFacts.NONE;
    if (host.isLive()) {
      try {
        facts = NetworkFacts.read(namespace, warnings);
      } catch (IOException e) { // without them everything would be offered, even uplinks
        throw new UncheckedIOException("cannot read the links of the host", e);
      }
    }
    Map<String, NetworkDevice> devices = new HashMap<>();
    NetworkDevices.of(inventory, facts, movesIpoib).forEach(one -> devices.put(one.name(), one));
    Snapshot found = new Snapshot(scan, look, inventory, facts, Map.copyOf(devices));
    newest.updateAndGet(now -> found.isNewerThan(now) ? found : now);
    return found;
  }

  private void expect(AttributeProvider provider, List<NetworkDevice> candidates) {
    try {
      provider.expect(candidates);
    } catch (RuntimeException e) { // devices are offered without its attributes
      warnings.accept("an attribute provider failed: " + e);
    }
  }

  private Map<String, DeviceAttribute> provided(NetworkDevice device) {
    Map<String, DeviceAttribute> all = new TreeMap<>();
    for (AttributeProvider one : providers) {
      try {
        all.putAll(one.attributesOf(device));
      } catch (RuntimeException e) { // devices are offered without its attributes
        warnings.accept("device " + device.name() + ": an attribute provider failed: " + e);
      }
    }
    return all;
  }

  /** Returns whether the filter accepts the device; without one, all but ends of veth pairs. */
  private boolean isCandidate(NetworkDevice device) {
    return filter != null || device.link() == null || !device.link().link().kind().equals("veth");
  }

  private boolean isOffered(Device device) {
    CompiledSelector selector = filter;
    if (selector == null) {
      return true;
    }
    try {
      return selector.matches(name, device);
    } catch (SelectorException e) {
      warnings.accept(
          "device " + device.name() + " is skipped because the filter failed: " + e.getMessage());
      return false;
    }
  }

  /**
   * Finds a device of the host. If the device or its interface is missing, queries the kernel
   * again: it may have returned since the last discovery.
   */
  NetworkDevice find(String device) throws DriverException {
    Snapshot now = newest.get();
    NetworkDevice found = now == null ? null : now.devices.get(device);
    if (now != null && (found == null || found.link() == null)) {
      try {
        look(now.scan, now.host);
      } catch (UncheckedIOException e) {
        throw DriverException.failed(e.getMessage() + ": " + e.getCause(), e).forDevice(device);
      }
      now = newest.get();
      found = now == null ? null : now.devices.get(device);
    }
    if (now != null && found == null) {
      throw DriverException.unavailable(reason(now, device)).forDevice(device);
    }
    if (found == null) {
      throw DriverException.unavailable("the device is not on the host").forDevice(device);
    }
    return found;
  }

  /** Returns the reason why a device is missing. */
  private static String reason(Snapshot now, String device) {
    MoveObstacle obstacle = now.facts.obstacles().get(device);
    if (obstacle != null) {
      return obstacle.reason();
    }
    boolean there =
        now.host.pciFunctions().stream()
            .anyMatch(one -> DeviceNames.of(one.address()).equals(device));
    return there
        ? "its network interface is not on the host: it is in another namespace or no longer exists"
        : "the device is not on the host";
  }

  /** Returns the MTU limit of a virtual function, the MTU of its physical function; else empty. */
  OptionalInt maxMtu(NetworkDevice device) {
    PciFunction function = device.function();
    PciAddress physical = function == null ? null : function.physicalFunction();
    Snapshot now = newest.get();
    if (physical == null || now == null) {
      return OptionalInt.empty();
    }
    for (Netdev netdev : now.host.netdevs()) {
      if (physical.equals(netdev.address())) {
        return netdev.mtu();
      }
    }
    return OptionalInt.empty();
  }
}
