package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one part of a message as data: number, name, format, and nested attributes. A
 * table is written once, in the order of the kernel's header. It gives the numbers for codecs
 * ({@link #type}), the names for error messages ({@link #name}) and the formats that {@link
 * Attributes} checks ({@link #format}). Immutable and thread-safe.
 *
 * <pre>{@code
 * AttributeTable address = AttributeTable.of("IFA_", "ADDRESS:ip LOCAL:ip LABEL:text");
 * int label = address.type("LABEL"); // 3
 * }</pre>
 */
public final class AttributeTable {

  /** The table for messages without attributes, or with attributes that have no names here. */
  public static final AttributeTable NONE = of("", "");

  /** The format of the value of an attribute. */
  public enum Format {
    /** Any bytes, which are kept as received. */
    BYTES,
    /** A number of 8 bits. */
    U8,
    /** A number of 16 bits. */
    U16,
    /** A number of 16 bits in network order. */
    BE16,
    /** A number of 32 bits. */
    U32,
    /** A number of 64 bits. */
    U64,
    /** An IPv4 or IPv6 address: 4 or 16 bytes. */
    IP,
    /** Text that ends at its first zero byte. */
    TEXT,
    /** Attributes. */
    NEST,
    /**
     * Values that the kernel reports but does not accept, such as times of use. They are not kept.
     */
    STATE;

    /** Returns the largest number of this format; 0 if it is not a number. */
    long largest() {
      return switch (this) {
        case U8 -> 0xff;
        case U16, BE16 -> 0xffff;
        case U32 -> 0xffff_ffffL;
        case U64 -> Long.MAX_VALUE;
        default -> 0;
      };
    }

    /** Returns the size of a number of this format in bytes; 0 if it is not a number. */
    int size() {
      return switch (this) {
        case U8 -> 1;
        case U16, BE16 -> 2;
        case U32 -> 4;
        case U64 -> 8;
        default -> 0;
      };
    }

    /** Returns a number as bytes. The number must fit; 32 bits may be passed as a negative int. */
    byte[] pack(String name, long value) {
      boolean signed = this == U32 && value < 0 && value >= Integer.MIN_VALUE;
      long number = signed ? value & 0xffff_ffffL : value;
      if (largest() == 0) {
        throw new IllegalArgumentException(name + " is no number");
      }
      MessageWriter.checkNumber(name, number, largest());
      ByteBuffer eight = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
      switch (this) {
        case U8 -> eight.put((byte) number);
        case U16 -> eight.putShort((short) number);
        case BE16 -> eight.put((byte) (number >> 8)).put((byte) number);
        case U32 -> eight.putInt((int) number);
        default -> eight.putLong(number);
      }
      return Arrays.copyOf(eight.array(), eight.position());
    }
  }

  private final String prefix;
  private final String[] names;
  private final Map<String, Integer> types = new HashMap<>();
  private final Format[] formats;
  private final Map<Integer, AttributeTable> nested;

  /** The table for each attribute of a list. */
  private final @Nullable AttributeTable entry;

  private AttributeTable(
      String prefix,
      String[] names,
      Format[] formats,
      Map<Integer, AttributeTable> nested,
      @Nullable AttributeTable entry) {
    this.entry = entry;
    this.prefix = prefix;
    this.names = names;
    this.formats = formats;
    this.nested = nested;
    for (int type = 1; type < names.length; type++) {
      types.putIfAbsent(names[type], type);
    }
    types.remove("");
  }

  /**
   * {@return a table from text} Each word is a name without the prefix, numbered from 1 on. A colon
   * and a {@link Format} in lower case may follow (the default is {@link Format#BYTES}). {@code -}
   * is a number without a name; {@code 98=NAME} continues at number 98.
   *
   * @param prefix the prefix of all names, for example {@code IFLA_}
   * @param text the words, separated by white space
   * @throws IllegalArgumentException if a format does not exist
   */
  public static AttributeTable of(String prefix, String text) {
    List<String> names = new ArrayList<>(List.of(""));
    List<Format> formats = new ArrayList<>(List.of(Format.BYTES));
    for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      while (equals > 0 && names.size() < Integer.parseInt(word.substring(0, equals))) {
        names.add("");
        formats.add(Format.BYTES);
      }
      int colon = word.indexOf(':');
      String name = word.substring(equals + 1, colon < 0 ? word.length() : colon);
      names.add(name.equals("-") ? "" : name);
      formats.add(
          colon < 0
              ? Format.BYTES
              : Format.valueOf(word.substring(colon + 1).toUpperCase(Locale.ROOT)));
    }
    return new AttributeTable(
        prefix, names.toArray(String[]::new), formats.toArray(Format[]::new), Map.of(), null);
  }

  /**
   * {@return the table of a list: attributes from 1 on, without names, all with the same content}
   *
   * @param entry the table of each attribute
   */
  public static AttributeTable listOf(AttributeTable entry) {
    return new AttributeTable("", new String[0], new Format[0], Map.of(), entry);
  }

  /**
   * {@return this table with the table of a nested attribute}
   *
   * @param name the attribute, without the prefix
   * @param inside the table of the attributes in it
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public AttributeTable with(String name, AttributeTable inside) {
    Map<Integer, AttributeTable> more = new TreeMap<>(nested);
    more.put(type(name), inside);
    return new AttributeTable(prefix, names, formats, more, entry);
  }

  /**
   * {@return the number of an attribute, which is its type}
   *
   * @param name its name without the prefix, for example {@code IFNAME}
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public int type(String name) {
    Integer type = types.get(name);
    if (type == null) {
      throw new IllegalArgumentException("no attribute " + prefix + name);
    }
    return type;
  }

  /**
   * {@return whether the table has an attribute of a name}
   *
   * @param name the name without the prefix, for example {@code IFNAME}
   */
  public boolean names(String name) {
    return types.containsKey(name);
  }

  /**
   * {@return the name of an attribute, with the prefix; {@code attribute 77} if it has none}
   *
   * @param type its type
   */
  public String name(int type) {
    return type >= 1 && type < names.length && !names[type].isEmpty()
        ? prefix + names[type]
        : "attribute " + type;
  }

  /**
   * {@return an attribute's name without prefix, as in {@link Attributes}, such as {@code IFNAME}}
   *
   * @param type its type
   * @throws IllegalArgumentException if it has none
   */
  public String word(int type) {
    if (type < 1 || type >= names.length || names[type].isEmpty()) {
      throw new IllegalArgumentException("no attribute " + type + " of " + prefix);
    }
    return names[type];
  }

  /**
   * {@return the format of an attribute; {@link Format#BYTES} if the table does not have it}
   *
   * @param type its type
   */
  public Format format(int type) {
    return entry != null
        ? Format.NEST
        : type >= 0 && type < formats.length ? formats[type] : Format.BYTES;
  }

  /**
   * {@return the table of the attributes nested in an attribute; {@link #NONE} if there is none}
   *
   * @param type its type
   */
  public AttributeTable in(int type) {
    return entry != null ? entry : nested.getOrDefault(type, NONE);
  }

  boolean isList() {
    return entry != null;
  }

  boolean nests(int type) {
    return entry != null || nested.containsKey(type);
  }
}
