package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Replays a recorded conversation, so that code on top of {@link NetlinkSocket} can be tested
 * without a kernel, devices or privileges. The recording is text, one datagram per line in
 * hexadecimal:
 *
 * <pre>
 * # a comment
 * &gt; 14000000 12000103 01000000 39300000      sent to the kernel
 * &gt; 14000000 12000103 01000000 39300000 08002c00 ????????   any value in some bytes
 * &gt;! 105 14000000 ...                        sending it fails with this error number
 * &lt; 14000000 03000200 01000000 39300000 ...  received from it
 * &lt; @77 14000000 ...                          received from port 77
 * ! 105                                        receiving fails with this error number
 * </pre>
 *
 * Sequence numbers and ports may differ from the recorded ones: requests are compared without them,
 * and answers get the values of the request. Numbers are in the byte order of the recording
 * machine. Question marks stand for bytes that differ each time, such as the number of a file
 * descriptor, and are inserted by hand. Joining a group is not recorded, and always succeeds.
 *
 * <p>Recordings are created by {@link RecordingTransport}. A test that replays one:
 *
 * <pre>{@code
 * String text = Files.readString(path);
 * try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(RecordedTransport.parse(text)))) {
 *   assertThat(route.links().list()).hasSize(3);
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class RecordedTransport implements Transport {

  private static final int PORT = 12_345;

  private final Deque<Entry> entries;
  private final AtomicBoolean closed = new AtomicBoolean();
  private int sequence;
  private int recordedSequence;
  private int recordedPort;
  private int sender;

  private RecordedTransport(List<Entry> entries) {
    this.entries = new ArrayDeque<>(entries);
  }

  /**
   * {@return a transport that replays a recording from the beginning}
   *
   * @param text the recording
   * @throws IllegalArgumentException if a line is not as described; the message has its number
   */
  public static RecordedTransport parse(String text) {
    List<Entry> entries = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      String trimmed = line.strip();
      if (!trimmed.isEmpty() && trimmed.charAt(0) != '#') {
        try {
          entries.add(Entry.parse(trimmed));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
      }
    }
    return new RecordedTransport(entries);
  }

  /** {@return whether everything was replayed; false if something is left to send or receive} */
  public boolean isFinished() {
    return entries.isEmpty();
  }

  @Override
  public int port() {
    return PORT;
  }

  @Override
  public int sender() {
    return sender;
  }

  @Override
  public void join(int group) {
    // recorded datagrams arrive in any case
  }

  /**
   * Compares a datagram with the recording.
   *
   * @throws IllegalStateException if the recording has another datagram at this place
   */
  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    checkOpen();
    byte[] sent = new byte[datagram.remaining()];
    datagram.duplicate().get(sent);
    Entry expected = entries.poll();
    if (expected == null || expected.direction != '>') {
      throw new IllegalStateException("sent " + hex(sent) + ", which is not in the recording");
    }
    ByteBuffer header = ordered(sent);
    sequence = header.getInt(8);
    recordedSequence = ordered(expected.bytes).getInt(8);
    recordedPort = ordered(expected.bytes).getInt(12);
    byte[] comparable = sent.clone();
    ordered(comparable).putInt(8, recordedSequence).putInt(12, recordedPort);
    if (!expected.isLike(comparable)) {
      throw new IllegalStateException(
          "sent     " + hex(comparable) + "\nrecorded " + hex(expected.bytes));
    }
    if (expected.number != 0) {
      throw new TransportException("send", expected.number);
    }
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    checkOpen();
    Entry next = entries.peek();
    if (next == null || next.direction == '>') {
      throw new TransportException("receive", Errno.ETIMEDOUT.code());
    }
    entries.remove();
    if (next.direction == '!') {
      throw new TransportException("receive", next.number);
    }
    sender = next.number;
    return addressed(next.bytes.clone());
  }

  /** Replaces the recorded sequence number and port by the values of this conversation. */
  private ByteBuffer addressed(byte[] bytes) {
    ByteBuffer datagram = ordered(bytes);
    int at = 0;
    while (bytes.length - at >= 16) {
      if (datagram.getInt(at + 8) == recordedSequence && recordedSequence != 0) {
        datagram.putInt(at + 8, sequence);
      }
      if (datagram.getInt(at + 12) == recordedPort && recordedPort != 0) {
        datagram.putInt(at + 12, PORT);
      }
      int length = datagram.getInt(at);
      if (length < 16 || length > bytes.length - at) {
        break;
      }
      at += (length + 3) & ~3;
    }
    return datagram;
  }

  private static ByteBuffer ordered(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private void checkOpen() throws TransportException {
    if (closed.get()) {
      throw new TransportException("use a closed socket", Errno.EBADF.code());
    }
  }

  @Override
  public void close() {
    closed.set(true);
  }

  static String hex(byte[] bytes) {
    String digits = HexFormat.of().formatHex(bytes);
    StringBuilder text = new StringBuilder(digits.length() * 9 / 8 + 1);
    for (int i = 0; i < digits.length(); i += 8) {
      text.append(i == 0 ? "" : " ").append(digits, i, Math.min(i + 8, digits.length()));
    }
    return text.toString();
  }

  /** A line of a recording; the number is the sender or the error, the mask 0 for any byte. */
  private static final class Entry {

    private final char direction;
    private final int number;
    private final byte[] bytes;
    private final byte[] mask;

    private Entry(char direction, int number, byte[] bytes, byte[] mask) {
      this.direction = direction;
      this.number = number;
      this.bytes = bytes;
      this.mask = mask;
    }

    boolean isLike(byte[] others) {
      boolean equal = others.length == bytes.length;
      for (int i = 0; equal && i < bytes.length; i++) {
        equal = ((others[i] ^ bytes[i]) & mask[i]) == 0;
      }
      return equal;
    }

    static Entry parse(String line) {
      String rest = line.substring(1).strip();
      char direction = line.charAt(0);
      int number = 0;
      switch (direction) {
        case '!' -> {
          return new Entry(direction, Integer.parseInt(rest), new byte[0], new byte[0]);
        }
        case '<' -> {
          if (rest.startsWith("@")) {
            int end = rest.indexOf(' ');
            number = Integer.parseUnsignedInt(rest, 1, Math.max(1, end), 10);
            rest = rest.substring(end);
          }
        }
        case '>' -> {
          if (rest.startsWith("!")) {
            rest = rest.substring(1).strip();
            int end = rest.indexOf(' ');
            number = Integer.parseInt(rest, 0, Math.max(0, end), 10);
            rest = rest.substring(end);
          }
          if (rest.replace(" ", "").length() < 32) {
            throw new IllegalArgumentException("a request has at least 16 bytes");
          }
        }
        default -> throw new IllegalArgumentException("begins with " + direction + ", not < > ! #");
      }
      String digits = rest.replace(" ", "");
      byte[] mask =
          HexFormat.of().parseHex(digits.replaceAll("[0-9a-fA-F]", "f").replace('?', '0'));
      return new Entry(direction, number, HexFormat.of().parseHex(digits.replace('?', '0')), mask);
    }
  }
}
