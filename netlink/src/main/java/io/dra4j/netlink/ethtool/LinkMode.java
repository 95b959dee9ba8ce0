package io.dra4j.netlink.ethtool;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The mode that a link has negotiated with the other end.
 *
 * @param megabitsPerSecond its speed; absent if not known
 * @param duplex whether both ends may send at the same time
 * @param autonegotiation whether the ends negotiate the mode automatically
 * @param lanes how many lanes it has; absent if not known
 * @param supported the supported modes, for example {@code 100000baseKR4/Full}
 * @param advertised the modes that it offers to the other end
 * @param abilities entries that the kernel lists among the modes although they are no modes, and
 *     whether they are advertised: connectors ({@code TP}, {@code FIBRE}), {@code Autoneg}, {@code
 *     Pause}, {@code FEC_RS} ({@code link_mode_names} of {@code net/ethtool/common.c})
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

  /** The directions in which a link can send at the same time. */
  public enum Duplex {
    /** One end at a time. */
    HALF,
    /** Both ends at once. */
    FULL,
    /** Not known. */
    UNKNOWN
  }
}
