package io.dra4j.netlink;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FaultyAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be found out about conversations: warnings, recordings, events of flight recordings. */
class DiagnosisTest {

  private static final int NEW = 16;
  private static final int GET = 18;
  private static final int WITH_TEXT = MessageFlags.CAPPED | MessageFlags.ACK_ATTRIBUTES;

  private static MessageWriter request(NetlinkSocket socket, String operation) {
    return socket.request(GET, 0, AttributeTable.NONE, operation);
  }

  @Test
  void aWarningAboutAChangeReachesTheCallerWhoMayAskFurther() throws IOException {
    NetlinkSocket socket =
        NetlinkSocket.over(
            new Recording()
                .sent(GET, MessageFlags.ACK)
                .received(
                    MessageFlags.ERROR,
                    WITH_TEXT,
                    u32(0),
                    new byte[16],
                    attribute(1, text("quantum of class is small\n")))
                .sent(GET, MessageFlags.ACK)
                .answered(0)
                .play());
    List<NetlinkWarning> warnings = new ArrayList<>();
    socket.onWarning(
        warning -> {
          warnings.add(warning);
          try {
            socket.execute(request(socket, "ask further"));
          } catch (NetlinkException e) {
            throw new AssertionError(e);
          }
        });

    socket.execute(request(socket, "make a class"));

    assertThat(warnings)
        .containsExactly(new NetlinkWarning("make a class", "quantum of class is small", ""));
    assertThat(warnings.get(0)).hasToString("make a class: kernel says: quantum of class is small");
  }

  @Test
  void aWarningAtTheEndOfADumpReachesTheCaller() throws IOException {
    NetlinkSocket socket =
        NetlinkSocket.over(
            new Recording()
                .sent(GET, MessageFlags.DUMP)
                .received(NEW, MessageFlags.MULTI, u32(7))
                .received(
                    MessageFlags.DONE,
                    MessageFlags.MULTI | MessageFlags.ACK_ATTRIBUTES,
                    u32(0),
                    attribute(1, text("some were left out")))
                .play());
    List<NetlinkWarning> warnings = new ArrayList<>();
    socket.onWarning(warnings::add);

    List<Integer> found = socket.dump(request(socket, "list"), NEW, message -> message.u32(0));

    assertThat(found).containsExactly(7);
    assertThat(warnings).extracting(NetlinkWarning::text).containsExactly("some were left out");
  }

  @Test
  void whatTheKernelCannotPutIntoOneMessageIsItsLimit() {
    NetlinkSocket socket =
        NetlinkSocket.over(
            new Recording()
                .sent(GET, MessageFlags.DUMP)
                .received(MessageFlags.DONE, MessageFlags.MULTI, u32(-90))
                .play());

    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(() -> socket.dump(request(socket, "list routes"), NEW, message -> message))
        .withMessage("list routes: EMSGSIZE: more than the kernel puts into one message");
  }

  @Test
  void aMessageThatAsksForNoAnswerWaitsForNone() throws IOException {
    RecordedTransport recorded =
        new Recording().sent(GET, 0).sent(GET, 0).answered(1).sent(GET, 0).play();
    NetlinkSocket socket = NetlinkSocket.over(recorded);

    socket.sendMessage(request(socket, "one"));
    assertThatExceptionOfType(NetlinkException.PermissionDenied.class)
        .isThrownBy(() -> socket.sendMessage(request(socket, "two")))
        .withMessage("two: EPERM");
    socket.sendMessage(request(socket, "three"));

    assertThat(recorded.isFinished()).isTrue();
  }

  @Test
  void theKernelRefusesAMessageWithoutAnswerAtOnce() throws IOException {
    try (RouteNetlink route = RouteNetlink.open()) {
      MessageWriter broken = request(route.socket(), "ask for a family that is none");
      broken.appendU8(255).appendZeros(3).appendU32(1 << 30).appendZeros(8);

      assertThatExceptionOfType(NetlinkException.class)
          .isThrownBy(() -> route.socket().sendMessage(broken));
      assertThat(route.links().list()).isNotEmpty();
    }
  }

  @Test
  void aRequestThatIsRepeatedIsNotOverwrittenByAnother() throws IOException {
    Recording recording = new Recording();
    for (int attempt = 1; attempt <= 3; attempt++) {
      int flags = MessageFlags.MULTI | (attempt < 3 ? MessageFlags.DUMP_INTERRUPTED : 0);
      recording.sent(GET, MessageFlags.DUMP, u32(1)).received(NEW, MessageFlags.MULTI, u32(1));
      recording.received(MessageFlags.DONE, flags, u32(0));
    }
    NetlinkSocket socket = NetlinkSocket.over(recording.play());
    List<MessageWriter> others = new ArrayList<>();

    List<Integer> found =
        socket.dump(
            request(socket, "list").appendU32(1),
            NEW,
            message -> {
              others.add(request(socket, "another").appendU32(99));
              return message.u32(0);
            });

    assertThat(found).containsExactly(1);
    assertThat(others).hasSize(3);
  }

  @Test
  void aLiveConversationIsRecordedFromTheMiddleAndPlayed() throws IOException {
    String text;
    List<Integer> links;
    try (NetworkNamespace namespace = NetworkNamespace.current();
        RouteNetlink route = RouteNetlink.open(namespace)) {
      route.links().list();
      RecordingTransport recording = route.socket().record();
      links = route.links().list().stream().map(link -> link.index()).toList();
      recording.stop();
      route.links().list();
      text = recording.recording();
      // Only who administers a network is told in which namespace a socket is.
      assertThat(text).matches("(?s)# netlink(, network namespace \\Q" + namespace + "\\E)?\n> .*");
    }

    RecordedTransport recorded = RecordedTransport.parse(text);
    RouteNetlink played = RouteNetlink.over(NetlinkSocket.over(recorded));
    assertThat(played.links().list()).extracting(link -> link.index()).isEqualTo(links);
    assertThat(recorded.isFinished()).isTrue();
  }

  @Test
  void aRecordingEndsWhenAnotherIsStarted() throws IOException {
    try (RouteNetlink route = RouteNetlink.open()) {
      RecordingTransport first = route.socket().record();
      route.links().list();
      RecordingTransport second = route.socket().record();
      String text = first.recording();
      route.links().list();

      assertThat(first.recording()).isEqualTo(text);
      assertThat(second.recording()).startsWith("# netlink").hasSizeGreaterThan(100);
    }
  }

  @Test
  void aFailureToSendIsRecordedAndPlayed() throws IOException {
    FaultyAccess kernel = FaultyAccess.overSystem();
    String text;
    try (RecordingTransport recording =
            RecordingTransport.open(kernel.access(), NetlinkSocket.ROUTE);
        RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(recording))) {
      kernel.failNext("send", 1, Errno.ENOBUFS);
      assertThatExceptionOfType(NetlinkException.TransportFailed.class)
          .isThrownBy(() -> route.links().list());
      route.links().list();
      text = recording.recording();
    }

    RouteNetlink played = RouteNetlink.over(NetlinkSocket.over(RecordedTransport.parse(text)));
    assertThatExceptionOfType(NetlinkException.TransportFailed.class)
        .isThrownBy(() -> played.links().list())
        .withMessage("list links: send: ENOBUFS");
    assertThat(played.links().list()).isNotEmpty();
  }

  @Test
  void aRecordingHasABound() throws IOException {
    RecordingTransport recording =
        RecordingTransport.around(
            new Recording()
                .sent(GET, MessageFlags.DUMP)
                .received(NEW, MessageFlags.MULTI, new byte[500])
                .done()
                .play(),
            400);
    NetlinkSocket socket = NetlinkSocket.over(recording);

    assertThat(socket.dump(request(socket, "list"), NEW, message -> message.length())).hasSize(1);
    assertThat(recording.recording())
        .hasSizeLessThan(600)
        .endsWith("# the recording ends here: it would be longer than 400\n");
  }

  @Test
  void bytesThatAreAnotherNumberEachTimeCanBeLeftOpen() throws IOException {
    String recorded = "> 14000000 12000100 01000000 39300000 ??0000??\n";
    NetlinkSocket alike = NetlinkSocket.over(RecordedTransport.parse(recorded));
    alike.sendMessage(request(alike, "alike").appendU32(0x7f00_0042));

    NetlinkSocket other = NetlinkSocket.over(RecordedTransport.parse(recorded));
    MessageWriter different = request(other, "different").appendU32(0x7f00_4200);
    assertThatIllegalStateException().isThrownBy(() -> other.sendMessage(different));
  }

  @Test
  void requestsAreEventsOfFlightRecordings(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("requests.jfr");
    String here;
    try (jdk.jfr.Recording recording = new jdk.jfr.Recording();
        NetworkNamespace namespace = NetworkNamespace.current();
        RouteNetlink route = RouteNetlink.open(namespace)) {
      here = namespace.toString();
      recording.enable("io.dra4j.netlink.Request");
      recording.start();
      route.links().list();
      assertThatExceptionOfType(NetlinkException.NotFound.class)
          .isThrownBy(() -> route.links().get("no-such-link"));
      recording.stop();
      recording.dump(file);
    }

    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.dra4j.netlink.Request"))
            .toList();
    assertThat(events).hasSize(2);
    RecordedEvent list = events.get(0);
    assertThat(list.getString("operation")).isEqualTo("list links");
    assertThat(list.getString("namespace")).isEqualTo(here);
    assertThat(list.getInt("errno")).isZero();
    assertThat(list.getString("failure")).isEmpty();
    assertThat(list.getInt("replies")).isPositive();
    assertThat(list.getDuration()).isPositive();
    RecordedEvent get = events.get(1);
    assertThat(get.getString("operation")).isEqualTo("get link no-such-link");
    assertThat(get.getInt("errno")).isEqualTo(Errno.ENODEV.code());
    assertThat(get.getString("failure")).contains("ENODEV");
  }
}
