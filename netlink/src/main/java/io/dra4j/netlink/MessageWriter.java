package io.dra4j.netlink;

import io.dra4j.linux.FileDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes one request: first the fields of the family's fixed header with {@code append...}, then
 * attributes with {@code put...}. Numbers are in the order of bytes of this machine unless a method
 * says otherwise. Not thread-safe.
 *
 * <p>Each request has its own writer from {@link NetlinkSocket#request}, so another request can be
 * sent while a request is being written.
 *
 * <pre>{@code
 * MessageWriter request = socket.request(19, 0, table, "set mtu of link 2"); // RTM_SETLINK
 * request.appendZeros(4).appendU32(2).appendZeros(8).put("MTU", 9000);
 * socket.execute(request);
 * }</pre>
 */
public final class MessageWriter {

  /** The maximum size of a request in bytes: more than the kernel accepts in practice. */
  public static final int MAX_LENGTH = 1 << 20;

  private static final int HEADER = 16;
  private static final int ATTRIBUTE_HEADER = 4;
  private static final int NESTED = 0x8000;
  private static final int MAX_ATTRIBUTE = 0xffff;
  private static final int MAX_DEPTH = 16;

  private ByteBuffer buffer = ByteBuffer.allocate(512).order(ByteOrder.nativeOrder());
  private int position;
  private int firstAttribute;
  private int depth;
  private Object operation = "";

  /** The tables of attributes at each depth; the table of the request first. */
  private final AttributeTable[] names = new AttributeTable[MAX_DEPTH + 1];

  /** Tables of nests that the surrounding table lacks, by the offset of the nest. */
  private final Map<Integer, AttributeTable> nestTables = new HashMap<>();

  private final List<FileDescriptor> descriptors = new ArrayList<>();

  /** Created by {@link NetlinkSocket#request}. */
  MessageWriter() {}

  /** Starts a new request. The operation is converted to text only if it fails. */
  MessageWriter begin(int type, int flags, AttributeTable newNames, Object newOperation) {
    buffer.clear();
    buffer.putShort(4, (short) type);
    buffer.putShort(6, (short) flags);
    position = HEADER;
    firstAttribute = -1;
    depth = 0;
    names[0] = newNames;
    nestTables.clear();
    operation = newOperation;
    descriptors.clear();
    return this;
  }

  /** {@return the finished message, to which nothing can be added, valid until the next one} */
  ByteBuffer finish(int flags, int sequence, int port) {
    if (depth != 0) {
      throw new IllegalStateException("an attribute is still open");
    }
    buffer.putInt(0, position);
    buffer.putShort(6, (short) (buffer.getShort(6) | flags));
    buffer.putInt(8, sequence);
    buffer.putInt(12, port);
    return buffer.clear().limit(position);
  }

  /**
   * Returns the descriptors whose numbers are in the message. They must be held until the kernel
   * has read them, because the number of a closed descriptor may belong to another file.
   */
  List<FileDescriptor> descriptors() {
    return descriptors;
  }

  String operation() {
    return operation.toString();
  }

  /** Returns the operation of the request, as errors name it. */
  @Override
  public String toString() {
    return operation();
  }

  private int take(int length) {
    int at = position;
    if (length > MAX_LENGTH - at) {
      throw new IllegalArgumentException(operation + ": larger than a message may be");
    }
    int end = at + length;
    if (end > buffer.capacity()) {
      int capacity = Math.min(MAX_LENGTH, Math.max(end, 2 * buffer.capacity()));
      ByteBuffer larger = ByteBuffer.allocate(capacity).order(ByteOrder.nativeOrder());
      larger.put(0, buffer.array(), 0, at);
      buffer = larger;
    }
    position = end;
    return at;
  }

  private void pad() {
    while ((position & 3) != 0) {
      int at = take(1); // may replace the buffer
      buffer.put(at, (byte) 0);
    }
  }

  /** Rejects numbers that do not fit, instead of truncating them. */
  static void checkNumber(String name, long value, long largest) {
    if (value < 0 || value > largest) {
      throw new IllegalArgumentException(name + " " + value + ", must be from 0 to " + largest);
    }
  }

  private void check(String name, long value, long largest) {
    if (value < 0 || value > largest) {
      checkNumber(operation() + ": " + name, value, largest);
    }
  }

  private void check(int type, int value, int largest) {
    if (value < 0 || value > largest) {
      check(names[depth].name(type), value, largest);
    }
  }

  private int takeField(int length) {
    if (firstAttribute >= 0 && depth == 0) {
      throw new IllegalStateException("fields come before attributes");
    }
    return take(length);
  }

  /**
   * Appends an 8-bit field without a name, such as one that is always 0.
   *
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter appendU8(int value) {
    return appendU8("a field of 8 bits", value);
  }

  /**
   * Appends an 8-bit field.
   *
   * @param name its name in the kernel's structure, for errors
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter appendU8(String name, int value) {
    check(name, value, 0xff);
    int at = takeField(1);
    buffer.put(at, (byte) value);
    return this;
  }

  /**
   * Appends a 16-bit field without a name.
   *
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter appendU16(int value) {
    return appendU16("a field of 16 bits", value);
  }

  /**
   * Appends a 16-bit field.
   *
   * @param name its name in the kernel's structure, for errors
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter appendU16(String name, int value) {
    check(name, value, 0xffff);
    int at = takeField(2);
    buffer.putShort(at, (short) value);
    return this;
  }

  /**
   * Appends a 32-bit field.
   *
   * @param value its value
   * @return this writer
   */
  public MessageWriter appendU32(int value) {
    int at = takeField(4);
    buffer.putInt(at, value);
    return this;
  }

  /**
   * Appends bytes as they are.
   *
   * @param bytes the bytes
   * @return this writer
   */
  public MessageWriter appendBytes(byte[] bytes) {
    int at = takeField(bytes.length);
    buffer.put(at, bytes);
    return this;
  }

  /**
   * Appends zeros.
   *
   * @param count the number of bytes
   * @return this writer
   */
  public MessageWriter appendZeros(int count) {
    int at = takeField(count);
    Arrays.fill(buffer.array(), at, at + count, (byte) 0);
    return this;
  }

  private int attribute(int type, int length) {
    if (length > MAX_ATTRIBUTE - ATTRIBUTE_HEADER) {
      throw new IllegalArgumentException(
          operation()
              + ": "
              + names[depth].name(type & 0x3fff)
              + " of "
              + length
              + " bytes is too long");
    }
    pad();
    int at = take(ATTRIBUTE_HEADER + length);
    if (firstAttribute < 0) {
      firstAttribute = at;
    }
    buffer.putShort(at, (short) (ATTRIBUTE_HEADER + length));
    buffer.putShort(at + 2, (short) type);
    return at + ATTRIBUTE_HEADER;
  }

  /**
   * Puts an attribute without a value.
   *
   * @param type its type
   * @return this writer
   */
  public MessageWriter putFlag(int type) {
    attribute(type, 0);
    return this;
  }

  /**
   * Puts an 8-bit attribute.
   *
   * @param type its type
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter putU8(int type, int value) {
    check(type, value, 0xff);
    int at = attribute(type, 1);
    buffer.put(at, (byte) value);
    pad();
    return this;
  }

  /**
   * Puts a 16-bit attribute.
   *
   * @param type its type
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter putU16(int type, int value) {
    check(type, value, 0xffff);
    int at = attribute(type, 2);
    buffer.putShort(at, (short) value);
    pad();
    return this;
  }

  /**
   * Puts a 16-bit attribute in network order, highest byte first.
   *
   * @param type its type
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit
   */
  public MessageWriter putBigEndianU16(int type, int value) {
    check(type, value, 0xffff);
    return putBytes(type, new byte[] {(byte) (value >> 8), (byte) value});
  }

  /**
   * Puts the number of an open file, as 32 bits. The descriptor is held open while the request is
   * sent, so that the number belongs to this file when the kernel reads it.
   *
   * @param attributeType the type of the attribute
   * @param descriptor the open file
   * @return this writer
   * @throws IllegalStateException if the descriptor is closed, or later when the request is sent
   */
  public MessageWriter putDescriptor(int attributeType, FileDescriptor descriptor) {
    putU32(attributeType, descriptor.number());
    descriptors.add(descriptor);
    return this;
  }

  /**
   * Puts a 32-bit attribute.
   *
   * @param type its type
   * @param value its value
   * @return this writer
   */
  public MessageWriter putU32(int type, int value) {
    int at = attribute(type, 4);
    buffer.putInt(at, value);
    return this;
  }

  /**
   * Puts a 64-bit attribute.
   *
   * @param type its type
   * @param value its value
   * @return this writer
   */
  public MessageWriter putU64(int type, long value) {
    int at = attribute(type, 8);
    buffer.putLong(at, value);
    return this;
  }

  /**
   * Puts bytes.
   *
   * @param type the type of the attribute
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if they are too many for an attribute
   */
  public MessageWriter putBytes(int type, byte[] value) {
    int at = attribute(type, value.length);
    buffer.put(at, value);
    pad();
    return this;
  }

  /**
   * Puts text, with the zero byte that ends it.
   *
   * @param type the type of the attribute
   * @param value the text
   * @return this writer
   * @throws IllegalArgumentException if it contains a zero byte, or is too long for an attribute
   */
  public MessageWriter putString(int type, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          operation() + ": " + names[depth].name(type) + " holds a zero byte");
    }
    byte[] bytes = Attributes.utf8(value);
    int at = attribute(type, bytes.length + 1);
    buffer.put(at, bytes);
    buffer.put(at + bytes.length, (byte) 0);
    pad();
    return this;
  }

  /**
   * Puts a number by its attribute's name, in the request or in the nest that was opened last.
   *
   * @param name the attribute's name without the prefix, for example {@code MTU}
   * @param value its value, with the size of the table; a negative number of 32 bits stands for the
   *     unsigned number with the same bits
   * @return this writer
   * @throws IllegalArgumentException if the value does not fit, or there is no number of that name
   */
  public MessageWriter put(String name, long value) {
    AttributeTable table = names[depth];
    int type = table.type(name);
    AttributeTable.Format format = table.format(type);
    boolean isInt = format == AttributeTable.Format.U32 && value == (int) value;
    if (!isInt && (value < 0 || value > format.largest())) {
      check(table.name(type), value, format.largest());
    }
    return switch (format) {
      case U8 -> putU8(type, (int) value);
      case U16 -> putU16(type, (int) value);
      case BE16 -> putBigEndianU16(type, (int) value);
      case U32 -> putU32(type, (int) value);
      case U64 -> putU64(type, value);
      default ->
          throw new IllegalArgumentException(
              operation() + ": " + table.name(type) + " is no number");
    };
  }

  /**
   * Puts text, with the zero byte that ends it, by the name of its attribute.
   *
   * @param name the attribute's name without the prefix
   * @param value the text
   * @return this writer
   * @throws IllegalArgumentException if it has a zero byte, is too long, or the name is unknown
   */
  public MessageWriter put(String name, String value) {
    return putString(names[depth].type(name), value);
  }

  /**
   * Puts bytes by the name of their attribute.
   *
   * @param name the attribute's name without the prefix
   * @param value its value
   * @return this writer
   * @throws IllegalArgumentException if they are too many for an attribute, or the name is unknown
   */
  public MessageWriter put(String name, byte[] value) {
    return putBytes(names[depth].type(name), value);
  }

  /**
   * Puts the number of an open file by its attribute's name, as {@link #putDescriptor} does.
   *
   * @param name the attribute's name without the prefix
   * @param descriptor the open file
   * @return this writer
   * @throws IllegalStateException if the descriptor is closed
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public MessageWriter put(String name, FileDescriptor descriptor) {
    return putDescriptor(names[depth].type(name), descriptor);
  }

  /**
   * Opens an attribute for nested attributes, by its name.
   *
   * @param name the attribute's name without the prefix
   * @return the argument of {@link #close}
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public int open(String name) {
    return open(names[depth].type(name));
  }

  /**
   * Opens an attribute whose nested attributes differ from its table, such as those of a kind.
   *
   * @param name the attribute's name without the prefix
   * @param inside the table of the nested attributes
   * @return the argument of {@link #close}
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public int open(String name, AttributeTable inside) {
    return open(names[depth].type(name), inside);
  }

  /**
   * Opens, by name, an attribute that begins with fields, or is not a nest for the kernel.
   *
   * @param name the attribute's name without the prefix
   * @return the argument of {@link #close}
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public int openPlain(String name) {
    return openPlain(names[depth].type(name));
  }

  /**
   * Puts attributes unchanged.
   *
   * @param attributes the attributes
   * @return this writer
   */
  public MessageWriter putAll(Attributes attributes) {
    byte[] bytes = attributes.raw();
    if (bytes.length > 0) {
      pad();
      int at = take(bytes.length);
      firstAttribute = firstAttribute < 0 ? at : firstAttribute;
      buffer.put(at, bytes);
    }
    return this;
  }

  /**
   * Opens an attribute for nested attributes.
   *
   * @param type its type
   * @return the argument of {@link #close}
   */
  public int open(int type) {
    return opened(type, NESTED, names[depth].in(type));
  }

  /**
   * Opens an attribute whose nested attributes differ from its table, such as those of a kind.
   *
   * @param type its type
   * @param inside the table of the nested attributes
   * @return the argument of {@link #close}
   */
  public int open(int type, AttributeTable inside) {
    int opened = opened(type, NESTED, inside);
    nestTables.put(opened, inside);
    return opened;
  }

  /**
   * Opens an attribute that begins with fields, or that the kernel does not treat as a nest.
   *
   * @param type its type
   * @return the argument of {@link #close}
   */
  public int openPlain(int type) {
    return opened(type, 0, names[depth].in(type));
  }

  /**
   * Opens a structure that begins with its length in 16 bits and ends with attributes, such as
   * {@code struct rtnexthop}; inside an open attribute.
   *
   * @return the argument of {@link #close}
   */
  public int openStructure() {
    if (depth == 0 || depth == MAX_DEPTH) {
      throw new IllegalStateException(
          "a structure with its own length must be inside an attribute");
    }
    pad();
    names[depth + 1] = names[0]; // as in struct rtnexthop
    depth++;
    return take(2);
  }

  private int opened(int type, int flag, AttributeTable inside) {
    if (depth == MAX_DEPTH) {
      throw new IllegalStateException("attributes nested too deep");
    }
    int value = attribute(type | flag, 0);
    names[++depth] = inside;
    return value - ATTRIBUTE_HEADER;
  }

  /**
   * Closes an attribute that was opened.
   *
   * @param opened the result of {@link #open}
   * @return this writer
   * @throws IllegalArgumentException if it became too long for an attribute
   */
  public MessageWriter close(int opened) {
    int length = position - opened;
    if (length > MAX_ATTRIBUTE) {
      throw new IllegalArgumentException(
          operation() + ": a nested attribute of " + length + " bytes is too long");
    }
    buffer.putShort(opened, (short) length);
    pad();
    depth--;
    return this;
  }

  /** Returns the path of the attribute at an offset that the kernel reported. */
  String attributePath(int offset) {
    return path(offset, false);
  }

  /** {@return the path of a missing attribute, in the nest at an offset or at the top level} */
  String missingPath(int nestOffset, int type) {
    if (nestOffset < 0) {
      return names[0].name(type);
    }
    return path(nestOffset, true) + "/" + namesAt(nestOffset).name(type);
  }

  private String path(int offset, boolean nest) {
    StringBuilder path = new StringBuilder();
    AttributeTable space = names[0];
    int from = Math.max(firstAttribute, HEADER);
    int to = position;
    if (firstAttribute < 0 || offset < firstAttribute) {
      return nest ? "" : "offset " + offset;
    }
    while (true) {
      int at = find(from, to, offset);
      if (at < 0) {
        return path.length() == 0 ? "offset " + offset : path.toString();
      }
      int type = type(at);
      path.append(path.length() == 0 ? "" : "/").append(space.name(type));
      if (at == offset || !isNest(space, at)) {
        return path.toString();
      }
      space = inside(space, at);
      from = at + ATTRIBUTE_HEADER;
      to = Math.min(to, at + length(at));
    }
  }

  private AttributeTable namesAt(int nestOffset) {
    AttributeTable space = names[0];
    int from = Math.max(firstAttribute, HEADER);
    int to = position;
    while (true) {
      int at = find(from, to, nestOffset);
      if (at < 0) {
        return AttributeTable.NONE;
      }
      boolean nest = isNest(space, at);
      space = inside(space, at);
      if (at == nestOffset) {
        return space;
      }
      if (!nest) {
        return AttributeTable.NONE;
      }
      from = at + ATTRIBUTE_HEADER;
      to = Math.min(to, at + length(at));
    }
  }

  private AttributeTable inside(AttributeTable space, int at) {
    AttributeTable said = nestTables.get(at);
    return said == null ? space.in(type(at)) : said;
  }

  private boolean isNest(AttributeTable space, int at) {
    return (buffer.getShort(at + 2) & NESTED) != 0 || space.nests(type(at));
  }

  /**
   * Returns the attribute between two offsets that contains a third offset; -1 if there is none.
   */
  private int find(int from, int to, int offset) {
    int at = from;
    while (at + ATTRIBUTE_HEADER <= to) {
      int length = length(at);
      if (length < ATTRIBUTE_HEADER) {
        return -1;
      }
      if (offset >= at && offset < at + length) {
        return at;
      }
      at += (length + 3) & ~3;
    }
    return -1;
  }

  private int length(int at) {
    return Short.toUnsignedInt(buffer.getShort(at));
  }

  private int type(int at) {
    return buffer.getShort(at + 2) & 0x3fff;
  }
}
