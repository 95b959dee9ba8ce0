package io.dra4j.rdma;

import static io.dra4j.rdma.Nldev.attribute;
import static io.dra4j.rdma.Nldev.index;
import static io.dra4j.rdma.Nldev.name;
import static io.dra4j.rdma.Nldev.port;
import static io.dra4j.rdma.Nldev.text;
import static io.dra4j.rdma.Nldev.u32;
import static io.dra4j.rdma.Nldev.u64;
import static io.dra4j.rdma.Nldev.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.rdma.RdmaMove.Notice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Network devices of real namespaces; conversations of RDMA devices that no kernel here has. */
@EnabledIf("canMakeNamespaces")
class RdmaMoveTest {

  private static final int SET = 0x1402;
  private static final int MLX5 = 1;
  private static final int RXE = 14;

  private NetworkNamespace host;
  private NetworkNamespace pod;
  private final Deque<RdmaNetlink> conversations = new ArrayDeque<>();
  private Meanwhile afterLook = () -> {};

  /** What somebody else does between two steps of a move. */
  private interface Meanwhile {
    void run() throws IOException;
  }

  private final RdmaMove.Sockets sockets =
      new RdmaMove.Sockets() {
        @Override
        public RdmaNetlink rdma(NetworkNamespace namespace) throws IOException {
          if (conversations.size() == 2) { // about to move, of a move and the way back
            afterLook.run();
          }
          return conversations.remove();
        }

        @Override
        public RouteNetlink route(NetworkNamespace namespace) throws IOException {
          return RouteNetlink.open(namespace);
        }

        @Override
        public boolean haveVerbs() {
          return true;
        }
      };

  static boolean canMakeNamespaces() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return namespace.descriptor().isOpen();
    } catch (IOException e) {
      return false;
    }
  }

  @BeforeEach
  void makeNamespaces() throws IOException {
    host = NetworkNamespace.create();
    pod = NetworkNamespace.create();
    makeLink(host, "eth0");
  }

  private static void makeLink(NetworkNamespace namespace, String name) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      route.links().create(NewLink.veth(name, "other"));
    }
  }

  private static void rename(NetworkNamespace namespace, String name, String other)
      throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      route.links().change(route.links().get(name), LinkSettings.none().name(other));
    }
  }

  @AfterEach
  void closeNamespaces() {
    assertThat(conversations).isEmpty();
    host.close();
    pod.close();
  }

  private static byte[][] portOf(int number, String netdev) {
    return new byte[][] {index(3), name("mlx5_0"), port(number), attribute(51, text(netdev))};
  }

  /** What is asked before a move: one device with one port of eth0. */
  private void heard(boolean shared, int driver, byte[]... secondPort) {
    Nldev conversation =
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, index(3), name("mlx5_0"), port(1))
            .done()
            .lists(Nldev.PORT_GET, index(3))
            .told(Nldev.PORT_GET, portOf(1, "eth0"));
    if (secondPort.length > 0) {
      conversation.told(Nldev.PORT_GET, secondPort);
    }
    conversations.add(
        conversation
            .done()
            .asks(Nldev.SYS_GET)
            .answered(Nldev.SYS_GET, attribute(66, u8(shared ? 1 : 0)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
            .answered(
                Nldev.CHARDEV_GET,
                attribute(70, text("uverbs0")),
                attribute(72, u64(0xe7c0)),
                attribute(73, u32(driver)))
            .play());
  }

  /** As where somebody removes a virtual function meanwhile. */
  @Test
  void anotherDeviceThatGoesMeanwhileIsPassedOver() throws IOException {
    conversations.add(
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, index(2), name("mlx5_9"), port(1))
            .told(Nldev.GET, index(3), name("mlx5_0"), port(1))
            .done()
            .lists(Nldev.PORT_GET, index(2))
            .refused(22)
            .lists(Nldev.PORT_GET, index(3))
            .told(Nldev.PORT_GET, portOf(1, "eth0"))
            .done()
            .asks(Nldev.SYS_GET)
            .answered(Nldev.SYS_GET, attribute(66, u8(1)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
            .answered(
                Nldev.CHARDEV_GET,
                attribute(70, text("uverbs0")),
                attribute(72, u64(0xe7c0)),
                attribute(73, u32(MLX5)))
            .play());

    assertThat(RdmaMove.plan(host, sockets, null, "eth0").device()).contains("mlx5_0");
  }

  private void moves(NetworkNamespace to, int errno) {
    conversations.add(
        new Nldev()
            .changes(SET, index(3), attribute(68, u32(to.descriptor().number())))
            .refused(errno)
            .play());
  }

  private static List<Notice.Kind> kinds(RdmaMove move) {
    return move.notices().stream().map(Notice::kind).toList();
  }

  private static boolean has(NetworkNamespace namespace, String link) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      return route.links().list().stream().map(Link::name).anyMatch(link::equals);
    }
  }

  @Test
  void theRdmaDeviceGoesFirstThenTheNetworkDevice() throws IOException {
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(move.device()).contains("mlx5_0");
    assertThat(kinds(move)).containsExactly(Notice.Kind.DISCONNECTS);
    moves(pod, 0);
    move.to(pod, "net1");
    assertThat(has(pod, "net1")).isTrue();
    assertThat(has(host, "eth0")).isFalse();

    // Back: nothing is remembered, and the names are those of the pod.
    moves(host, 0);
    Nldev inside =
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, index(3), name("mlx5_0"), port(1))
            .done()
            .lists(Nldev.PORT_GET, index(3))
            .told(Nldev.PORT_GET, portOf(1, "net1"))
            .done()
            .asks(Nldev.SYS_GET)
            .answered(Nldev.SYS_GET, attribute(66, u8(0)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
            .answered(Nldev.CHARDEV_GET, attribute(73, u32(MLX5)));
    conversations.addFirst(inside.play());
    RdmaMove.plan(pod, sockets, null, "net1").to(host, "eth0");
    assertThat(has(host, "eth0")).isTrue();
  }

  @Test
  void nothingMovesWhereTheNameIsTaken() throws IOException {
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> move.to(pod, "lo"))
        .withMessage("move eth0 to " + pod + " as lo: EEXIST");
    assertThat(has(host, "eth0")).isTrue();
  }

  /** As a name that somebody takes between the look and the move, which the kernel moves to. */
  @Test
  void aLinkThatMovesAndIsRefusedComesBack() throws IOException {
    afterLook = () -> makeLink(pod, "net1");
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");
    moves(pod, 0);
    moves(host, 0);

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> move.to(pod, "net1"))
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
    assertThat(has(host, "eth0")).isTrue();
    assertThat(has(pod, "eth0")).isFalse();
  }

  @Test
  void aRefusedNetworkDeviceBringsTheRdmaDeviceBack() throws IOException {
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");
    rename(host, "eth0", "eth7");
    moves(pod, 0);
    moves(host, 0);

    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> move.to(pod, "net1"))
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
  }

  @Test
  void whatFailsOnTheWayBackIsKept() throws IOException {
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");
    rename(host, "eth0", "eth7");
    moves(pod, 0);
    moves(host, 19);

    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> move.to(pod, "net1"))
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .isInstanceOf(NetlinkException.NotFound.class));
  }

  @Test
  void aRefusedRdmaDeviceLeavesTheNetworkDeviceWhereItIs() throws IOException {
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");
    moves(pod, 95);

    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> move.to(pod, "net1"));
    assertThat(has(host, "eth0")).isTrue();
    assertThat(has(pod, "net1")).isFalse();
  }

  @Test
  void sharedDevicesStay() throws IOException {
    heard(true, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(kinds(move)).containsExactly(Notice.Kind.SHARED);
    move.to(pod);
    assertThat(has(pod, "eth0")).isTrue();
  }

  @Test
  void softwareDevicesVanishWithTheirNetworkDevice() throws IOException {
    heard(false, RXE);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(move.notices())
        .containsExactly(
            new Notice(
                Notice.Kind.VANISHES,
                "mlx5_0 is made in software of eth0 and goes when eth0 changes its namespace; it"
                    + " has to be made anew there."));
    move.to(pod, "net1");
    assertThat(has(pod, "net1")).isTrue();
  }

  @Test
  void aSoftwareDeviceAloneMayBeRefused() throws IOException {
    heard(false, RXE);
    RdmaMove move = RdmaMove.plan(host, sockets, "mlx5_0", null);

    assertThat(kinds(move))
        .containsExactly(
            Notice.Kind.DISCONNECTS,
            Notice.Kind.MAY_BE_REFUSED,
            Notice.Kind.LOSES_CONNECTION_MANAGER,
            Notice.Kind.SERVES_OTHERS);
    moves(pod, 95);
    assertThatExceptionOfType(NetlinkException.Unsupported.class).isThrownBy(() -> move.to(pod));
  }

  @Test
  void theOtherPortStaysWithoutItsDevice() throws IOException {
    heard(false, MLX5, portOf(2, "eth1"));

    assertThat(RdmaMove.plan(host, sockets, null, "eth0").notices())
        .contains(
            new Notice(
                Notice.Kind.SERVES_OTHERS, "mlx5_0 also serves eth1, which stays without it."));
  }

  @Test
  void aNetworkDeviceWithoutRdmaMovesAlone() throws IOException {
    conversations.add(new Nldev().lists(Nldev.GET).done().play());
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(move.device()).isEmpty();
    assertThat(move.notices()).isEmpty();
    move.to(pod, "net1");
    assertThat(has(pod, "net1")).isTrue();
  }

  @Test
  void whatIsNotThereIsSaidBeforeAnythingMoves() {
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> RdmaMove.plan(host, sockets, null, "eth9"));
    conversations.add(new Nldev().lists(Nldev.GET).done().play());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RdmaMove.plan(host, sockets, "mlx5_7", null))
        .withMessage("no RDMA device mlx5_7 in " + host + ", which has none");
    conversations.add(
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, index(3), name("mlx5_0"), port(1))
            .told(Nldev.GET, index(4), name("mlx5_1"), port(1))
            .done()
            .play());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RdmaMove.plan(host, sockets, "mlx5_7", null))
        .withMessage("no RDMA device mlx5_7 in " + host + ", which has mlx5_0, mlx5_1");
  }

  /** The kernel's list ends where the driver cannot tell of a port. */
  private static Nldev endsEarly() {
    return new Nldev()
        .lists(Nldev.GET)
        .told(Nldev.GET, index(3), name("mlx5_0"), port(2))
        .done()
        .lists(Nldev.PORT_GET, index(3))
        .done()
        .asks(Nldev.PORT_GET, index(3), port(1))
        .refused(5)
        .asks(Nldev.PORT_GET, index(3), port(2));
  }

  @Test
  void aPortThatTheListLeavesOutIsAskedForAlone() throws IOException {
    conversations.add(
        endsEarly()
            .answered(Nldev.GET, portOf(2, "eth0"))
            .asks(Nldev.SYS_GET)
            .answered(Nldev.SYS_GET, attribute(66, u8(1)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
            .answered(Nldev.CHARDEV_GET, attribute(73, u32(MLX5)))
            .play());

    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(move.device()).contains("mlx5_0");
    assertThat(kinds(move)).containsExactly(Notice.Kind.SHARED, Notice.Kind.PORT_NOT_TOLD);
    assertThat(move.notices().get(1).text())
        .startsWith("RDMA device mlx5_0 port 1: netlink cannot tell of it: ");
  }

  @Test
  void aPortThatNobodyKnowsMayBeThatOfTheNetworkDevice() throws IOException {
    conversations.add(endsEarly().answered(Nldev.GET, portOf(2, "eth1")).play());

    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");

    assertThat(move.device()).isEmpty();
    assertThat(kinds(move)).containsExactly(Notice.Kind.PORT_NOT_TOLD);
  }

  @Test
  @SuppressWarnings("NullAway") // as callers without it
  void nothingIsPlannedOfNothing() throws IOException {
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.ofNetdev(null, "eth0"));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.ofNetdev(host, null));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.ofDevice(null, "mlx5_0"));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.ofDevice(host, null));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.of(null, "mlx5_0", "eth0"));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.of(host, null, "eth0"));
    assertThatNullPointerException().isThrownBy(() -> RdmaMove.of(host, "mlx5_0", null));
    heard(false, MLX5);
    RdmaMove move = RdmaMove.plan(host, sockets, null, "eth0");
    assertThatNullPointerException().isThrownBy(() -> move.to(null, "net1"));
    assertThatNullPointerException().isThrownBy(() -> move.to(pod, null));
    assertThat(has(host, "eth0")).isTrue();
  }

  /** Both are right: this kernel may know RDMA or not. */
  @Test
  void withoutRdmaInTheKernelItIsSaidWhatHelps() {
    assertThatIOException()
        .isThrownBy(() -> RdmaMove.ofDevice(host, "mlx5_7"))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .containsAnyOf("the kernel has no RDMA: load the module", "no RDMA device"));
  }
}
