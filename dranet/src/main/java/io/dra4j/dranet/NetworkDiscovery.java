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
 * Finds the devices of a host, and remembers the newest that it found. {@link NetworkDevices} knows
 * what a device is, {@link DeviceAttributes} what is published of it. Thread-safe.
 */
final class NetworkDiscovery {

  /**
   * What is on the host, as of one look at it.
   *
   * @param scan which inventory it is of, a number that grows
   * @param look which look at the kernel it is of, a number that grows
   * @param host what readers found
   * @param facts what the kernel answered
   * @param devices the devices by name
   */
  record Snapshot(
      long scan,
      long look,
      HostInventory host,
      NetworkFacts facts,
      Map<String, NetworkDevice> devices) {

    /** A later inventory, or a later look with the same one. */
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

  /** The newest snapshot; null before the first. */
  @Nullable Snapshot newest() {
    return newest.get();
  }

  /** The devices of the newest snapshot by name; empty before the first. */
  Map<String, NetworkDevice> devices() {
    Snapshot now = newest.get();
    return now == null ? Map.of() : now.devices;
  }

  /** What is known of the devices that the last discovery offered. */
  List<NetworkDevice> offered() {
    Set<String> names = offered;
    return devices().values().stream().filter(one -> names.contains(one.name())).toList();
  }

  /** The devices that are offered, of a new inventory. */
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
        warnings.accept("a link is not offered: " + one.reason());
      }
    }
    return devices;
  }

  /**
   * Asks the kernel, and keeps the answer unless another thread has a newer one by now.
   *
   * @throws UncheckedIOException if the links cannot be read
   */
  private Snapshot look(long scan, HostInventory inventory) {
    long look = looks.incrementAndGet();
    NetworkFacts facts = NetworkFacts.NONE;
    if (host.isLive()) {
      try {
        facts = NetworkFacts.read(namespace, warnings);
      } catch (IOException e) { // without them everything would be offered, uplinks too
        throw new UncheckedIOException("the links of the host cannot be read", e);
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
    } catch (RuntimeException e) { // devices are offered without what it knows
      warnings.accept("a provider of attributes failed: " + e);
    }
  }

  private Map<String, DeviceAttribute> provided(NetworkDevice device) {
    Map<String, DeviceAttribute> all = new TreeMap<>();
    for (AttributeProvider one : providers) {
      try {
        all.putAll(one.attributesOf(device));
      } catch (RuntimeException e) { // devices are offered without what it knows
        warnings.accept("device " + device.name() + ": a provider of attributes failed: " + e);
      }
    }
    return all;
  }

  /** Without a filter of their own, users get no ends of veth pairs: those belong to pods. */
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
          "device " + device.name() + " is left out, the filter fails: " + e.getMessage());
      return false;
    }
  }

  /**
   * A device of the host. One that is missing, or without its interface, is looked for once more:
   * it may have come back since the last discovery.
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
      throw DriverException.unavailable("it is not on the host").forDevice(device);
    }
    return found;
  }

  /** Why a device is missing, if the host shows it. */
  private static String reason(Snapshot now, String device) {
    MoveObstacle obstacle = now.facts.obstacles().get(device);
    if (obstacle != null) {
      return obstacle.reason();
    }
    boolean there =
        now.host.pciFunctions().stream()
            .anyMatch(one -> DeviceNames.of(one.address()).equals(device));
    return there
        ? "it has no network interface on the host now: that is in another namespace, or gone"
        : "it is not on the host";
  }

  /** Of a virtual function: no more than its physical function lets through. */
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
