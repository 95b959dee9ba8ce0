package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations that are written down here; numbers as on a little-endian machine. */
class NetlinkSocketTest {

  private static final AttributeTable NAMES =
      AttributeTable.of("A_", "ONE TWO").with("TWO", AttributeTable.of("B_", "FIRST"));

  private static final String DUMP = "> 10000000 1200 0103 01000000 39300000\n";
  private static final String GET = "> 10000000 1200 0100 01000000 39300000\n";
  private static final String CHANGE = "> 18000000 1200 0500 01000000 39300000 08000100 07000000\n";

  /** Datagrams with one reply of number 5, number 6, and the end. */
  private static final String FIVE = "14000000 1000 0200 01000000 39300000 05000000 ";

  private static final String SIX = "14000000 1000 0200 01000000 39300000 06000000 ";
  private static final String DONE = "14000000 0300 0200 01000000 39300000 00000000 ";
  private static final String SINGLE = "14000000 1000 0000 01000000 39300000 05000000 ";
  private static final String ACK =
      "24000000 0200 0001 01000000 39300000 00000000 18000000 12000500 01000000 39300000";

  private static List<Integer> dump(NetlinkSocket socket) throws NetlinkException {
    return socket.dump(socket.request(18, 0, NAMES, "list numbers"), 16, message -> message.u32(0));
  }

  private static int get(NetlinkSocket socket) throws NetlinkException {
    return socket.get(socket.request(18, 0, NAMES, "get number"), 16, message -> message.u32(0));
  }

  private static void change(NetlinkSocket socket) throws NetlinkException {
    socket.execute(socket.request(18, 0, NAMES, "set one to 7").putU32(1, 7));
  }

  private static NetlinkSocket play(String recording) {
    return NetlinkSocket.over(RecordedTransport.parse(recording));
  }

  @Test
  void aDumpIsEveryReplyUpToTheEnd() throws NetlinkException {
    assertThat(dump(play(DUMP + "< " + FIVE + SIX + "\n< " + DONE))).containsExactly(5, 6);
  }

  @Test
  void theEndMayShareADatagramWithReplies() throws NetlinkException {
    assertThat(dump(play(DUMP + "< " + FIVE + DONE))).containsExactly(5);
  }

  @Test
  void anEndWithoutErrorNumberIsAnEnd() throws NetlinkException {
    assertThat(dump(play(DUMP + "< 10000000 0300 0200 01000000 39300000"))).isEmpty();
  }

  @Test
  void aDumpThatChangedIsReadAgain() throws NetlinkException {
    String changed = "14000000 1000 1200 01000000 39300000 05000000 ";

    assertThat(dump(play(DUMP + "< " + changed + "\n< " + DONE + "\n" + DUMP + "< " + SIX + DONE)))
        .containsExactly(6);
  }

  @Test
  void aDumpThatChangesAgainAndAgainIsGivenUp() {
    String changed = DUMP + "< " + FIVE + "14000000 0300 1200 01000000 39300000 00000000\n";

    assertThatExceptionOfType(NetlinkException.DumpInterrupted.class)
        .isThrownBy(() -> dump(play(changed.repeat(41))))
        .withMessage("list numbers: changed during each of 40 attempts to read it");
  }

  @Test
  void aDumpAmidChangesIsWhatTheSecondAttemptFinds() throws NetlinkException {
    String changed = "14000000 1000 1200 01000000 39300000 05000000 ";
    NetlinkSocket socket =
        play((DUMP + "< " + changed + "\n< " + SIX + DONE + "\n").repeat(2) + DUMP + "< " + DONE);

    assertThat(
            socket.dumpAmidChanges(
                socket.request(18, 0, NAMES, "list numbers"), 16, message -> message.u32(0)))
        .containsExactly(5, 6);
    assertThat(dump(socket)).isEmpty();
  }

  @Test
  void anErrorAtTheEndOfADumpFailsIt() {
    String refused = "14000000 0300 0200 01000000 39300000 eaffffff";

    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(() -> dump(play(DUMP + "< " + FIVE + "\n< " + refused)))
        .withMessage("list numbers: EINVAL");
  }

  @Test
  void theEndOfADumpMayExplainItsError() {
    String refused =
        "1c000000 0300 0202 01000000 39300000 eaffffff 07000100 6e6f0a00"; // "no", line feed

    NetlinkException failure =
        catchThrowableOfType(NetlinkException.class, () -> dump(play(DUMP + "< " + refused)));

    assertThat(failure.kernelText()).isEqualTo("no");
  }

  @Test
  void oneReplyNeedsNoEnd() throws NetlinkException {
    assertThat(get(play(GET + "< " + SINGLE))).isEqualTo(5);
  }

  @Test
  void aReplyThatIsLeftOutWasNotFound() {
    NetlinkSocket socket = play(GET + "< " + SINGLE);

    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> socket.get(socket.request(18, 0, NAMES, "get it"), 16, message -> null));
  }

  @Test
  void aChangeIsOverWhenItIsAcknowledged() throws NetlinkException {
    RecordedTransport transport = RecordedTransport.parse(CHANGE + "< " + ACK);
    change(NetlinkSocket.over(transport));

    assertThat(transport.isFinished()).isTrue();
  }

  @Test
  void refusalsTellTheKernelsWordsAndTheAttribute() {
    String refusal =
        "40000000 0200 0003 01000000 39300000 eaffffff 18000000 12000500 01000000 39300000"
            + " 0c000100 746f6f20 6d756300 08000200 10000000 08000500 02000000";

    NetlinkException failure =
        catchThrowableOfType(NetlinkException.class, () -> change(play(CHANGE + "< " + refusal)));

    assertThat(failure)
        .isInstanceOf(NetlinkException.Refused.class)
        .hasMessage(
            "set one to 7: EINVAL, kernel says: too muc (A_ONE), attribute A_TWO is missing");
    assertThat(failure.errnoName()).isEqualTo("EINVAL");
    assertThat(failure.attribute()).hasValue("A_ONE");
    assertThat(failure.missingAttribute()).hasValue("A_TWO");
  }

  @Test
  void aRefusalMayRepeatTheWholeRequest() {
    String refusal =
        "38000000 0200 0002 01000000 39300000 eaffffff 18000000 12000500 01000000 39300000"
            + " 08000100 07000000 0c000100 746f6f20 6d756300";

    NetlinkException failure =
        catchThrowableOfType(NetlinkException.class, () -> change(play(CHANGE + "< " + refusal)));

    assertThat(failure.kernelText()).isEqualTo("too muc");
  }

  @ParameterizedTest
  @CsvSource({
    "fe, NotFound",
    "ed, NotFound",
    "fd, NotFound",
    "ef, Exists",
    "ff, PermissionDenied",
    "f3, PermissionDenied",
    "f0, Busy",
    "a1, Unsupported",
    "ea, Refused",
  })
  void kindsFollowErrorNumbers(String low, String kind) {
    String refusal =
        "24000000 0200 0001 01000000 39300000 "
            + low
            + "ffffff 18000000 12000500 01000000 39300000";

    NetlinkException failure =
        catchThrowableOfType(NetlinkException.class, () -> change(play(CHANGE + "< " + refusal)));

    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "14000000 1000 0200 02000000 39300000 05000000 ", // another request's answer
        "14000000 1000 0200 01000000 3a300000 05000000 ", // another socket's answer
        "14000000 1100 0200 01000000 39300000 05000000 ", // another type
        "12000000 1000 0200 01000000 39300000 05000000 ", // too short for its number
        "20000000 1000 0200 01000000 39300000 05000000 \n< ", // longer than its datagram
        "0c000000 1000 0200 01000000 39300000 05000000 \n< ", // shorter than its header
        "0000\n< ",
        "14000000 0200 0200 01000000 39300000 01000000 ", // an error without the request
      })
  void whatIsWrongInAnAnswerIsATypedErrorAndTheSocketCanBeUsedFurther(String wrong)
      throws NetlinkException {
    NetlinkSocket socket =
        play(DUMP + "< " + FIVE + "\n< " + wrong + DONE + "\n" + DUMP + "< " + SIX + DONE);

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> dump(socket))
        .withMessageStartingWith("list numbers: ");
    assertThat(dump(socket)).containsExactly(6);
  }

  @Test
  void whoIsNotTheKernelIsNotBelieved() throws NetlinkException {
    NetlinkSocket socket =
        play(DUMP + "< @77 " + FIVE + "\n< " + DONE + "\n" + DUMP + "< " + SIX + DONE);

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> dump(socket))
        .withMessage("list numbers: a datagram from port 77, which is not the kernel");
    assertThat(dump(socket)).containsExactly(6);
  }

  @Test
  void anAnswerWhoseEndIsMissingClosesTheSocket() {
    NetlinkSocket socket = play(DUMP + "< " + FIVE + "\n" + DUMP);

    assertThatExceptionOfType(NetlinkException.TimedOut.class)
        .isThrownBy(() -> dump(socket))
        .withMessage("list numbers: no answer in time");
    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> dump(socket))
        .withMessage("list numbers: the socket is closed");
  }

  @Test
  void theFirstOfSeveralFailuresIsTold() {
    NetlinkSocket socket = play(DUMP + "< @77 " + FIVE);

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> dump(socket))
        .withMessageContaining("port 77")
        .satisfies(e -> assertThat(e).hasSuppressedException(e.getSuppressed()[0]));
  }

  @Test
  void lostMessagesAreAnOverrun() throws NetlinkException {
    NetlinkSocket socket =
        play(DUMP + "< " + FIVE + "\n! 105\n< " + DONE + "\n" + DUMP + "< " + SIX + DONE);

    assertThatExceptionOfType(NetlinkException.Overrun.class).isThrownBy(() -> dump(socket));
    assertThat(dump(socket)).containsExactly(6);
  }

  @Test
  void anAnswerThatWasCutOffIsAskedForAgain() throws NetlinkException {
    assertThat(dump(play(DUMP + "! 90\n< " + DONE + "\n" + DUMP + "< " + FIVE + DONE)))
        .containsExactly(5);
    assertThat(get(play(GET + "! 90\n" + GET + "< " + SINGLE))).isEqualTo(5);
  }

  @Test
  void aHandlerThatThrowsLeavesTheSocketUsable() throws NetlinkException {
    NetlinkSocket socket =
        play(DUMP + "< " + FIVE + "\n< " + SIX + DONE + "\n" + DUMP + "< " + SIX + DONE);

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(
            () ->
                socket.dump(
                    socket.request(18, 0, NAMES, "list"),
                    16,
                    message -> {
                      throw new UnsupportedOperationException();
                    }));
    assertThat(dump(socket)).containsExactly(6);
  }

  @Test
  void aHandlerMayNotUseItsOwnSocket() {
    NetlinkSocket socket = play(DUMP + "< " + FIVE + DONE);

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                socket.dump(
                    socket.request(18, 0, NAMES, "list"),
                    16,
                    message -> {
                      try {
                        return get(socket);
                      } catch (NetlinkException e) {
                        return 0;
                      }
                    }))
        .withMessageContaining("handler");
  }

  @Test
  void aRequestMayBeMadeWhileAnotherIsWritten() throws NetlinkException {
    NetlinkSocket socket = play(GET + "< " + SINGLE + "\n" + CHANGE + "< " + ACK);
    MessageWriter change = socket.request(18, 0, NAMES, "set one to 7");
    get(socket);
    socket.execute(change.putU32(1, 7));
  }

  @Test
  void notificationsComeWithoutBeingAskedFor() throws NetlinkException {
    NetlinkSocket socket = play("< 14000000 1000 0000 00000000 00000000 05000000\n! 105\n");
    int[] seen = {0};

    assertThat(socket.receive(Duration.ZERO, message -> seen[0] += message.u32(0))).isTrue();
    assertThatExceptionOfType(NetlinkException.Overrun.class)
        .isThrownBy(() -> socket.receive(Duration.ZERO, message -> {}));
    assertThat(socket.receive(Duration.ZERO, message -> {})).isFalse();
    assertThat(seen[0]).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "'# ok\n> 00', line 2: a request has at least 16 bytes",
    "'x 00', 'line 1: begins with x, not < > ! #'",
    "'< 0', 'line 1: '",
    "'! x', 'line 1: '",
    "'< @ 00', 'line 1: '",
  })
  void recordingsThatCannotBeReadAreRefused(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordedTransport.parse(text))
        .withMessageStartingWith(problem);
  }

  @Test
  void aRequestThatIsNotRecordedIsShownBesideTheOneThatIs() {
    assertThatIllegalStateException()
        .isThrownBy(() -> get(play(DUMP)))
        .withMessage(
            "sent     10000000 12000100 01000000 39300000\n"
                + "recorded 10000000 12000103 01000000 39300000");
  }
}
