package io.dra4j.netlink.ethtool;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a link has agreed on with the other end.
 *
 * @param megabitsPerSecond its speed; absent if not known
 * @param duplex whether both ends may send at the same time
 * @param autonegotiation whether the ends agree by themselves
 * @param lanes how many lanes it has; absent if not known
 * @param supported the modes that it can do, for example {@code 100000baseKR4/Full}
 * @param advertised the modes that it offers
 */
public record LinkMode(
    OptionalInt megabitsPerSecond,
    Duplex duplex,
    boolean autonegotiation,
    OptionalInt lanes,
    List<String> supported,
    List<String> advertised) {

  /** Copies the lists. {@inheritDoc} */
  public LinkMode {
    supported = List.copyOf(supported);
    advertised = List.copyOf(advertised);
  }

  /** Who may send. */
  public enum Duplex {
    /** One end at a time. */
    HALF,
    /** Both ends at once. */
    FULL,
    /** Not known. */
    UNKNOWN
  }
}
