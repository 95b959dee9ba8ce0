package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * What the messages of one kind of object consist of, as data: the fields of a fixed header, in the
 * order of the kernel's structure, then attributes. Immutable.
 *
 * @param structure the kernel's name of the header, for example {@code struct rtmsg}
 * @param fields the places of the fields by name
 * @param size the size of the header in bytes
 * @param attributes the attributes behind it
 * @param link the attribute that holds the index of a link; empty if none does. In a header the
 *     field {@code ifindex} does
 */
record Layout(
    String structure, Map<String, Field> fields, int size, AttributeTable attributes, String link) {

  /** A number in a header: where it is, and its size in bytes. */
  record Field(int at, int size) {}

  /**
   * Makes a layout from text: each word is a field, with a colon and its bits behind it; a word of
   * digits is that many bytes that say nothing.
   */
  static Layout of(String structure, String text, AttributeTable attributes) {
    Map<String, Field> fields = new HashMap<>();
    int at = 0;
    for (String word : text.split(" ", -1)) {
      int colon = word.indexOf(':');
      int size =
          colon < 0
              ? Integer.parseInt(word)
              : Integer.parseInt(word, colon + 1, word.length(), 10) / 8;
      if (colon > 0) {
        fields.put(word.substring(0, colon), new Field(at, size));
      }
      at += size;
    }
    return new Layout(structure, Map.copyOf(fields), at, attributes, "");
  }

  /** The layout of objects that name a link in an attribute. */
  Layout linkIn(String attribute) {
    return new Layout(structure, fields, size, attributes, attribute);
  }

  Field field(String name) {
    Field field = fields.get(name);
    if (field == null) {
      throw new IllegalArgumentException("no field " + name + " in " + structure);
    }
    return field;
  }
}
