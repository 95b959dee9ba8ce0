package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Attributes that no kernel at hand sends. */
public final class HandWritten {

  private HandWritten() {}

  /** A reader of attributes that are given as hexadecimal numbers, little end first. */
  public static AttributeReader attributes(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    AttributeReader reader = new AttributeReader();
    reader.reset(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0, bytes.length);
    return reader;
  }
}
