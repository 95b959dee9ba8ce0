package io.dra4j.netlink.rdma;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u64;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.RecordedTransport;
import io.dra4j.netlink.Recording;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Conversations as the header {@code rdma/rdma_netlink.h} says that they are. */
class RdmaNetlinkTest {

  private static final int GET = 0x1401;
  private static final int SET = 0x1402;
  private static final int PORT_GET = 0x1405;
  private static final int SYS_GET = 0x1406;
  private static final int SYS_SET = 0x1407;

  private static RdmaNetlink play(Recording recording) {
    return RdmaNetlink.over(NetlinkSocket.over(recording.play()));
  }

  @Test
  void devicesAreRead() throws NetlinkException {
    Recording recording =
        new Recording()
            .sent(GET, MessageFlags.DUMP)
            .received(
                GET,
                MessageFlags.MULTI,
                attribute(1, u32(3)),
                attribute(2, text("mlx5_0")),
                attribute(3, u32(1)),
                attribute(4, u64(0x1234_5678_9abcL)),
                attribute(5, text("28.39.1002")),
                attribute(6, u64(0x506b_4b03_00f6_a3c2L)),
                attribute(7, u64(0x506b_4b03_00f6_a3c0L)),
                attribute(14, u8(1)),
                attribute(67, text("roce")),
                attribute(84, u8(1)))
            .done();

    assertThat(play(recording).devices())
        .containsExactly(
            new RdmaDevice(
                3,
                "mlx5_0",
                1,
                1,
                0x506b_4b03_00f6_a3c2L,
                0x506b_4b03_00f6_a3c0L,
                0x1234_5678_9abcL,
                "28.39.1002",
                "roce"));
  }

  @Test
  void portsAreReadWithTheirNetworkDevices() throws NetlinkException {
    Recording recording =
        new Recording()
            .sent(PORT_GET, MessageFlags.DUMP, attribute(1, u32(3)))
            .received(
                PORT_GET,
                MessageFlags.MULTI,
                attribute(1, u32(3)),
                attribute(2, text("mlx5_0")),
                attribute(3, u32(1)),
                attribute(8, u64(0xfe80_0000_0000_0000L)),
                attribute(9, u32(7)),
                attribute(10, u32(1)),
                attribute(11, u8(0)),
                attribute(12, u8(4)),
                attribute(13, u8(5)),
                attribute(50, u32(12)),
                attribute(51, text("ens1f0np0")))
            .done();

    assertThat(play(recording).links(3))
        .containsExactly(
            new RdmaLink(
                3,
                "mlx5_0",
                1,
                4,
                5,
                OptionalInt.of(7),
                OptionalInt.of(1),
                OptionalInt.of(0),
                0xfe80_0000_0000_0000L,
                OptionalInt.of(12),
                "ens1f0np0"));
  }

  @Test
  void aPortIsAskedForAlone() throws NetlinkException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(PORT_GET, 0, attribute(1, u32(3)), attribute(3, u32(2)))
                .received(GET, 0, attribute(1, u32(3)), attribute(3, u32(2))) // as the kernel does
                .sent(PORT_GET, 0, attribute(1, u32(3)), attribute(3, u32(9)))
                .answered(22));

    assertThat(rdma.link(3, 2).port()).isEqualTo(2);
    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(() -> rdma.link(3, 9))
        .withMessage("get port 9 of RDMA device 3: EINVAL");
  }

  @Test
  void characterDevicesAreReadWithTheirNumbers() throws NetlinkException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(0x140f, 0, attribute(69, text("uverbs")), attribute(1, u32(3)))
                .received(
                    0x140f,
                    0,
                    attribute(70, text("uverbs300")),
                    attribute(71, u64(6)),
                    attribute(72, u64(0x1012_e7f4L)), // as new_encode_dev writes them
                    attribute(73, u32(1)))
                .sent(
                    0x140f,
                    0,
                    attribute(69, text("umad")),
                    attribute(1, u32(3)),
                    attribute(3, u32(2)))
                .answered(22)
                .sent(0x140f, 0, attribute(69, text("rdma_cm")))
                .received(0x140f, 0, attribute(70, text("rdma_cm")), attribute(72, u64(0x0a3a))));

    assertThat(rdma.characterDevice("uverbs", 3, OptionalInt.empty()))
        .isEqualTo(new RdmaCharacterDevice("uverbs300", 0x2e7, 0x101f4, 6, OptionalInt.of(1)));
    assertThatExceptionOfType(NetlinkException.class)
        .isThrownBy(() -> rdma.characterDevice("umad", 3, OptionalInt.of(2)))
        .withMessage("get umad device of RDMA device 3: EINVAL");
    assertThat(rdma.connectionManager())
        .isEqualTo(new RdmaCharacterDevice("rdma_cm", 10, 58, 0, OptionalInt.empty()));
  }

  @Test
  void theModeOfNamespacesIsReadAndSet() throws NetlinkException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(SYS_GET, 0)
                .received(SYS_GET, 0, attribute(66, u8(1)))
                .sent(SYS_SET, MessageFlags.ACK, attribute(66, u8(0)))
                .answered(0)
                .sent(SYS_SET, MessageFlags.ACK, attribute(66, u8(1)))
                .answered(16));

    assertThat(rdma.isShared()).isTrue();
    rdma.setShared(false);
    assertThatExceptionOfType(NetlinkException.Busy.class)
        .isThrownBy(() -> rdma.setShared(true))
        .withMessage("set RDMA namespace mode, shared true: EBUSY");
  }

  /** Before 5.2 nobody answers the question; a kernel may answer it without the mode. */
  @Test
  void aKernelThatCannotTellTheModeSharesDevices() throws NetlinkException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(SYS_GET, 0)
                .answered(22)
                .sent(SYS_GET, 0)
                .received(SYS_GET, 0)
                .sent(SYS_GET, 0)
                .answered(12));

    assertThat(rdma.isShared()).isTrue();
    assertThat(rdma.isShared()).isTrue();
    assertThatExceptionOfType(NetlinkException.Refused.class).isThrownBy(rdma::isShared);
  }

  @Test
  void devicesAreMovedByTheDescriptorOfANamespace() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.current()) {
      byte[] number = attribute(68, u32(namespace.descriptor().number()));
      RecordedTransport transport =
          new Recording()
              .sent(SET, MessageFlags.ACK, attribute(1, u32(3)), number)
              .answered(0)
              .sent(SET, MessageFlags.ACK, attribute(1, u32(4)), number)
              .answered(95)
              .play();
      RdmaNetlink rdma = RdmaNetlink.over(NetlinkSocket.over(transport));

      rdma.move(3, namespace);
      assertThatExceptionOfType(NetlinkException.Unsupported.class)
          .isThrownBy(() -> rdma.move(4, namespace))
          .withMessage("move RDMA device 4 to network namespace " + namespace + ": EOPNOTSUPP");
      assertThat(transport.isFinished()).isTrue();
    }
  }

  @Test
  void devicesAreRenamedByTheirNumber() throws IOException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(SET, MessageFlags.ACK, attribute(1, u32(3)), attribute(2, text("mlx5_0")))
                .answered(0)
                .sent(SET, MessageFlags.ACK, attribute(1, u32(4)), attribute(2, text("mlx5_0")))
                .answered(17));

    rdma.rename(3, "mlx5_0");
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> rdma.rename(4, "mlx5_0"))
        .withMessage("rename RDMA device 4 to mlx5_0: EEXIST");
  }

  @Test
  void aKernelThatTellsEventsSaysSo() throws NetlinkException {
    RdmaNetlink rdma =
        play(
            new Recording()
                .sent(SYS_GET, 0)
                .received(SYS_GET, 0, attribute(66, u8(1)), attribute(103, u8(1)))
                .sent(SYS_GET, 0)
                .received(SYS_GET, 0, attribute(66, u8(1))));

    assertThat(rdma.reportsEvents()).isTrue();
    assertThat(rdma.reportsEvents()).isFalse();
  }

  private static final int MONITOR = 0x141c;

  @Test
  void eventsAreTold() throws NetlinkException {
    Recording recording =
        new Recording()
            .received(
                MONITOR, 0, attribute(1, u32(3)), attribute(2, text("rxe0")), attribute(102, u8(0)))
            .received(
                MONITOR,
                0,
                attribute(1, u32(3)),
                attribute(2, text("rxe0")),
                attribute(3, u32(1)),
                attribute(50, u32(7)),
                attribute(51, text("eth0")),
                attribute(102, u8(2)))
            .received(MONITOR, 0, attribute(1, u32(3)), attribute(102, u8(1)))
            .received(MONITOR, 0, attribute(1, u32(3)), attribute(102, u8(77)));
    try (RdmaMonitor monitor = RdmaMonitor.over(NetlinkSocket.over(recording.play()))) {
      OptionalInt none = OptionalInt.empty();
      assertThat(monitor.await(Duration.ZERO))
          .containsExactly(
              new RdmaEvent(RdmaEvent.Kind.REGISTERED, 3, "rxe0", none, none, ""),
              new RdmaEvent(
                  RdmaEvent.Kind.NETDEV_ATTACHED,
                  3,
                  "rxe0",
                  OptionalInt.of(1),
                  OptionalInt.of(7),
                  "eth0"),
              new RdmaEvent(RdmaEvent.Kind.UNREGISTERED, 3, "", none, none, ""),
              new RdmaEvent(RdmaEvent.Kind.OTHER, 3, "", none, none, ""));
      assertThat(monitor.await(Duration.ZERO)).isEmpty();
    }
  }

  /** Both are right: this kernel may know RDMA or not. */
  @Test
  void aKernelWithoutRdmaIsUnsupported() throws IOException {
    try (RdmaNetlink rdma = RdmaNetlink.open()) {
      assertThat(rdma.devices()).isNotNull();
    } catch (NetlinkException.Unsupported e) {
      assertThat(e)
          .hasMessage(
              "open a netlink socket of protocol 20: EPROTONOSUPPORT, the kernel does not "
                  + "support RDMA: load"
                  + " the module of the device, such as mlx5_ib, or rdma_rxe");
      assertThat(e.errnoName()).isEqualTo("EPROTONOSUPPORT");
    }
  }
}
