package io.dra4j.cli.topology;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Adds switches to a host whose switches are not visible, as in virtual machines, where its paths
 * show that devices meet. The topology files of clouds do the same. The switches have addresses
 * that no host has.
 */
final class InventedSwitches {

  private static final String ORIGIN = "-o nccl-xml";
  private static final int MAX_SWITCHES = 32; // devices of one bus

  private final HostTopology topology;
  private final List<TopologyDevice> endpoints;
  private final List<TopologyDevice> bridges = new ArrayList<>();

  private InventedSwitches(HostTopology topology) {
    this.topology = topology;
    this.endpoints = topology.endpoints();
  }

  /** Returns the host with invented switches; empty if there are too few addresses for them. */
  static Optional<HostTopology> in(HostTopology topology) {
    return new InventedSwitches(topology).host();
  }

  private Optional<HostTopology> host() {
    Map<String, List<PciAddress>> chains = inventAll();
    if (bridges.size() > MAX_SWITCHES) {
      return Optional.empty();
    }
    Map<String, String> ids = new HashMap<>();
    List<TopologyDevice> devices = new ArrayList<>();
    for (TopologyDevice device : endpoints) {
      TopologyDevice moved = moved(device, chains.getOrDefault(device.id(), List.of()));
      ids.put(device.id(), moved.id());
      devices.add(moved);
    }
    return Optional.of(
        HostTopology.builder()
            .overlay(
                TreeOverlay.builder(ORIGIN, TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
                    .devices(devices)
                    .bridges(bridges)
                    .numaNodes(topology.numaNodes())
                    .links(links(ids))
                    .cpu(topology.cpu().orElse(null))
                    .build())
            .build());
  }

  /** Invents all switches. Returns the switches above each device, by its ID. */
  private Map<String, List<PciAddress>> inventAll() {
    Map<String, List<PciAddress>> chains = new HashMap<>();
    for (List<TopologyDevice> group : groups(endpoints, PathType.MULTI_SWITCH)) {
      List<List<TopologyDevice>> inner = groups(group, PathType.SWITCH);
      List<PciAddress> outer = inner.size() > 1 ? List.of(invent(group)) : List.of();
      for (List<TopologyDevice> below : inner) {
        List<PciAddress> chain = new ArrayList<>(outer);
        if (inner.size() > 1 || !isOneCard(below)) {
          chain.add(invent(below));
        }
        below.forEach(device -> chains.put(device.id(), chain));
      }
    }
    return chains;
  }

  /** Returns the direct links with the new IDs of their devices. */
  private List<DirectLink> links(Map<String, String> ids) {
    return topology.links().stream()
        .map(
            link ->
                new DirectLink(
                    ids.getOrDefault(link.a(), link.a()),
                    ids.getOrDefault(link.b(), link.b()),
                    link.type(),
                    link.count(),
                    link.megabytesPerSecond()))
        .toList();
  }

  /** Returns the groups of devices that are connected by paths of this type or shorter. */
  private List<List<TopologyDevice>> groups(List<TopologyDevice> devices, PathType path) {
    List<List<TopologyDevice>> groups = new ArrayList<>();
    for (TopologyDevice device : devices) {
      List<TopologyDevice> joined = new ArrayList<>(List.of(device));
      List<List<TopologyDevice>> others = new ArrayList<>();
      for (List<TopologyDevice> group : groups) {
        if (group.stream().anyMatch(other -> path(other, device).isWithin(path))) {
          joined.addAll(group);
        } else {
          others.add(group);
        }
      }
      others.add(joined);
      groups = others;
    }
    return groups;
  }

  private PathType path(TopologyDevice a, TopologyDevice b) {
    return topology.path(topology.indexOf(a.id()), topology.indexOf(b.id()));
  }

  private static boolean isOneCard(List<TopologyDevice> devices) {
    return devices.size() == 1
        || devices.stream()
                .map(device -> device.address() == null ? -1L : device.address().card())
                .distinct()
                .count()
            == 1;
  }

  /** Adds a switch as fast as its fastest device; NCCL assumes a low rate for one without link. */
  private PciAddress invent(List<TopologyDevice> below) {
    PciAddress address =
        PciAddress.parse("ffff:ff:%02x.0".formatted(bridges.size() % MAX_SWITCHES));
    PcieLink link =
        below.stream()
            .map(TopologyDevice::link)
            .filter(Objects::nonNull)
            .max(Comparator.comparingInt(one -> one.megatransfersPerSecond() * one.width()))
            .orElse(null);
    bridges.add(
        TopologyDevice.of(address, DeviceKind.BRIDGE, Location.UNKNOWN)
            .withRates(link, OptionalLong.empty()));
    return address;
  }

  private TopologyDevice moved(TopologyDevice device, List<PciAddress> chain) {
    OptionalInt node = device.location().numaNode();
    for (TopologyDevice other : endpoints) {
      if (node.isEmpty() && path(device, other).isWithin(PathType.NUMA_NODE)) {
        node = other.location().numaNode();
      }
    }
    boolean noneKnown = endpoints.stream().allMatch(one -> one.location().numaNode().isEmpty());
    if (node.isEmpty()
        && noneKnown) { // in a tree with mapped addresses, the nodes of its host distinguish
      // devices
      node = topology.place(device).numaNode();
    }
    String root = "cpu:" + (node.isPresent() ? node.getAsInt() : -1);
    return new TopologyDevice(
        device.address() == null ? device.id() : device.address().toString(),
        device.kind(),
        device.address(),
        device.identity(),
        new Location(root, chain, node),
        null,
        device.physicalFunction(),
        device.link(),
        device.names(),
        device.megabitsPerSecond(),
        null);
  }
}
