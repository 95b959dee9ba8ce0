package io.dra4j.netlink.state;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.ethtool.Ethtool;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Sets the channels, features and private flags of a link. */
final class EthtoolWriter {

  private final Ethtool ethtool;
  private final FailedAttempts attempts;

  EthtoolWriter(Ethtool ethtool, FailedAttempts attempts) {
    this.ethtool = ethtool;
    this.attempts = attempts;
  }

  void set(int index, Map<String, String> changed) throws IOException {
    LinkKey key = LinkKey.of(index);
    set(
        ValueName.CHANNELS,
        values(changed, ValueName.CHANNELS, Integer::valueOf),
        all -> ethtool.setChannels(key, all));
    set(
        ValueName.FEATURE,
        values(changed, ValueName.FEATURE, "on"::equals),
        all -> ethtool.setFeatures(key, all));
    set(
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

  /** A request of {@link Ethtool}. */
  @FunctionalInterface
  private interface Request<T> {
    void send(Map<String, T> values) throws IOException;
  }

  /**
   * All at once, because some links want as many channels of one use as of another, and one by one
   * where the kernel refuses that.
   */
  private <T> void set(String prefix, Map<String, T> values, Request<T> request)
      throws IOException {
    if (values.isEmpty() || attempts.attempt(prefix.strip() + "s", () -> request.send(values))) {
      values.keySet().forEach(one -> attempts.forget(prefix + one));
      return;
    }
    for (Map.Entry<String, T> one : values.entrySet()) {
      attempts.attempt(
          prefix + one.getKey(), () -> request.send(Map.of(one.getKey(), one.getValue())));
    }
  }
}
