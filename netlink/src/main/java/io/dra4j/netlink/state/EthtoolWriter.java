package io.dra4j.netlink.state;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.ethtool.Ethtool;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Sets the channels, features and private flags of a link. Some links want as many channels of one
 * use as of another, so that they are set together.
 */
final class EthtoolWriter {

  private final Ethtool ethtool;
  private final FailedAttempts attempts;

  EthtoolWriter(Ethtool ethtool, FailedAttempts attempts) {
    this.ethtool = ethtool;
    this.attempts = attempts;
  }

  void set(int index, Map<String, String> changed) throws IOException {
    LinkKey key = LinkKey.of(index);
    attempts.together(
        ValueName.CHANNELS,
        values(changed, ValueName.CHANNELS, Integer::valueOf),
        all -> ethtool.setChannels(key, all));
    attempts.together(
        ValueName.FEATURE,
        values(changed, ValueName.FEATURE, "on"::equals),
        all -> ethtool.setFeatures(key, all));
    attempts.together(
        ValueName.PRIVATE_FLAG,
        values(changed, ValueName.PRIVATE_FLAG, "on"::equals),
        all -> ethtool.setPrivateFlags(key, all));
  }

  private static <T> Map<String, T> values(
      Map<String, String> changed, String prefix, Function<String, T> read) {
    Map<String, T> values = new TreeMap<>();
    changed.forEach(
        (name, value) -> {
          if (name.startsWith(prefix) && !value.isEmpty()) {
            values.put(name.substring(prefix.length()), read.apply(value));
          }
        });
    return values;
  }
}
