package io.dra4j.cli.cluster;

import io.dra4j.cli.input.SliceHosts;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PublishedPlace;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The places of the devices of a cluster, for tables and pictures. Does not contain devices of
 * older generations of a pool, which can no longer be allocated.
 */
final class DeviceCatalog {

  /** The text for a fact that is not published. */
  static final String UNKNOWN = "-";

  private final Map<DeviceId, PublishedPlace> places = new HashMap<>();
  private final Map<String, Set<DeviceId>> byNode = new HashMap<>();

  DeviceCatalog(DeviceInventory inventory) {
    List<ResourceSlice> published = inventory.publishedSlices();
    for (ResourceSlice slice : published) {
      slice
          .devices()
          .forEach(
              device -> places.put(slice.idOf(device), PublishedPlace.of(slice.driver(), device)));
    }
    SliceHosts.ofSlices(published)
        .forEach((node, slices) -> slices.forEach(slice -> add(node, slice)));
  }

  private void add(String node, ResourceSlice slice) {
    Set<DeviceId> ids = byNode.computeIfAbsent(node, any -> new LinkedHashSet<>());
    slice.devices().forEach(device -> ids.add(slice.idOf(device)));
  }

  /** Returns the devices that belong to this node alone, in the order of the input. */
  List<DeviceId> devicesOf(String node) {
    return List.copyOf(byNode.getOrDefault(node, Set.of()));
  }

  String pcieRoot(DeviceId id) {
    PublishedPlace place = places.get(id);
    return place == null || place.pcieRoots().isEmpty()
        ? UNKNOWN
        : String.join(",", place.pcieRoots());
  }

  String numaNode(DeviceId id) {
    PublishedPlace place = places.get(id);
    return place == null || place.numaNode().isEmpty()
        ? UNKNOWN
        : String.valueOf(place.numaNode().getAsInt());
  }

  String busId(DeviceId id) {
    PublishedPlace place = places.get(id);
    return place == null ? UNKNOWN : place.address().map(PciAddress::toString).orElse(UNKNOWN);
  }
}
