package io.dra4j.nri.ttrpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the messages of one multiplexed connection from its frames, whose boundaries have no
 * meaning. It stores the received part of one message, at most {@link Message#MAX_DATA} and a
 * header: memory grows with the received bytes, not with the length in a header.
 */
final class MessageAssembler {
  private byte[] buffer = new byte[4096];
  private int start;
  private int end;

  /** Adds the bytes of a frame. */
  void add(ByteBuffer bytes) {
    int more = bytes.remaining();
    if (end + more > buffer.length) {
      int held = end - start;
      byte[] to = buffer;
      if (held + more > buffer.length) {
        to = new byte[Math.max(held + more, Math.min(2 * buffer.length, 1 << 20))];
      }
      System.arraycopy(buffer, start, to, 0, held);
      buffer = to;
      start = 0;
      end = held;
    }
    bytes.get(buffer, end, more);
    end += more;
  }

  /** Returns the next complete message; null if it is not complete yet. */
  @Nullable Message next() throws ProtocolException {
    if (end - start < Message.HEADER) {
      shrink();
      return null;
    }
    ByteBuffer header = ByteBuffer.wrap(buffer, start, Message.HEADER);
    int length = header.getInt();
    int stream = header.getInt();
    int type = header.get();
    int flags = header.get() & 0xff;
    if (length < 0 || length > Message.MAX_DATA) {
      throw new ProtocolException(
          "ttrpc message on stream %s: expected at most %d bytes of data, its header says %s"
              .formatted(
                  Integer.toUnsignedString(stream),
                  Message.MAX_DATA,
                  Integer.toUnsignedString(length)));
    }
    if (end - start - Message.HEADER < length) {
      return null;
    }
    int from = start + Message.HEADER;
    ByteBuffer data = ByteBuffer.wrap(Arrays.copyOfRange(buffer, from, from + length));
    start = from + length;
    return new Message(stream, type, flags, data);
  }

  private void shrink() {
    if (start == end) {
      start = 0;
      end = 0;
      if (buffer.length > 1 << 16) {
        buffer = new byte[4096];
      }
    }
  }
}
