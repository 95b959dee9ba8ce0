package io.dra4j.netlink.generic;

import java.util.Map;

/**
 * A family of generic netlink in this kernel.
 *
 * @param name its name, for example {@code ethtool}
 * @param id the type of its messages, which can differ after a reboot
 * @param version the version of its messages
 * @param groups the numbers of its groups of notifications, by name
 */
public record GenericFamily(String name, int id, int version, Map<String, Integer> groups) {

  /** Copies the groups. {@inheritDoc} */
  public GenericFamily {
    groups = Map.copyOf(groups);
  }
}
