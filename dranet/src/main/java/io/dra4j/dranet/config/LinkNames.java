package io.dra4j.dranet.config;

import java.nio.charset.StandardCharsets;

/**
 * Validates names of links in a pod: at most 15 bytes; letters and digits of any script, {@code -},
 * {@code _} and {@code .}; but not {@code .} or {@code ..}. The kernel's rule is wider; this rule
 * matches the documents in use.
 */
final class LinkNames {

  /** Stands for the index of a device among the devices of its request. */
  static final String NUMBER = "%d";

  private static final int MAX_BYTES = 15; // IFNAMSIZ with the zero byte

  private LinkNames() {}

  /** Returns a valid name, which may contain {@link #NUMBER}; empty for the name on the host. */
  static String template(String text) {
    int at = text.indexOf(NUMBER);
    if (at >= 0 && text.indexOf('%', at + 1) >= 0) {
      throw new IllegalArgumentException("'" + text + "' has more than one %");
    }
    if (at < 0) {
      return text.isEmpty() ? text : plain(text);
    }
    plain(text.substring(0, at) + "0" + text.substring(at + NUMBER.length()));
    return text;
  }

  /** Returns a valid name without {@link #NUMBER}. */
  static String plain(String name) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length == 0) {
      throw new IllegalArgumentException("a name must not be empty");
    }
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "'" + name + "' has " + length + " bytes; a link name may have at most " + MAX_BYTES);
    }
    if (name.equals("all") || name.equals("default")) { // directories of /proc/sys/net/ipv4/conf
      throw new IllegalArgumentException("'" + name + "' is reserved: it stands for all links");
    }
    if (name.equals(".") || name.equals("..") || !name.codePoints().allMatch(LinkNames::mayBe)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a link name: expected letters, digits, '-', '_' and '.', but not"
              + " '.' or '..'");
    }
    return name;
  }

  private static boolean mayBe(int c) {
    return Character.isLetter(c) || Character.isDigit(c) || c == '-' || c == '_' || c == '.';
  }
}
