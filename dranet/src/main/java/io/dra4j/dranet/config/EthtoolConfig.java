package io.dra4j.dranet.config;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the hardware of the interface does for the kernel.
 *
 * @param features whether each is switched on, by the kernel's name or one that the command ethtool
 *     knows ({@link io.dra4j.netlink.ethtool.FeatureAliases})
 * @param privateFlags whether each flag of the driver's own is set, by its name
 */
public record EthtoolConfig(Map<String, Boolean> features, Map<String, Boolean> privateFlags) {

  /** Nothing is switched. */
  public static final EthtoolConfig NONE = new EthtoolConfig(Map.of(), Map.of());

  /** Copies the maps, which keep the order of names. {@inheritDoc} */
  public EthtoolConfig {
    features = Collections.unmodifiableMap(new TreeMap<>(features));
    privateFlags = Collections.unmodifiableMap(new TreeMap<>(privateFlags));
  }

  /** Of two the other one wins, name by name. */
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
