package io.dra4j.netlink.state;

import java.util.List;
import java.util.Set;

/** The names of the values of a {@link LinkState}: of whole values, and what others begin with. */
final class ValueName {

  static final String ALTNAME = "altname ";
  static final String SYSCTL = "sysctl ";
  static final String FEATURE = "feature ";
  static final String PRIVATE_FLAG = "private flag ";
  static final String CHANNELS = "channels ";

  /** The kind of a link on this one, by its name. */
  static final String UPPER = "link ";

  /** Another host has an IPv6 address, or may have. */
  static final String DUPLICATE = "duplicate of ";

  /** What {@link #DUPLICATE} says once the kernel has found it; before that it looks for one. */
  static final String FOUND = "found";

  static final String MASTER = "master";

  /** What kind of master it is, {@code bridge} for example. */
  static final String MEMBER_KIND = "member of";

  static final String QDISC = "qdisc";

  /** Values that every later reading of the same link has, too. */
  private static final List<String> LASTING = List.of(SYSCTL, FEATURE, PRIVATE_FLAG, CHANNELS);

  private static final List<String> OTHERS =
      List.of(ALTNAME, UPPER, DUPLICATE, "qdisc of ", "class ", "filter ");

  private static final Set<String> WHOLE =
      Set.of(MASTER, MEMBER_KIND, QDISC, "token", "kind", "xdp program");

  private ValueName() {}

  /** Whether this release reads such a value; others are of an older or a newer one. */
  static boolean isKnown(String name) {
    return Setting.isOne(name)
        || Setting.FLAGS.containsKey(name)
        || WHOLE.contains(name)
        || isLasting(name)
        || OTHERS.stream().anyMatch(name::startsWith);
  }

  /** Whether a state without it was written by a release that did not read it. */
  static boolean isMissedOnly(String name) {
    return isLasting(name)
        || (Setting.isOne(name) && !Setting.mayLack(name))
        || Setting.FLAGS.containsKey(name);
  }

  private static boolean isLasting(String name) {
    return LASTING.stream().anyMatch(name::startsWith);
  }
}
