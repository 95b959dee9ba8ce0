package io.dra4j.netlink.state;

import java.util.List;
import java.util.Set;

/** The names and prefixes of names of the values of a {@link LinkState}. */
final class ValueName {

  static final String ALTNAME = "altname ";
  static final String SYSCTL = "sysctl ";
  static final String FEATURE = "feature ";
  static final String PRIVATE_FLAG = "private flag ";
  static final String CHANNELS = "channels ";

  /** The kind of a link on this one, by its name. */
  static final String UPPER = "link ";

  /** The prefix for an IPv6 address that another host has, or may have. */
  static final String DUPLICATE = "duplicate of ";

  /** The value of {@link #DUPLICATE} after the kernel has found a duplicate. */
  static final String FOUND = "found";

  static final String MASTER = "master";

  static final String MEMBER_KIND = "member of"; // the kind of the master, such as bridge

  static final String QDISC = "qdisc";

  /** Values that every later reading of the same link also has. */
  private static final List<String> LASTING = List.of(SYSCTL, FEATURE, PRIVATE_FLAG, CHANNELS);

  private static final List<String> OTHERS =
      List.of(ALTNAME, UPPER, DUPLICATE, "qdisc of ", "class ", "filter ");

  private static final Set<String> WHOLE =
      Set.of(MASTER, MEMBER_KIND, QDISC, "token", "kind", "xdp program");

  private ValueName() {}

  /**
   * Returns whether this release reads the value; other values are from older or newer releases.
   */
  static boolean isKnown(String name) {
    return Setting.isOne(name)
        || Setting.FLAGS.containsKey(name)
        || WHOLE.contains(name)
        || isLasting(name)
        || OTHERS.stream().anyMatch(name::startsWith);
  }

  /** Returns whether a state without the value was written by a release that did not read it. */
  static boolean isMissedOnly(String name) {
    return isLasting(name)
        || (Setting.isOne(name) && !Setting.mayLack(name))
        || Setting.FLAGS.containsKey(name);
  }

  private static boolean isLasting(String name) {
    return LASTING.stream().anyMatch(name::startsWith);
  }
}
