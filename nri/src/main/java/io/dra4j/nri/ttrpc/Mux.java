package io.dra4j.nri.ttrpc;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** NRI's frames: connection ID and length, 4 bytes each, and data. One thread reads, any writes. */
final class Mux {
  static final int HEADER = 8;

  /** The maximum length of a frame's data: one message of ttrpc. */
  static final int MAX_FRAME = Message.HEADER + Message.MAX_DATA;

  /**
   * The size of the first frame of a long message. The reader of the Go implementation has a buffer
   * of this size and fails on a longer frame, unless it already knows the length of the message;
   * the rest is then a single frame, because only 256 frames may be queued.
   */
  static final int FIRST_FRAME = 4096;

  private final ReadableByteChannel in;
  private final WritableByteChannel out;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).limit(0);

  Mux(ReadableByteChannel in, WritableByteChannel out) {
    this.in = in;
    this.out = out;
  }

  /** A part of a frame: some bytes and their connection. */
  record Part(int connection, ByteBuffer bytes) {}

  private int connection;
  private int remaining;

  /** Reads the next or current frame's bytes, valid until the next call; null at the end. */
  @Nullable Part read() throws IOException {
    while (remaining == 0) {
      if (!fill(HEADER)) {
        return null;
      }
      connection = buffer.getInt();
      remaining = buffer.getInt();
      if (connection == 0) {
        throw new ProtocolException("NRI frame: connection ID 0 is reserved");
      }
      if (remaining < 0 || remaining > MAX_FRAME) {
        int length = remaining;
        remaining = 0;
        throw new ProtocolException(
            "NRI frame of connection %s: expected at most %d bytes, its header says %s"
                .formatted(
                    Integer.toUnsignedString(connection),
                    MAX_FRAME,
                    Integer.toUnsignedString(length)));
      }
    }
    if (!buffer.hasRemaining() && !fill(1)) {
      throw new EOFException("the connection ended inside a frame");
    }
    int count = Math.min(remaining, buffer.remaining());
    ByteBuffer bytes = buffer.slice(buffer.position(), count);
    buffer.position(buffer.position() + count);
    remaining -= count;
    return new Part(connection, bytes);
  }

  /** Reads until some bytes are in the buffer; false at the end. */
  private boolean fill(int count) throws IOException {
    if (buffer.remaining() >= count) {
      return true;
    }
    buffer.compact();
    try {
      while (buffer.position() < count) {
        if (in.read(buffer) < 0) {
          if (buffer.position() > 0) {
            throw new EOFException("the connection ended inside the header of a frame");
          }
          return false;
        }
      }
      return true;
    } finally {
      buffer.flip();
    }
  }

  /** Writes a message to a connection. */
  synchronized void write(int connection, byte[] message) throws IOException {
    int first = Math.min(message.length, FIRST_FRAME);
    frame(connection, message, 0, first);
    if (first < message.length) {
      frame(connection, message, first, message.length - first);
    }
  }

  private void frame(int connection, byte[] message, int offset, int length) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(HEADER + length)
            .putInt(connection)
            .putInt(length)
            .put(message, offset, length)
            .flip();
    while (frame.hasRemaining()) {
      int written = out.write(frame);
      if (written < 0) {
        throw new EOFException("the connection is closed for writing");
      }
    }
  }
}
