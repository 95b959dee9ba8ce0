package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A cursor over attributes, which creates only the objects that are requested. After {@link #next}
 * it is at an attribute; {@link #enter} goes to the attributes nested in it, and {@link #next}
 * returns from the nest at its end:
 *
 * <pre>{@code
 * while (reader.next()) {
 *   if (reader.type() == nest) {
 *     reader.enter();
 *     while (reader.next()) {
 *       ... // the attributes in the nest
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>The input is checked: lengths must fit into their container, numbers must have exactly the
 * size they are read with, nesting is limited. A violation is a {@link NetlinkException.Malformed}
 * with its place. Not thread-safe.
 */
public final class AttributeReader {

  private static final int HEADER = 4;
  private static final int MAX_DEPTH = 16;
  private static final int TYPE = 0x3fff; // NLA_TYPE_MASK: without the two flags

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final int[] nextOutside = new int[MAX_DEPTH];
  private final int[] typeOutside = new int[MAX_DEPTH];
  private final int[] endOutside = new int[MAX_DEPTH];
  private final int[] valueOutside = new int[MAX_DEPTH];
  private final int[] lengthOutside = new int[MAX_DEPTH];
  private final byte[] text = new byte[256];
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int depth;
  private int next;
  private int end;
  private int value;
  private int length;
  private int type;
  private int flaggedType;

  /** Created by {@link Message}. */
  AttributeReader() {}

  void reset(ByteBuffer newBuffer, int from, int to) {
    buffer = newBuffer;
    next = from;
    end = to;
    depth = 0;
    length = 0;
  }

  /**
   * Goes to the next attribute; at the end of a nest, back to the nest for the outer loop.
   *
   * @return false if there is none
   * @throws NetlinkException.Malformed if the following bytes are not an attribute
   */
  public boolean next() throws NetlinkException.Malformed {
    int at = next;
    int rest = end - at;
    if (rest < HEADER) {
      if (rest > 0) {
        throw malformed(at, rest + " bytes left, an attribute has at least " + HEADER);
      }
      if (depth > 0) {
        leave();
      }
      return false;
    }
    int header = buffer.getInt(at);
    int size = LITTLE ? header & 0xffff : header >>> 16;
    if (size < HEADER || size > rest) {
      throw malformed(at, "attribute is " + size + " bytes long, expected 4 to " + rest);
    }
    flaggedType = LITTLE ? header >>> 16 : header & 0xffff;
    type = flaggedType & TYPE;
    value = at + HEADER;
    length = size - HEADER;
    next = at + ((size + 3) & ~3);
    return true;
  }

  private static NetlinkException.Malformed malformed(int at, String problem) {
    return new NetlinkException.Malformed("byte " + at + " of a datagram: " + problem);
  }

  private NetlinkException.Malformed wrongLength(String expected) {
    return malformed(
        value, "attribute " + type + " has " + length + " bytes, expected " + expected);
  }

  /** {@return the type of the attribute, without flags} */
  public int type() {
    return type;
  }

  /** Returns the type as received, with the flags NLA_F_NESTED and NLA_F_NET_BYTEORDER. */
  int typeWithFlags() {
    return flaggedType;
  }

  void checkAddress() throws NetlinkException.Malformed {
    if (length != 4 && length != 16) {
      throw wrongLength("4 or 16, an IP address");
    }
  }

  /** {@return the length of the value in bytes} */
  public int length() {
    return length;
  }

  /**
   * Goes to the attributes nested in this attribute.
   *
   * @throws NetlinkException.Malformed if they are nested too deep
   */
  public void enter() throws NetlinkException.Malformed {
    enter(0);
  }

  /**
   * Goes to the attributes nested in this attribute, after fixed fields.
   *
   * @param headerLength the length of the fields in bytes
   * @throws NetlinkException.Malformed if they are nested too deep, or the value is shorter than
   *     the fields
   */
  public void enter(int headerLength) throws NetlinkException.Malformed {
    enter(headerLength, length);
  }

  /**
   * Goes to attributes in a part of the value.
   *
   * @param from the offset at which the part begins
   * @param to the offset at which it ends
   * @throws NetlinkException.Malformed if they are nested too deep, or the value is shorter
   */
  public void enter(int from, int to) throws NetlinkException.Malformed {
    if (depth == MAX_DEPTH) {
      throw malformed(value, "attributes nested more than " + MAX_DEPTH + " deep");
    }
    if (from < 0 || from > to || to > length) {
      throw wrongLength("at least " + Math.max(from, to));
    }
    nextOutside[depth] = next;
    typeOutside[depth] = type;
    endOutside[depth] = end;
    valueOutside[depth] = value;
    lengthOutside[depth] = length;
    depth++;
    next = value + from;
    end = value + to;
  }

  /** Returns to the attribute that was entered. */
  private void leave() {
    depth--;
    type = typeOutside[depth];
    next = nextOutside[depth];
    end = endOutside[depth];
    value = valueOutside[depth];
    length = lengthOutside[depth];
  }

  /**
   * {@return the value as an unsigned 8-bit number}
   *
   * @throws NetlinkException.Malformed if the value has another length
   */
  public int u8() throws NetlinkException.Malformed {
    if (length != 1) {
      throw wrongLength("1");
    }
    return Byte.toUnsignedInt(buffer.get(value));
  }

  /**
   * {@return the value as an unsigned 16-bit number}
   *
   * @throws NetlinkException.Malformed if the value has another length
   */
  public int u16() throws NetlinkException.Malformed {
    if (length != 2) {
      throw wrongLength("2");
    }
    return Short.toUnsignedInt(buffer.getShort(value));
  }

  /**
   * {@return the value as an unsigned 16-bit number in network order}
   *
   * @throws NetlinkException.Malformed if the value has another length
   */
  public int bigEndianU16() throws NetlinkException.Malformed {
    if (length != 2) {
      throw wrongLength("2");
    }
    return (Byte.toUnsignedInt(buffer.get(value)) << 8) | Byte.toUnsignedInt(buffer.get(value + 1));
  }

  /**
   * {@return the value as a 32-bit number, which fills the int}
   *
   * @throws NetlinkException.Malformed if the value has another length
   */
  public int u32() throws NetlinkException.Malformed {
    if (length != 4) {
      throw wrongLength("4");
    }
    return buffer.getInt(value);
  }

  /**
   * {@return the value as a 64-bit number, which fills the long}
   *
   * @throws NetlinkException.Malformed if the value has another length
   */
  public long u64() throws NetlinkException.Malformed {
    if (length != 8) {
      throw wrongLength("8");
    }
    return buffer.getLong(value);
  }

  /**
   * {@return an unsigned 8-bit field inside the value}
   *
   * @param offset its offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public int u8(int offset) throws NetlinkException.Malformed {
    return Byte.toUnsignedInt(buffer.get(field(offset, 1)));
  }

  /**
   * {@return an unsigned 16-bit field inside the value}
   *
   * @param offset its offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public int u16(int offset) throws NetlinkException.Malformed {
    return Short.toUnsignedInt(buffer.getShort(field(offset, 2)));
  }

  /**
   * {@return a 32-bit field inside the value}
   *
   * @param offset its offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public int u32(int offset) throws NetlinkException.Malformed {
    return buffer.getInt(field(offset, 4));
  }

  /**
   * {@return a 64-bit field inside the value}
   *
   * @param offset its offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public long u64(int offset) throws NetlinkException.Malformed {
    return buffer.getLong(field(offset, 8));
  }

  private int field(int offset, int size) throws NetlinkException.Malformed {
    if (offset < 0 || offset > length - size) {
      throw wrongLength("at least " + (offset + size));
    }
    return value + offset;
  }

  /**
   * Reads 64-bit numbers, one after the other, as many as there are.
   *
   * @param into receives the numbers; elements beyond the value stay unchanged
   */
  public void u64s(long[] into) {
    int count = Math.min(into.length, length >>> 3);
    for (int i = 0; i < count; i++) {
      into[i] = buffer.getLong(value + (i << 3));
    }
  }

  /** {@return the value as bytes in a new array} */
  public byte[] bytes() {
    byte[] bytes = new byte[length];
    buffer.get(value, bytes);
    return bytes;
  }

  /**
   * {@return a value of up to 8 bytes as one number, with the first byte highest, the last lowest}
   *
   * @throws NetlinkException.Malformed if there are more than 8
   */
  public long bigEndianBytes() throws NetlinkException.Malformed {
    if (length > 8) {
      throw wrongLength("at most 8");
    }
    long bytes = 0;
    for (int i = 0; i < length; i++) {
      bytes = (bytes << 8) | Byte.toUnsignedLong(buffer.get(value + i));
    }
    return bytes;
  }

  /**
   * {@return eight bytes of the value as one number, with the first byte highest}
   *
   * @param offset their offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public long bigEndianU64(int offset) throws NetlinkException.Malformed {
    long bytes = buffer.getLong(field(offset, 8));
    return LITTLE ? Long.reverseBytes(bytes) : bytes;
  }

  /**
   * {@return four bytes of the value as one number, with the first byte highest}
   *
   * @param offset their offset in the value
   * @throws NetlinkException.Malformed if the value ends before
   */
  public int bigEndianU32(int offset) throws NetlinkException.Malformed {
    int bytes = buffer.getInt(field(offset, 4));
    return LITTLE ? Integer.reverseBytes(bytes) : bytes;
  }

  /** {@return the value as text, to its first zero byte; bytes that are not UTF-8 become U+FFFD} */
  public String string() {
    int size = textLength();
    if (size <= text.length) {
      buffer.get(value, text, 0, size);
      return new String(text, 0, size, StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[size];
    buffer.get(value, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * {@return the value as text that occurs in many messages}
   *
   * @param cache the cache of such texts
   */
  public String string(TextCache cache) {
    int size = textLength();
    return size <= TextCache.MAX_LENGTH ? cache.text(buffer, value, size) : string();
  }

  private int textLength() {
    int size = 0;
    while (size < length && buffer.get(value + size) != 0) {
      size++;
    }
    return size;
  }
}
