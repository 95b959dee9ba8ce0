package io.dra4j.dranet.config;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hardware features and driver flags of the interface.
 *
 * @param features whether each feature is on, by the name of the kernel or of the command ethtool
 *     ({@link io.dra4j.netlink.ethtool.FeatureAliases})
 * @param privateFlags whether each private flag of the driver is set, by name
 */
public record EthtoolConfig(Map<String, Boolean> features, Map<String, Boolean> privateFlags) {

  /** No feature or flag is set. */
  public static final EthtoolConfig NONE = new EthtoolConfig(Map.of(), Map.of());

  /** Copies the maps and keeps the order of names. {@inheritDoc} */
  public EthtoolConfig {
    features = Collections.unmodifiableMap(new TreeMap<>(features));
    privateFlags = Collections.unmodifiableMap(new TreeMap<>(privateFlags));
  }

  /** Merges two configurations name by name; the given one wins. */
  EthtoolConfig under(EthtoolConfig higher) {
    return new EthtoolConfig(
        merged(features, higher.features), merged(privateFlags, higher.privateFlags));
  }

  private static Map<String, Boolean> merged(
      Map<String, Boolean> lower, Map<String, Boolean> higher) {
    Map<String, Boolean> all = new TreeMap<>(lower);
    all.putAll(higher);
    return all;
  }
}
