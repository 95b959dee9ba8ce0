package io.dra4j.rdma.verbs;

import java.nio.ByteBuffer;

/**
 * The size of a number in a structure, and the format in which {@code ibv_devinfo -v} writes it.
 */
enum FieldForm {
  U8(1, "%d"),
  U8X2(1, "0x%02x"),
  U16(2, "%d"),
  S32(4, "%d"),
  U32(4, "%d"),
  U32X(4, "0x%x"),
  U32UPPERX(4, "0x%X"),
  U32X4(4, "0x%04x"),
  U32X8(4, "0x%08x"),
  U64X(8, "0x%x");

  private final int bytes;
  private final String format;

  FieldForm(int bytes, String format) {
    this.bytes = bytes;
    this.format = format;
  }

  int bytes() {
    return bytes;
  }

  long read(ByteBuffer structure, int offset) {
    return switch (this) {
      case U8, U8X2 -> Byte.toUnsignedLong(structure.get(offset));
      case U16 -> Short.toUnsignedLong(structure.getShort(offset));
      case S32 -> structure.getInt(offset);
      case U32, U32X, U32UPPERX, U32X4, U32X8 -> Integer.toUnsignedLong(structure.getInt(offset));
      case U64X -> structure.getLong(offset);
    };
  }

  String text(long value) {
    return format.formatted(value);
  }
}
