package io.dra4j.kubernetes;

import io.dra4j.inventory.DeviceInventory;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A cluster at one moment. Each resource is known in one version; the API server does not order
 * changes of different resources.
 *
 * @param inventory nodes, slices, classes, claims and taint rules
 * @param resources how far each resource is known
 */
public record ClusterView(
    DeviceInventory inventory, Map<ClusterResource, ResourceState> resources) {

  /** Copies the map. {@inheritDoc} */
  public ClusterView {
    resources = Map.copyOf(resources);
  }

  /**
   * How far a resource is known.
   *
   * @param resource a resource that is followed
   * @return its state
   * @throws IllegalArgumentException if the resource is not followed
   */
  public ResourceState state(ClusterResource resource) {
    ResourceState state = resources.get(resource);
    if (state == null) {
      throw new IllegalArgumentException(
          "expected a resource that is followed, found %s; followed are %s"
              .formatted(resource, resources.keySet()));
    }
    return state;
  }

  /**
   * Whether all resources were listed once. Before that, the inventory lacks objects.
   *
   * @return whether the inventory is whole
   */
  public boolean isSynced() {
    return resources.values().stream().allMatch(ResourceState::isSynced);
  }

  /**
   * What keeps the view from being current, for a person.
   *
   * @return one line for each resource that is not watched; empty if all is well
   */
  public String problems() {
    return resources.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(one -> !one.getValue().message().isEmpty())
        .map(one -> one.getKey() + ": " + one.getValue().message())
        .collect(Collectors.joining("\n"));
  }
}
