package io.dra4j.netlink.fuzz;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.Transport;
import io.dra4j.netlink.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Answers whatever is asked with given datagrams. Messages in them that say to be number {@link
 * #NUMBER} for port {@link #PORT} become answers to the last request; others stay as they are.
 */
final class ScriptedTransport implements Transport {

  static final int NUMBER = 1;
  static final int PORT = 77;

  private final Deque<byte[]> answers;
  private int number;
  private boolean closed;

  ScriptedTransport(List<byte[]> answers) {
    this.answers = new ArrayDeque<>(answers);
  }

  /** Whether the socket on top has given up. */
  boolean isClosed() {
    return closed;
  }

  /** Leaves these datagrams to receive and no others. */
  void answer(List<byte[]> datagrams) {
    answers.clear();
    answers.addAll(datagrams);
  }

  @Override
  public int port() {
    return PORT;
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    checkOpen();
    number = datagram.order(ByteOrder.nativeOrder()).getInt(datagram.position() + 8);
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    checkOpen();
    byte[] next = answers.poll();
    if (next == null) {
      throw new TransportException("receive", Errno.ETIMEDOUT.code());
    }
    ByteBuffer datagram = ByteBuffer.wrap(next.clone()).order(ByteOrder.nativeOrder());
    int at = 0;
    while (next.length - at >= 16) {
      if (datagram.getInt(at + 8) == NUMBER) {
        datagram.putInt(at + 8, number);
      }
      int length = datagram.getInt(at);
      if (length < 16 || length > next.length - at) {
        break;
      }
      at += (length + 3) & ~3;
    }
    return datagram;
  }

  private void checkOpen() throws TransportException {
    if (closed) {
      throw new TransportException("use a closed socket", Errno.EBADF.code());
    }
  }

  @Override
  public int sender() {
    return 0;
  }

  @Override
  public void join(int group) {
    // everything comes in any case
  }

  @Override
  public void close() {
    closed = true;
  }
}
