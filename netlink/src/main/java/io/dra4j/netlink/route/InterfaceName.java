package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;

/** The rules for names of links. */
final class InterfaceName {

  static final int MAX_LENGTH = 15; // IFNAMSIZ with the zero byte
  private static final int MAX_ALTERNATIVE_LENGTH = 127; // ALTIFNAMSIZ

  private InterfaceName() {}

  /**
   * Checks a name by the kernel's rule (dev_valid_name). In addition, control characters are not
   * allowed, nor the percent sign, which the kernel would replace by a number.
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

  /** Returns whether a name can be the name of a link, and not only an alternative name. */
  static boolean isShort(String name) {
    return name.length() <= MAX_LENGTH && Attributes.utf8(name).length <= MAX_LENGTH;
  }

  /** Checks a label, which can be any text, or empty. */
  static String checkLabel(String label) {
    int length = Attributes.utf8(label).length;
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "label of " + length + " bytes, must be at most " + MAX_LENGTH);
    }
    return label;
  }

  /** Checks an alternative name: any text without a zero byte, also colons and percent signs. */
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
