package io.dra4j.nri.ttrpc;

import java.nio.ByteBuffer;

/** A complete message of ttrpc: 10 bytes of header, then data. */
record Message(int stream, int type, int flags, ByteBuffer data) {
  static final int HEADER = 10;

  /** The maximum length of a message's data in ttrpc, in bytes. */
  static final int MAX_DATA = 4 << 20;

  static final int REQUEST = 1;
  static final int RESPONSE = 2;

  static byte[] encode(int stream, int type, byte[] data) {
    return ByteBuffer.allocate(HEADER + data.length)
        .putInt(data.length)
        .putInt(stream)
        .put((byte) type)
        .put((byte) 0)
        .put(data)
        .array();
  }
}
