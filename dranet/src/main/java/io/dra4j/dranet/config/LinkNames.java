package io.dra4j.dranet.config;

import java.nio.charset.StandardCharsets;

/**
 * What may be the name of a link in a pod: at most 15 bytes, letters and digits of any script,
 * {@code -}, {@code _} and {@code .}, but not {@code .} or {@code ..}. That is narrower than the
 * kernel's own rule, as in the documents that are in use.
 */
final class LinkNames {

  /** Stands for the number of a device among those of its request. */
  static final String NUMBER = "%d";

  private static final int MAX_BYTES = 15; // IFNAMSIZ with the zero byte

  private LinkNames() {}

  /** A name; the empty one stands for the name on the host. */
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

  /** A name in which nothing stands for something else. */
  static String plain(String name) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length == 0) {
      throw new IllegalArgumentException("a name must not be empty");
    }
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "'" + name + "' has " + length + " bytes, a name of a link at most " + MAX_BYTES);
    }
    if (name.equals("all") || name.equals("default")) { // folders of /proc/sys/net/ipv4/conf
      throw new IllegalArgumentException("'" + name + "' is no link: it stands for all links");
    }
    if (name.equals(".") || name.equals("..") || !name.codePoints().allMatch(LinkNames::mayBe)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no name of a link: letters, digits, '-', '_' and '.', not '.' or '..'");
    }
    return name;
  }

  private static boolean mayBe(int c) {
    return Character.isLetter(c) || Character.isDigit(c) || c == '-' || c == '_' || c == '.';
  }
}
