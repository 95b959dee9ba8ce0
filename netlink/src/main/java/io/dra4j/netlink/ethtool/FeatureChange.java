package io.dra4j.netlink.ethtool;

import java.util.Map;

/**
 * The outcome of a request to switch features.
 *
 * @param refused features that are not as they were wanted, with what was wanted; empty if all are
 * @param changed features that are done now, or not done any more
 */
public record FeatureChange(Map<String, Boolean> refused, Map<String, Boolean> changed) {

  /** Copies both. {@inheritDoc} */
  public FeatureChange {
    refused = Map.copyOf(refused);
    changed = Map.copyOf(changed);
  }
}
