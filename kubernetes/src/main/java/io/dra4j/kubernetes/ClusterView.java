package io.dra4j.kubernetes;

import io.dra4j.inventory.DeviceInventory;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A cluster at one moment. Each resource is consistent in itself; the API server does not order
 * changes of different resources.
 *
 * @param inventory nodes, slices, classes, claims and taint rules
 * @param resources the state of each followed resource
 */
public record ClusterView(
    DeviceInventory inventory, Map<ClusterResource, ResourceState> resources) {

  /** Copies the map. {@inheritDoc} */
  public ClusterView {
    resources = Map.copyOf(resources);
  }

  /**
   * {@return the state of a followed resource}
   *
   * @param resource a followed resource
   * @throws IllegalArgumentException if the resource is not followed
   */
  public ResourceState state(ClusterResource resource) {
    ResourceState state = resources.get(resource);
    if (state == null) {
      throw new IllegalArgumentException(
          "resource %s is not followed: expected one of %s"
              .formatted(resource, resources.keySet()));
    }
    return state;
  }

  /** {@return whether all resources were listed once; before that, the inventory lacks objects} */
  public boolean isSynced() {
    return resources.values().stream().allMatch(ResourceState::isSynced);
  }

  /**
   * {@return why the view may not be current, for people: a line for each resource that is not
   * watched; empty if all are watched}
   */
  public String problems() {
    return resources.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .filter(one -> !one.getValue().message().isEmpty())
        .map(one -> one.getKey() + ": " + one.getValue().message())
        .collect(Collectors.joining("\n"));
  }
}
