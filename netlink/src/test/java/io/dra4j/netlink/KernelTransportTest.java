package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The kernel itself, asked for links. */
class KernelTransportTest {

  private static final String MAY = "io.dra4j.linux.Privileges#canMakeNamespaces";

  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;

  private static List<Integer> linkIndices(NetlinkSocket socket) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETLINK, 0, AttributeTable.NONE, "list links").appendZeros(16);
    return socket.dump(request, RTM_NEWLINK, message -> message.u32(4));
  }

  @Test
  void linksOfThisNamespaceAreThoseOfProc() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      long lines = Files.readString(Path.of("/proc/thread-self/net/dev")).lines().count();

      assertThat(linkIndices(socket)).hasSize((int) lines - 2); // two lines of headings
    }
  }

  @Test
  @EnabledIf(MAY)
  void aSocketStaysInTheNamespaceItWasOpenedIn() throws IOException {
    NetlinkSocket socket;
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      socket = NetlinkSocket.open(NetlinkSocket.ROUTE, namespace);
    }
    try (socket) {
      assertThat(linkIndices(socket)).contains(1);
    }
  }

  /** JDK 25 wakes an interrupted thread after letting go of it: it may have closed the socket. */
  @Test
  void whoWakesTooLateDisturbsNobody() throws IOException {
    KernelTransport transport = KernelTransport.open(NativeAccess.system(), NetlinkSocket.ROUTE);
    assertThatExceptionOfType(TransportException.class)
        .isThrownBy(() -> transport.receive(1_000_000)); // has what it is woken by now
    transport.close();
    List<FileDescriptor> next = new ArrayList<>();
    for (int i = 0; i < 8; i++) { // those numbers again
      int counter = NativeAccess.system().eventDescriptor(Architecture.O_NONBLOCK);
      next.add(new FileDescriptor(NativeAccess.system(), counter));
    }

    transport.wake();

    ByteBuffer count = ByteBuffer.allocateDirect(8);
    for (FileDescriptor counter : next) {
      try (counter) {
        long address = NativeAccess.system().address(count);
        assertThat(NativeAccess.system().read(counter.number(), address, 8))
            .isEqualTo(-Errno.EAGAIN.code());
      }
    }
  }

  @Test
  void theKernelSaysWhatIsWrong() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      MessageWriter request =
          socket.request(RTM_GETLINK, 0, AttributeTable.NONE, "list links of family 255");

      assertThatExceptionOfType(NetlinkException.Refused.class)
          .isThrownBy(
              () ->
                  socket.dump(
                      request.appendZeros(4).appendU32(-1).appendZeros(8), RTM_NEWLINK, m -> m))
          .withMessageStartingWith("list links of family 255: EINVAL, kernel says: ");
    }
  }

  @Test
  void protocolsThatTheKernelLacksAreUnsupported() {
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> NetlinkSocket.open(31))
        .withMessage("open a netlink socket of protocol 31: EPROTONOSUPPORT");
  }

  @Test
  void waitingEndsWithItsTime() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      assertThat(socket.receive(Duration.ofMillis(20), message -> {})).isFalse();
      assertThat(socket.receive(Duration.ZERO, message -> {})).isFalse();
    }
  }

  @Test
  void closingASocketWakesWhoWaitsOnIt() throws Exception {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE);
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                socket.receive(Duration.ofMinutes(5), message -> {});
                outcome.complete(new AssertionError("no exception"));
              } catch (IOException | RuntimeException e) {
                outcome.complete(e);
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    socket.close();

    assertThat(outcome.get()).isInstanceOf(NetlinkException.Closed.class);
    assertThatExceptionOfType(NetlinkException.Closed.class).isThrownBy(() -> linkIndices(socket));
    socket.close();
  }

  @Test
  void closedSocketsLeaveNoDescriptorBehind() throws IOException {
    linkIndices(NetlinkSocket.open(NetlinkSocket.ROUTE)); // warm up
    long before = descriptors();
    for (int i = 0; i < 200; i++) {
      try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
        linkIndices(socket);
        socket.receive(Duration.ZERO, message -> {});
      }
    }

    assertThat(descriptors()).isLessThan(before + 100);
  }

  @Test
  void closingASocketLeavesTheDatagramAloneThatIsBeingRead() throws IOException {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE);
    MessageWriter request = socket.request(RTM_GETLINK, 0, AttributeTable.NONE, "get link 1");
    request.appendZeros(4).appendU32(1).appendZeros(8);

    boolean untouched =
        socket.get(
            request,
            RTM_NEWLINK,
            message -> {
              List<Integer> before = payload(message);
              socket.close();
              receiveSomethingElse();
              return before.equals(payload(message));
            });

    assertThat(untouched).isTrue();
  }

  private static void receiveSomethingElse() {
    try (NetlinkSocket another = NetlinkSocket.open(NetlinkSocket.GENERIC)) {
      linkIndices(another);
      throw new AssertionError("this protocol knows links");
    } catch (NetlinkException e) {
      assertThat(e.errno()).isNotZero();
    }
  }

  private static List<Integer> payload(Message message) throws NetlinkException.Malformed {
    List<Integer> bytes = new ArrayList<>();
    for (int i = 0; i < message.length(); i++) {
      bytes.add(message.u8(i));
    }
    return bytes;
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  @Test
  void aGroupThatDoesNotExistCannotBeJoined() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      assertThatExceptionOfType(NetlinkException.TransportFailed.class)
          .isThrownBy(() -> socket.join(10_000))
          .withMessage("join netlink group 10000: join group 10000: EINVAL")
          .matches(e -> e.errno() == Errno.EINVAL.code());
    }
  }

  @Test
  void whatIsRecordedCanBePlayed() throws IOException {
    String recording;
    List<Integer> links;
    try (RecordingTransport transport = RecordingTransport.open(NetlinkSocket.ROUTE);
        NetlinkSocket socket = NetlinkSocket.over(transport)) {
      linkIndices(socket);
      links = linkIndices(socket);
      recording = transport.recording();
    }
    try (NetlinkSocket socket = NetlinkSocket.over(RecordedTransport.parse(recording))) {
      assertThat(linkIndices(socket)).isEqualTo(links);
      assertThat(linkIndices(socket)).isEqualTo(links);
    }
  }
}
