package io.dra4j.netlink.ethtool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The short and long names of {@code ethtool -K} features, each for one or more kernel names. */
public final class FeatureAliases {

  private static final Map<String, String> PATTERNS =
      Map.ofEntries(
          Map.entry("rx", "rx-checksum"),
          Map.entry("rx-checksumming", "rx-checksum"),
          Map.entry("tx", "tx-checksum-*"),
          Map.entry("tx-checksumming", "tx-checksum-*"),
          Map.entry("sg", "tx-scatter-gather*"),
          Map.entry("scatter-gather", "tx-scatter-gather*"),
          Map.entry("tso", "tx-tcp*-segmentation"),
          Map.entry("tcp-segmentation-offload", "tx-tcp*-segmentation"),
          Map.entry("ufo", "tx-udp-fragmentation"),
          Map.entry("udp-fragmentation-offload", "tx-udp-fragmentation"),
          Map.entry("gso", "tx-generic-segmentation"),
          Map.entry("generic-segmentation-offload", "tx-generic-segmentation"),
          Map.entry("gro", "rx-gro"),
          Map.entry("generic-receive-offload", "rx-gro"),
          Map.entry("lro", "rx-lro"),
          Map.entry("large-receive-offload", "rx-lro"),
          Map.entry("rxvlan", "rx-vlan-hw-parse"),
          Map.entry("rx-vlan-offload", "rx-vlan-hw-parse"),
          Map.entry("txvlan", "tx-vlan-hw-insert"),
          Map.entry("tx-vlan-offload", "tx-vlan-hw-insert"),
          Map.entry("ntuple", "rx-ntuple-filter"),
          Map.entry("ntuple-filters", "rx-ntuple-filter"),
          Map.entry("rxhash", "rx-hashing"),
          Map.entry("receive-hashing", "rx-hashing"));

  private FeatureAliases() {}

  /**
   * {@return the kernel's names for a name, in the order of {@code kernelNames}; empty if none}
   *
   * @param name a name of {@code ethtool -K}, or one of the kernel, which denotes only itself
   * @param kernelNames the names of the kernel
   */
  public static List<String> resolve(String name, Collection<String> kernelNames) {
    if (kernelNames.contains(name)) {
      return List.of(name);
    }
    String pattern = PATTERNS.get(name);
    if (pattern == null) {
      return List.of();
    }
    Pattern glob = Pattern.compile(Pattern.quote(pattern).replace("*", "\\E.*\\Q"));
    List<String> names = new ArrayList<>();
    for (String one : kernelNames) {
      if (glob.matcher(one).matches()) {
        names.add(one);
      }
    }
    return List.copyOf(names);
  }
}
