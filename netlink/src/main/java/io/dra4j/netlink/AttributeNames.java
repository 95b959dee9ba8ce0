package io.dra4j.netlink;

import java.util.Map;
import java.util.TreeMap;

/**
 * The names of the attributes of a family, and what is nested in them, as data: so that an offset
 * that the kernel complains about becomes a path. Immutable and thread-safe.
 */
public final class AttributeNames {

  /** For messages without attributes, or whose attributes have no names here. */
  public static final AttributeNames NONE = new AttributeNames("", new String[0], Map.of());

  private final String prefix;
  private final String[] names;
  private final Map<Integer, AttributeNames> nested;

  private AttributeNames(String prefix, String[] names, Map<Integer, AttributeNames> nested) {
    this.prefix = prefix;
    this.names = names;
    this.nested = nested;
  }

  /**
   * Names attributes from type 1 on.
   *
   * @param prefix what all names begin with, for example {@code IFLA_}
   * @param names the rest of the names, separated by white space, {@code -} for a type without one
   * @return the names
   */
  public static AttributeNames of(String prefix, String names) {
    return new AttributeNames(prefix, names.strip().split("\\s+", -1), Map.of());
  }

  /**
   * Names what is nested in one of the attributes.
   *
   * @param name the attribute, without the prefix
   * @param inside the names in it
   * @return the names with these
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public AttributeNames with(String name, AttributeNames inside) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        Map<Integer, AttributeNames> more = new TreeMap<>(nested);
        more.put(i + 1, inside);
        return new AttributeNames(prefix, names, more);
      }
    }
    throw new IllegalArgumentException("no attribute " + prefix + name);
  }

  /**
   * The name of an attribute.
   *
   * @param type its type
   * @return the name; {@code attribute 77} if it has none
   */
  public String name(int type) {
    return type >= 1 && type <= names.length && !names[type - 1].equals("-")
        ? prefix + names[type - 1]
        : "attribute " + type;
  }

  /**
   * The names in an attribute.
   *
   * @param type its type
   * @return the names; {@link #NONE} if nothing is nested there
   */
  public AttributeNames in(int type) {
    return nested.getOrDefault(type, NONE);
  }

  boolean nests(int type) {
    return nested.containsKey(type);
  }
}
