package io.dra4j.netlink.generic;

import java.util.Map;

/**
 * A family as this kernel has it.
 *
 * @param name for example {@code ethtool}
 * @param id the type of its messages, which differs from one start of the kernel to the next
 * @param version the version of its messages
 * @param groups the numbers of its groups of notifications, by name
 */
public record GenericFamily(String name, int id, int version, Map<String, Integer> groups) {

  /** Copies the groups. {@inheritDoc} */
  public GenericFamily {
    groups = Map.copyOf(groups);
  }
}
