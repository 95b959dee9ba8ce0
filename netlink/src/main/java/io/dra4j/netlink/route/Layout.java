package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import java.util.HashMap;
import java.util.Map;

/**
 * The layout of the messages of one kind of object, as data: the fields of a fixed header, in the
 * order of the kernel's structure, then attributes. Immutable.
 *
 * @param structure the kernel's name of the header, for example {@code struct rtmsg}
 * @param fields the places of the fields by name
 * @param size the size of the header in bytes
 * @param attributes the attributes after the header
 * @param link the attribute with the index of a link; empty for none. In a header, the field {@code
 *     ifindex} has the index
 */
record Layout(
    String structure, Map<String, Field> fields, int size, AttributeTable attributes, String link) {

  /** A number in a header: its offset, and its size in bytes. */
  record Field(int at, int size) {}

  /**
   * Creates a layout from text: each word is a field, followed by a colon and its number of bits; a
   * word of digits is a number of unused bytes.
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

  /** Returns the layout of objects that have a link in an attribute. */
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
