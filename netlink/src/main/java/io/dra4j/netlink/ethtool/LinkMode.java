package io.dra4j.netlink.ethtool;

import java.util.List;
import java.util.Map;
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
 * @param abilities what the kernel lists among the modes although it is none, and whether it is
 *     offered: plugs ({@code TP}, {@code FIBRE}), {@code Autoneg}, {@code Pause}, {@code FEC_RS}
 *     ({@code link_mode_names} of {@code net/ethtool/common.c})
 */
public record LinkMode(
    OptionalInt megabitsPerSecond,
    Duplex duplex,
    boolean autonegotiation,
    OptionalInt lanes,
    List<String> supported,
    List<String> advertised,
    Map<String, Boolean> abilities) {

  /** Copies the collections. {@inheritDoc} */
  public LinkMode {
    supported = List.copyOf(supported);
    advertised = List.copyOf(advertised);
    abilities = Map.copyOf(abilities);
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
