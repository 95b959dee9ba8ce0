package io.dra4j.dranet.attach;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a link that are read back after they were set: a kernel ignores attributes that
 * it does not support, and a device may use another value. Null stands for a setting that was not
 * requested.
 */
record RequestedSettings(
    @Nullable Integer mtu,
    @Nullable String hardwareAddress,
    @Nullable Integer gsoMaxSize,
    @Nullable Integer groMaxSize,
    @Nullable Integer gsoIpv4MaxSize,
    @Nullable Integer groIpv4MaxSize) {

  /** Returns whether there is nothing to read back. */
  boolean isEmpty() {
    return asked().isEmpty();
  }

  private Map<String, Object> asked() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("mtu", mtu);
    all.put("hardwareAddr", hardwareAddress);
    all.put("gsoMaxSize", gsoMaxSize);
    all.put("groMaxSize", groMaxSize);
    all.put("gsoIPv4MaxSize", gsoIpv4MaxSize);
    all.put("groIPv4MaxSize", groIpv4MaxSize);
    Map<String, Object> asked = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value != null) {
            asked.put(name, value);
          }
        });
    return asked;
  }

  /** Describes the settings that the link does not have as requested; empty if it has all. */
  String missing(Link link) {
    LinkLimits limits = link.limits();
    Map<String, Object> there =
        Map.of(
            "mtu", link.mtu(),
            "hardwareAddr", link.address().toString(),
            "gsoMaxSize", limits.gsoMaxSize(),
            "groMaxSize", limits.groMaxSize(),
            "gsoIPv4MaxSize", limits.gsoIpv4MaxSize(),
            "groIPv4MaxSize", limits.groIpv4MaxSize());
    StringJoiner missing = new StringJoiner(", ");
    asked()
        .forEach(
            (name, value) -> {
              Object now = there.get(name);
              if (!Objects.equals(value, now)) {
                missing.add("/interface/" + name + " is " + now + ", not " + value);
              }
            });
    return missing.toString();
  }
}
