package io.dra4j.dranet.attach;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration asked for of a link that is read back when it was set: a kernel passes over
 * attributes that it does not know, and a device may take another value than it was given. What is
 * null was not asked for.
 */
record RequestedSettings(
    @Nullable Integer mtu,
    @Nullable String hardwareAddress,
    @Nullable Integer gsoMaxSize,
    @Nullable Integer groMaxSize,
    @Nullable Integer gsoIpv4MaxSize,
    @Nullable Integer groIpv4MaxSize) {

  /** Whether there is nothing to read back. */
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

  /** What the link does not have as it was asked for; empty if it has everything. */
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
                missing.add("/interface/" + name + " is " + now + " and not " + value);
              }
            });
    return missing.toString();
  }
}
