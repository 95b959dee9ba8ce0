package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FaultyAccess;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.NativeAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors that pass leave the socket usable, and descriptors open until the kernel has them. */
class TransientErrorTest {

  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;

  private final FaultyAccess kernel = FaultyAccess.overSystem();

  private static List<Integer> linkIndices(NetlinkSocket socket) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETLINK, 0, AttributeTable.NONE, "list links").appendZeros(16);
    return socket.dump(request, RTM_NEWLINK, message -> message.u32(4));
  }

  @ParameterizedTest
  @EnumSource(names = {"ENOBUFS", "ENOMEM", "EAGAIN", "ECONNREFUSED"})
  void whatCannotBeSentOnceCanBeSentAgain(Errno errno) throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(kernel.access(), NetlinkSocket.ROUTE)) {
      List<Integer> links = linkIndices(socket);
      kernel.failNext("send", 1, errno);

      assertThatExceptionOfType(NetlinkException.TransportFailed.class)
          .isThrownBy(() -> linkIndices(socket))
          .withMessage("list links: send: " + errno)
          .matches(e -> e.errno() == errno.code());
      assertThat(linkIndices(socket)).isEqualTo(links);
    }
  }

  @Test
  void aSendThatASignalEndedIsRepeated() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(kernel.access(), NetlinkSocket.ROUTE)) {
      kernel.failNext("send", 3, Errno.EINTR);

      assertThat(linkIndices(socket)).isNotEmpty();
      assertThat(kernel.failures()).isEqualTo(3);
    }
  }

  @Test
  void anAnswerThatCouldNotBeReceivedOnceIsDropped() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(kernel.access(), NetlinkSocket.ROUTE)) {
      List<Integer> links = linkIndices(socket);
      kernel.failNext("receive", 1, Errno.ENOMEM);

      assertThatExceptionOfType(NetlinkException.TransportFailed.class)
          .isThrownBy(() -> linkIndices(socket))
          .withMessage("list links: receive: ENOMEM");
      assertThat(linkIndices(socket)).isEqualTo(links);
    }
  }

  @Test
  void aSocketThatCannotReceiveAnyMoreIsClosed() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(kernel.access(), NetlinkSocket.ROUTE)) {
      kernel.failNext("receive", 100, Errno.ENOMEM);
      assertThatExceptionOfType(NetlinkException.TransportFailed.class)
          .isThrownBy(() -> linkIndices(socket));
      kernel.reset();

      assertThatExceptionOfType(NetlinkException.Closed.class)
          .isThrownBy(() -> linkIndices(socket));
    }
  }

  private static FileDescriptor open() throws IOException {
    return FileDescriptor.open(NativeAccess.system(), "/proc/self/ns/net", 0);
  }

  private static boolean isThere(int number) {
    return Files.isSymbolicLink(Path.of("/proc/self/fd/" + number));
  }

  @Test
  void aDescriptorInARequestIsOpenUntilTheKernelHasIt() throws IOException {
    FileDescriptor descriptor = open();
    int number = descriptor.number();
    Sending transport = new Sending(number, descriptor::close);
    MessageWriter request = request(NetlinkSocket.over(transport), descriptor);

    assertThatExceptionOfType(NetlinkException.TransportFailed.class)
        .isThrownBy(() -> NetlinkSocket.over(transport).execute(request));
    assertThat(transport.openWhenSent).isTrue();
    assertThat(isThere(number)).isFalse();
  }

  @Test
  void aDescriptorThatNobodyElseHasIsNotCleanedUpBeforeItIsSent() throws IOException {
    Sending[] transport = new Sending[1];
    MessageWriter request = requestWithUnownedDescriptor(transport);

    assertThatExceptionOfType(NetlinkException.TransportFailed.class)
        .isThrownBy(() -> NetlinkSocket.over(transport[0]).execute(request));
    assertThat(transport[0].openWhenSent).isTrue();
  }

  private static MessageWriter requestWithUnownedDescriptor(Sending[] transport)
      throws IOException {
    FileDescriptor descriptor = open();
    transport[0] = new Sending(descriptor.number(), TransientErrorTest::collectGarbage);
    return request(NetlinkSocket.over(transport[0]), descriptor);
  }

  private static void collectGarbage() {
    try {
      for (int i = 0; i < 5; i++) {
        System.gc();
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDescriptorThatWasClosedBeforeIsNotSent() throws IOException {
    FileDescriptor descriptor = open();
    Sending transport = new Sending(descriptor.number(), () -> {});
    MessageWriter request = request(NetlinkSocket.over(transport), descriptor);
    descriptor.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> NetlinkSocket.over(transport).execute(request));
    assertThat(transport.sent).isFalse();
  }

  private static MessageWriter request(NetlinkSocket socket, FileDescriptor descriptor) {
    return socket
        .request(RTM_GETLINK, 0, AttributeTable.NONE, "hand over a namespace")
        .putDescriptor(1, descriptor);
  }

  /** Does something while a message is sent, and looks whether a descriptor is open. */
  private static final class Sending implements Transport {

    private final int number;
    private final Runnable work;
    private boolean sent;
    private boolean openWhenSent;

    Sending(int number, Runnable work) {
      this.number = number;
      this.work = work;
    }

    @Override
    public void send(ByteBuffer datagram) throws TransportException {
      sent = true;
      work.run();
      openWhenSent = isThere(number);
      throw new TransportException("send", Errno.ENOBUFS.code());
    }

    @Override
    public int port() {
      return 1;
    }

    @Override
    public ByteBuffer receive(long nanoseconds) {
      throw new AssertionError("nothing was sent");
    }

    @Override
    public int sender() {
      return 0;
    }

    @Override
    public void join(int group) {}

    @Override
    public void close() {}
  }
}
