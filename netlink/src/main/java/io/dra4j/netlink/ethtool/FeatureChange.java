package io.dra4j.netlink.ethtool;

import java.util.Map;

/**
 * The outcome of a request to switch features.
 *
 * @param refused the features that do not have the requested state, with that state; empty if all
 *     have
 * @param changed the features whose state changed, with their new state
 */
public record FeatureChange(Map<String, Boolean> refused, Map<String, Boolean> changed) {

  /** Copies the maps. {@inheritDoc} */
  public FeatureChange {
    refused = Map.copyOf(refused);
    changed = Map.copyOf(changed);
  }
}
