package io.dra4j.netlink;

import java.util.OptionalInt;

/**
 * Identifies a link by an index or a name. A link that was read, {@code
 * io.dra4j.netlink.route.Link}, is also a key. Each method with a key as a parameter accepts all
 * three forms.
 *
 * <pre>{@code
 * route.links().delete(LinkKey.of("eth0"));
 * route.addresses().list(LinkKey.of(3));
 * route.addresses().list(link);
 * }</pre>
 *
 * <p>An index is unique in a network namespace and stays; names change. A name may be one of the
 * link's alternative names ({@code IFLA_ALT_IFNAME}).
 */
public interface LinkKey {

  /** {@return the index of the link, positive; empty if only its name is known} */
  OptionalInt knownIndex();

  /** {@return a name of the link; empty if only its index is known} */
  String knownName();

  /** {@return the link for messages: {@code link eth0}, or {@code link 3} for an index} */
  default String inWords() {
    return "link " + (knownName().isEmpty() ? knownIndex().orElse(0) : knownName());
  }

  /**
   * {@return the key of a link with an index}
   *
   * @param index the index
   * @throws IllegalArgumentException if it is not positive
   */
  static LinkKey of(int index) {
    if (index <= 0) { // with 0 the kernel would choose by other criteria
      throw new IllegalArgumentException("index " + index + " of a link, must be positive");
    }
    return new Known(OptionalInt.of(index), "");
  }

  /**
   * {@return the key of a link with a name or alternative name}
   *
   * @param name the name
   * @throws IllegalArgumentException if it is empty, longer than 127 bytes of UTF-8 ({@code
   *     ALTIFNAMSIZ}), or contains a zero byte or half of a surrogate pair
   */
  static LinkKey of(String name) {
    return new Known(OptionalInt.empty(), Known.checked(name));
  }

  /**
   * An index or a name.
   *
   * @param knownIndex the index, if it is not a name
   * @param knownName the name; empty if it is an index
   */
  record Known(OptionalInt knownIndex, String knownName) implements LinkKey {

    private static String checked(String name) {
      int length = Attributes.utf8(name).length;
      if (length == 0 || length > 127 || name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "not a name of a link: " + length + " bytes, must be 1 to 127, none of them zero");
      }
      return name;
    }

    @Override
    public String toString() {
      return inWords();
    }
  }
}
