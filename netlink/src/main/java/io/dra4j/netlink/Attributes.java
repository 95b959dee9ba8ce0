package io.dra4j.netlink;

import static java.nio.ByteOrder.nativeOrder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * The attributes of an object as the kernel reported them, including attributes without a name in
 * this library, so that everything that is read can be written back. Attributes of format {@link
 * AttributeTable.Format#STATE} are left out. Immutable; each {@code with} returns new attributes.
 *
 * <p>An attribute that the table names is read and set by the kernel's name without the prefix, in
 * its format; any attribute by its type, as bytes:
 *
 * <pre>{@code
 * Attributes route = Attributes.none(AttributeTable.of("RTA_", "DST:ip SRC:ip IIF:u32 OIF:u32"));
 * route.with("OIF", 3).number("OIF"); // 3
 * route.with(99, new byte[] {1}).bytes(99); // of a newer kernel
 * }</pre>
 *
 * <p>They are stored as bytes in one array, in the order of their types, so equal attributes have
 * equal bytes, independent of their source. Numbers in network order stay in that order.
 */
public final class Attributes {

  /** The maximum size of an attribute in bytes: its length, with the header, has 16 bits. */
  public static final int LONGEST = 65_531;

  private static final int HEADER = 4;
  private static final int NESTED = 0x8000;
  private static final int TYPE = 0x3fff;
  private static final byte[] EMPTY = new byte[0];
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, nativeOrder());

  private final AttributeTable table;
  private final byte[] bytes;

  private Attributes(AttributeTable table, byte[] bytes) {
    this.table = table;
    this.bytes = bytes;
  }

  /**
   * {@return an empty set of attributes}
   *
   * @param table names and formats of the possible attributes
   */
  public static Attributes none(AttributeTable table) {
    return new Attributes(table, EMPTY);
  }

  /**
   * {@return all attributes from the position of a reader to the end of its nest}
   *
   * @param table names and formats
   * @param reader a reader before the first attribute
   * @throws NetlinkException.Malformed if the length of an attribute does not match its format
   */
  public static Attributes read(AttributeTable table, AttributeReader reader)
      throws NetlinkException.Malformed {
    return read(table, reader, type -> true);
  }

  /**
   * {@return some of the attributes from the position of a reader to the end of its nest}
   *
   * @param table names and formats
   * @param reader a reader before the first attribute
   * @param types the types to keep; other attributes are skipped
   * @throws NetlinkException.Malformed if the length of an attribute does not match its format
   */
  public static Attributes read(AttributeTable table, AttributeReader reader, IntPredicate types)
      throws NetlinkException.Malformed {
    Collector collector = new Collector(table);
    while (reader.next()) {
      if (types.test(reader.type())) {
        collector.add(reader);
      }
    }
    return collector.attributes();
  }

  /** Collects the attributes of a message for which a decoder has no field. */
  public static final class Collector {

    private final AttributeTable table;
    private byte[] bytes = EMPTY;
    private int length;
    private int last = -1;

    /**
     * Creates an empty collector.
     *
     * @param table names and formats
     */
    public Collector(AttributeTable table) {
      this.table = table;
    }

    /**
     * Keeps the current attribute of a reader, unless its format is {@code STATE}.
     *
     * @param reader a reader at the attribute
     * @throws NetlinkException.Malformed if its length does not match its format
     */
    public void add(AttributeReader reader) throws NetlinkException.Malformed {
      int type = reader.type();
      if (type == 0 && reader.length() == 0) {
        return; // padding for a number of 64 bits, if a family has no other type for it
      }
      AttributeTable.Format format = table.format(type);
      switch (format) {
        case STATE -> {}
        case NEST -> {
          AttributeTable inside = table.in(type);
          reader.enter();
          byte[] value = read(inside, reader).bytes;
          if (value.length > LONGEST) { // with the missing padding
            throw new NetlinkException.Malformed(tooLong(type, value));
          }
          put(type | NESTED, value);
        }
        default -> {
          check(format, reader);
          put(reader.typeWithFlags(), reader.bytes());
        }
      }
    }

    private static void check(AttributeTable.Format format, AttributeReader reader)
        throws NetlinkException.Malformed {
      switch (format) {
        case U8 -> reader.u8();
        case U16, BE16 -> reader.u16();
        case U32 -> reader.u32();
        case U64 -> reader.u64();
        case IP -> reader.checkAddress();
        default -> {
          // any bytes will do
        }
      }
    }

    private String tooLong(int type, byte[] value) {
      return table.name(type) + " of " + value.length + " bytes, must be at most " + LONGEST;
    }

    private void put(int type, byte[] value) {
      if (value.length > LONGEST) {
        throw new IllegalArgumentException(tooLong(type & TYPE, value));
      }
      int at = (type & TYPE) >= last ? length : place(type & TYPE);
      last = Math.max(last, type & TYPE);
      int size = HEADER + ((value.length + 3) & ~3);
      makeRoom(size);
      System.arraycopy(bytes, at, bytes, at + size, length - at);
      SHORT.set(bytes, at, (short) (HEADER + value.length));
      SHORT.set(bytes, at + 2, (short) type);
      System.arraycopy(value, 0, bytes, at + HEADER, value.length);
      Arrays.fill(bytes, at + HEADER + value.length, at + size, (byte) 0);
      length += size;
    }

    private void makeRoom(int size) {
      if (length + size > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + size, 2 * bytes.length));
      }
    }

    /** Appends an attribute of other attributes, whose type must not be below the present types. */
    private void append(byte[] others, int at, int end) {
      int size = (end - at + 3) & ~3;
      makeRoom(size);
      System.arraycopy(others, at, bytes, length, end - at);
      Arrays.fill(bytes, length + end - at, length + size, (byte) 0);
      length += size;
      last = number(others, at + 2) & TYPE;
    }

    /** Returns the place after the last attribute of this type or a lower one. */
    private int place(int type) {
      int at = 0;
      while (at < length && (number(bytes, at + 2) & TYPE) <= type) {
        at += (number(bytes, at) + 3) & ~3;
      }
      return at;
    }

    /** {@return the attributes that were kept} Empties the collector. */
    public Attributes attributes() {
      Attributes all = length == 0 ? none(table) : new Attributes(table, trimmed());
      bytes = EMPTY;
      length = 0;
      last = -1;
      return all;
    }

    private byte[] trimmed() {
      return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }
  }

  /** {@return whether there are none} */
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** {@return the types of the attributes, ascending; a type that occurs twice is listed twice} */
  public List<Integer> types() {
    List<Integer> types = new ArrayList<>();
    for (int at = 0; at < bytes.length; at = next(at)) {
      types.add(type(at));
    }
    return List.copyOf(types);
  }

  private ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).order(nativeOrder());
  }

  private static int number(byte[] bytes, int at) {
    return Short.toUnsignedInt((short) SHORT.get(bytes, at));
  }

  private int type(int at) {
    return number(bytes, at + 2) & TYPE;
  }

  private int end(int at) {
    return at + number(bytes, at);
  }

  private int next(int at) {
    return (end(at) + 3) & ~3;
  }

  private int find(int type) {
    for (int at = 0; at < bytes.length; at = next(at)) {
      if (type(at) == type) {
        return at;
      }
    }
    return -1;
  }

  /**
   * {@return whether an attribute is present}
   *
   * @param type its type
   */
  public boolean has(int type) {
    return find(type) >= 0;
  }

  /**
   * {@return whether an attribute is present}
   *
   * @param name its name, for example {@code OIF}
   * @throws IllegalArgumentException if the table has no such name
   */
  public boolean has(String name) {
    return has(table.type(name));
  }

  /**
   * {@return the value of an attribute as received, in a new array, if the attribute is present}
   *
   * @param name its name
   * @throws IllegalArgumentException if the table has no such name
   */
  public Optional<byte[]> bytes(String name) {
    return bytes(table.type(name));
  }

  /**
   * {@return the value of an attribute as received, in a new array, if the attribute is present}
   *
   * @param type its type
   */
  public Optional<byte[]> bytes(int type) {
    int at = find(type);
    return at < 0 ? Optional.empty() : Optional.of(Arrays.copyOfRange(bytes, at + HEADER, end(at)));
  }

  /**
   * {@return the values of all attributes of one name, in new arrays and in the kernel's order}
   *
   * @param name the name
   * @throws IllegalArgumentException if the table has no such name
   */
  public List<byte[]> all(String name) {
    int type = table.type(name);
    List<byte[]> all = new ArrayList<>();
    for (int at = 0; at < bytes.length; at = next(at)) {
      if (type(at) == type) {
        all.add(Arrays.copyOfRange(bytes, at + HEADER, end(at)));
      }
    }
    return List.copyOf(all);
  }

  /**
   * {@return a number of at most 32 bits (32 fill the int) in the table's format; empty if missing}
   *
   * @param name its name
   * @throws IllegalArgumentException if the table has no number of that name, or {@link #with(int,
   *     byte[])} has set bytes that are too few for one
   */
  public OptionalInt number(String name) {
    int type = table.type(name);
    int at = find(type);
    if (at < 0) {
      return OptionalInt.empty();
    }
    ByteBuffer buffer = buffer();
    if (end(at) - at - HEADER < table.format(type).size()) {
      throw new IllegalArgumentException(
          table.name(type) + " has " + (end(at) - at - HEADER) + " bytes, too few for a number");
    }
    return OptionalInt.of(
        switch (table.format(type)) {
          case U8 -> Byte.toUnsignedInt(buffer.get(at + HEADER));
          case U16 -> Short.toUnsignedInt(buffer.getShort(at + HEADER));
          case BE16 ->
              (Byte.toUnsignedInt(buffer.get(at + HEADER)) << 8)
                  | Byte.toUnsignedInt(buffer.get(at + HEADER + 1));
          case U32 -> buffer.getInt(at + HEADER);
          default -> throw new IllegalArgumentException(table.name(type) + " is no number");
        });
  }

  /**
   * {@return a number of 64 bits in this machine's order; empty if the attribute is missing}
   *
   * @param name its name
   * @throws IllegalArgumentException if the table has no such name
   */
  public OptionalLong number64(String name) {
    int at = find(table.type(name));
    return at < 0 || end(at) < at + HEADER + 8
        ? OptionalLong.empty()
        : OptionalLong.of(buffer().getLong(at + HEADER));
  }

  /**
   * {@return text up to its first zero byte; empty if the attribute is missing}
   *
   * @param name its name
   * @throws IllegalArgumentException if the table has no such name
   */
  public String text(String name) {
    int at = find(table.type(name));
    if (at < 0) {
      return "";
    }
    int end = at + HEADER;
    while (end < end(at) && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, at + HEADER, end - at - HEADER, StandardCharsets.UTF_8);
  }

  /**
   * {@return the attributes nested in an attribute; none if the attribute is missing}
   *
   * @param name its name
   * @throws IllegalArgumentException if the table has no such name, or the value does not consist
   *     of attributes
   */
  public Attributes nested(String name) {
    int type = table.type(name);
    int at = find(type);
    return at < 0 ? none(table.in(type)) : inside(at);
  }

  /**
   * {@return the entries of a list, in the kernel's order: the attributes nested in each attribute
   * of one name, or in each entry if it is a list in the table ({@link AttributeTable#listOf})}
   *
   * @param name the name
   * @throws IllegalArgumentException if the table has no such name, or a value does not consist of
   *     attributes
   */
  public List<Attributes> each(String name) {
    int type = table.type(name);
    List<Attributes> all = new ArrayList<>();
    for (int at = 0; at < bytes.length; at = next(at)) {
      if (type(at) == type) {
        Attributes one = inside(at);
        if (one.table.isList()) {
          for (int entry = 0; entry < one.bytes.length; entry = one.next(entry)) {
            all.add(one.inside(entry));
          }
        } else {
          all.add(one);
        }
      }
    }
    return List.copyOf(all);
  }

  private Attributes inside(int at) {
    int type = type(at);
    byte[] value = Arrays.copyOfRange(bytes, at + HEADER, end(at));
    return table.format(type) == AttributeTable.Format.NEST
        ? new Attributes(table.in(type), value)
        : ofBytes(table.in(type), value); // not parsed yet
  }

  /**
   * {@return these attributes with a number, in the format of the table}
   *
   * @param name its name
   * @param value the number; a negative number of 32 bits stands for the unsigned number with the
   *     same bits
   * @throws IllegalArgumentException if the number does not fit, with the attribute's name, or the
   *     table has no number of that name
   */
  public Attributes with(String name, long value) {
    int type = table.type(name);
    return with(type, table.format(type).pack(table.name(type), value));
  }

  /**
   * {@return text as bytes in UTF-8 for the kernel, without a zero byte at the end}
   *
   * @param text the text
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which would become a
   *     question mark
   */
  public static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text with half of a surrogate pair", e);
    }
  }

  /**
   * {@return these attributes with text, and the zero byte that ends it}
   *
   * @param name its name
   * @param value the text; empty to remove the attribute
   * @throws IllegalArgumentException if the table has no such name, or the text is invalid (see
   *     {@link #utf8})
   */
  public Attributes with(String name, String value) {
    byte[] utf8 = utf8(value);
    return value.isEmpty() ? without(name) : with(name, Arrays.copyOf(utf8, utf8.length + 1));
  }

  /**
   * {@return these attributes with a value, in place of all attributes of its name}
   *
   * @param name its name
   * @param value its bytes, at most 65,531
   * @throws IllegalArgumentException if there are more, or the table has no such name
   */
  public Attributes with(String name, byte[] value) {
    return with(table.type(name), value);
  }

  /**
   * {@return these attributes with a value, in place of all attributes of its type}
   *
   * @param type the type of the attribute, 0 to 16383, with {@code NLA_F_NESTED} if it is a nest
   * @param value its bytes, at most 65,531
   * @throws IllegalArgumentException if there are more, or the type is out of range
   */
  public Attributes with(int type, byte[] value) {
    checkType(type);
    Collector collector = others(type);
    collector.put(type, value);
    return collector.attributes();
  }

  /**
   * {@return these attributes with nested ones, in place of all attributes of the name}
   *
   * @param name its name
   * @param inside the attributes in it; none to remove it
   * @throws IllegalArgumentException if the table has no such name
   */
  public Attributes with(String name, Attributes inside) {
    return inside.isEmpty() ? without(name) : with(table.type(name) | NESTED, inside.bytes);
  }

  /**
   * {@return these attributes without those of the names}
   *
   * @param attributeNames their names
   * @throws IllegalArgumentException if the table lacks one of the names
   */
  public Attributes without(String... attributeNames) {
    return without(Arrays.stream(attributeNames).mapToInt(table::type).toArray());
  }

  /**
   * {@return these attributes without those of the types}
   *
   * @param types their types
   */
  public Attributes without(int... types) {
    for (int at = 0; at < bytes.length; at = next(at)) {
      if (isOneOf(types, type(at))) {
        return others(types).attributes();
      }
    }
    return this;
  }

  /**
   * Checks that a type fits into its 16 bits; the kernel would see a truncated number.
   *
   * @param type the type, with {@code NLA_F_NESTED} or without
   * @throws IllegalArgumentException if it is out of range
   */
  public static void checkType(int type) {
    if ((type & ~(TYPE | NESTED)) != 0) {
      throw new IllegalArgumentException(
          "type " + type + " of an attribute, must be from 0 to " + TYPE);
    }
  }

  private Collector others(int... types) {
    Collector collector = new Collector(table);
    for (int at = 0; at < bytes.length; at = next(at)) {
      if (!isOneOf(types, type(at))) {
        collector.append(bytes, at, end(at));
      }
    }
    return collector;
  }

  private static boolean isOneOf(int[] types, int wanted) {
    for (int type : types) {
      if ((type & TYPE) == wanted) {
        return true;
      }
    }
    return false;
  }

  /** Returns the attributes as they are written to a message. */
  byte[] raw() {
    return bytes;
  }

  /** {@return the attributes as they go into a message, as a new array} */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /**
   * {@return attributes from the result of {@link #toBytes}}
   *
   * @param table names and formats
   * @param bytes the attributes, one after the other
   * @throws IllegalArgumentException if the bytes are not attributes, or the length of an attribute
   *     does not match its format
   */
  public static Attributes ofBytes(AttributeTable table, byte[] bytes) {
    AttributeReader reader = new AttributeReader();
    reader.reset(ByteBuffer.wrap(bytes).order(nativeOrder()), 0, bytes.length);
    try {
      return read(table, reader);
    } catch (NetlinkException.Malformed e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attributes attributes && Arrays.equals(bytes, attributes.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns names and bytes for people, for example {@code [RTA_PREF 00, attribute 77 0102]}. */
  @Override
  public String toString() {
    List<String> all = new ArrayList<>();
    for (int at = 0; at < bytes.length; at = next(at)) {
      String value = HexFormat.of().formatHex(bytes, at + HEADER, end(at));
      all.add(table.name(type(at)) + " " + value);
    }
    return all.toString();
  }
}
