package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;

/** What may be the name of a link. */
final class InterfaceName {

  static final int MAX_LENGTH = 15; // IFNAMSIZ with the zero byte
  private static final int MAX_ALTERNATIVE_LENGTH = 127; // ALTIFNAMSIZ

  private InterfaceName() {}

  /**
   * The kernel's own rule (dev_valid_name), without control characters, and without the percent
   * sign, with which the kernel would choose a number itself.
   */
  static String check(String name) {
    int length = Attributes.utf8(name).length;
    boolean valid =
        length > 0
            && length <= MAX_LENGTH
            && !name.equals(".")
            && !name.equals("..")
            && name.chars().noneMatch(InterfaceName::isForbidden);
    if (!valid) {
      throw new IllegalArgumentException(
          "not a name of a link: '"
              + shown(name)
              + "': 1 to "
              + MAX_LENGTH
              + " bytes, no white space, control characters, '/', ':' or '%'");
    }
    return name;
  }

  /** Whether a name may be that of a link, and not only an alternative one. */
  static boolean isShort(String name) {
    return name.length() <= MAX_LENGTH && Attributes.utf8(name).length <= MAX_LENGTH;
  }

  /** A label may be anything, and be missing. */
  static String checkLabel(String label) {
    int length = Attributes.utf8(label).length;
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "label of " + length + " bytes, must be at most " + MAX_LENGTH);
    }
    return label;
  }

  /** The kernel takes any text here that has no end in it, colons and percent signs included. */
  static String checkAlternative(String name) {
    int length = Attributes.utf8(name).length;
    if (length == 0 || length > MAX_ALTERNATIVE_LENGTH || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "not an alternative name of a link: '"
              + shown(name)
              + "': 1 to "
              + MAX_ALTERNATIVE_LENGTH
              + " bytes, none of them zero");
    }
    return name;
  }

  private static String shown(String name) {
    StringBuilder shown = new StringBuilder();
    name.chars().limit(200).forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
    return shown.toString();
  }

  private static boolean isForbidden(int c) {
    return c == '/'
        || c == ':'
        || c == '%'
        || Character.isWhitespace(c)
        || Character.isISOControl(c);
  }
}
