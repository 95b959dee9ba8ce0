package io.dra4j.netlink.fuzz;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.RecordedTransport;
import io.dra4j.netlink.route.ObjectKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Lets bytes answer every question that is asked of the kernel. The first byte chooses the {@link
 * Question}, the rest are datagrams, each after its length in two bytes. Whatever they are:
 *
 * <ul>
 *   <li>the answer is an object all of whose methods work, or a {@link NetlinkException};
 *   <li>it does not depend on what follows a message: each message in a datagram of its own, where
 *       reading on would fail, gives the same;
 *   <li>after a failure the socket is closed, or the next question is answered.
 * </ul>
 *
 * Jazzer finds the bytes; the entry point needs nothing of it.
 */
public final class DecoderFuzzer {

  static final List<Question> QUESTIONS = Question.all();

  private static final int MAX_DATAGRAMS = 64;
  private static final int MAX_MESSAGES = 500;

  /** {@code NLMSG_DONE}: there are no links. */
  private static final byte[] NOTHING = message(3, 2, new byte[4]);

  private DecoderFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    int choice = Byte.toUnsignedInt(input[0]) % (QUESTIONS.size() + 1);
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    if (choice == QUESTIONS.size()) {
      parseRecording(rest);
    } else {
      converse(QUESTIONS.get(choice), datagrams(rest));
    }
  }

  /** An input of {@link #fuzzerTestOneInput}. */
  static byte[] input(Question question, List<byte[]> datagrams) {
    int size = 1 + datagrams.stream().mapToInt(datagram -> 2 + datagram.length).sum();
    ByteBuffer input = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    input.put((byte) QUESTIONS.indexOf(question));
    datagrams.forEach(datagram -> input.putShort((short) datagram.length).put(datagram));
    return input.array();
  }

  private static void parseRecording(byte[] bytes) {
    try {
      RecordedTransport.parse(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      // as documented
    }
  }

  private static List<byte[]> datagrams(byte[] bytes) {
    List<byte[]> datagrams = new ArrayList<>();
    int at = 0;
    while (at + 2 <= bytes.length && datagrams.size() < MAX_DATAGRAMS) {
      int length = Byte.toUnsignedInt(bytes[at]) | Byte.toUnsignedInt(bytes[at + 1]) << 8;
      int end = Math.min(bytes.length, at + 2 + length);
      datagrams.add(Arrays.copyOfRange(bytes, at + 2, end));
      at = end;
    }
    return datagrams;
  }

  private static void converse(Question question, List<byte[]> datagrams) {
    Optional<String> answer = answer(question, datagrams);
    List<byte[]> apart = new ArrayList<>();
    // Device events are not messages. What a failure is depends on datagrams.
    if (answer.isEmpty()
        || question == Conversation.DEVICE_EVENTS
        || !datagrams.stream().allMatch(datagram -> split(datagram, apart))
        || apart.size() > MAX_MESSAGES) {
      return;
    }
    Optional<String> other = answer(question, apart);
    if (!other.equals(answer)) {
      throw new AssertionError(
          question.name() + " answers\n" + answer + "\nand message by message\n" + other);
    }
  }

  /** Cuts a datagram into its messages, if it consists of whole messages. */
  private static boolean split(byte[] datagram, List<byte[]> messages) {
    ByteBuffer buffer = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder());
    int at = 0;
    while (at < datagram.length) {
      int length = datagram.length - at < 16 ? -1 : buffer.getInt(at);
      if (length < 16 || length > datagram.length - at) {
        return false;
      }
      messages.add(Arrays.copyOfRange(datagram, at, at + length));
      at += (length + 3) & ~3;
    }
    return true;
  }

  /** Empty if it failed as it may. */
  private static Optional<String> answer(Question question, List<byte[]> datagrams) {
    List<byte[]> answers = new ArrayList<>();
    question.preface().ifPresent(answers::add);
    answers.addAll(datagrams);
    ScriptedTransport transport = new ScriptedTransport(answers);
    try (NetlinkSocket socket = NetlinkSocket.over(transport)) {
      try {
        return Optional.of(Facts.of(question.ask(socket)));
      } catch (NetlinkException e) {
        if (e.getMessage() == null || e.getMessage().isBlank()) {
          throw new AssertionError("a failure without a message", e);
        }
        checkStillUseful(transport, socket);
        return Optional.empty();
      }
    }
  }

  private static void checkStillUseful(ScriptedTransport transport, NetlinkSocket socket) {
    transport.answer(List.of(NOTHING));
    try {
      Object links = new Question.Listing(ObjectKind.LINK).ask(socket);
      if (!links.equals(List.of())) {
        throw new AssertionError("after a failure there are the links " + links);
      }
    } catch (NetlinkException.Closed e) {
      if (!transport.isClosed()) {
        throw new AssertionError("says that it is closed, but is not", e);
      }
    } catch (NetlinkException e) {
      throw new AssertionError("after a failure the next question fails", e);
    }
  }

  static byte[] message(int type, int flags, byte[] payload) {
    return ByteBuffer.allocate(16 + payload.length)
        .order(ByteOrder.nativeOrder())
        .putInt(16 + payload.length)
        .putShort((short) type)
        .putShort((short) flags)
        .putInt(ScriptedTransport.NUMBER)
        .putInt(ScriptedTransport.PORT)
        .put(payload)
        .array();
  }
}
