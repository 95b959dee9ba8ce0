package io.dra4j.rdma;

import static io.dra4j.rdma.Nldev.attribute;
import static io.dra4j.rdma.Nldev.index;
import static io.dra4j.rdma.Nldev.port;
import static io.dra4j.rdma.Nldev.text;
import static io.dra4j.rdma.Nldev.u64;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.rdma.CharacterDevice.Kind;
import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.sysfs.InfinibandNode;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.CapturedHostTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CharacterDevicesTest {

  private static final OptionalInt NONE = OptionalInt.empty();
  private static final RdmaDevice DEVICE = RdmaDevice.named("mlx5_0").index(3).build();

  private static InfinibandNode uverbs(String name, int major, int minor) {
    return new InfinibandNode(name, "mlx5_0", NONE, major, minor);
  }

  private static InfinibandNode connections() {
    return new InfinibandNode("rdma_cm", null, NONE, 10, 58);
  }

  @Test
  void aCapturedHostTellsTheirNumbers(@CapturedHostTree("rdma") Path root) {
    RdmaDevice device = RdmaDevice.named("rxe1").build();

    CharacterDevices nodes = CharacterDevices.of(Host.captured(root), device);

    assertThat(nodes.list())
        .startsWith(new CharacterDevice(Kind.UVERBS, "uverbs1", NONE, 231, 193, NONE));
    assertThat(nodes.list().get(0).path()).isEqualTo("/dev/infiniband/uverbs1");
    assertThat(nodes.list()).noneMatch(node -> node.name().equals("uverbs0"));
  }

  @Test
  void severalDevicesAreLookedAtAtOnce(@CapturedHostTree("rdma") Path root) {
    Host host = Host.captured(root);
    List<RdmaDevice> devices =
        List.of(RdmaDevice.named("rxe2").build(), RdmaDevice.named("rxe0").build());

    List<CharacterDevices> all = CharacterDevices.of(host, devices);

    assertThat(all)
        .containsExactly(
            CharacterDevices.of(host, devices.get(0)), CharacterDevices.of(host, devices.get(1)));
    assertThat(all.get(0).list().get(0).name()).isEqualTo("uverbs2");
    assertThat(CharacterDevices.of(host, List.of())).isEmpty();
  }

  @Test
  void portsHaveTheirOwn(@TempDir Path directory) throws IOException {
    CapturedHost host =
        CapturedHost.named("two-socket")
            .withFile("sys/class/infiniband_verbs/abi_version", "6\n")
            .withFile("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx4_0\n")
            .withFile("sys/class/infiniband_verbs/uverbs0/dev", "231:192\n")
            .withFile("sys/class/infiniband_mad/umad1/ibdev", "mlx4_0\n")
            .withFile("sys/class/infiniband_mad/umad1/port", "2\n")
            .withFile("sys/class/infiniband_mad/umad1/dev", "231:1\n")
            .withFile("sys/class/infiniband_mad/issm1/ibdev", "mlx4_0\n")
            .withFile("sys/class/infiniband_mad/issm1/port", "2\n")
            .withFile("sys/class/infiniband_mad/issm1/dev", "231:65\n")
            .withFile("sys/class/infiniband_cm/ucm0/ibdev", "mlx4_0\n")
            .withFile("sys/class/infiniband_cm/ucm0/dev", "231:224\n")
            .withFile("sys/class/misc/rdma_cm/dev", "10:58\n")
            .withFile("sys/class/infiniband_verbs/uverbs9/ibdev", "mlx4_0\n")
            .withFile("sys/class/infiniband_verbs/uverbs9/dev", "binary\u0000\n")
            .withDirectory("sys/class/infiniband_mad/umad7");
    host.expandTo(directory.resolve("host"));

    CharacterDevices nodes =
        CharacterDevices.of(
            Host.captured(directory.resolve("host")), RdmaDevice.named("mlx4_0").build());

    assertThat(nodes.list())
        .containsExactly(
            new CharacterDevice(Kind.UVERBS, "uverbs0", NONE, 231, 192, NONE),
            new CharacterDevice(Kind.ISSM, "issm1", OptionalInt.of(2), 231, 65, NONE),
            new CharacterDevice(Kind.UMAD, "umad1", OptionalInt.of(2), 231, 1, NONE),
            new CharacterDevice(Kind.UCM, "ucm0", NONE, 231, 224, NONE),
            new CharacterDevice(Kind.RDMA_CM, "rdma_cm", NONE, 10, 58, NONE));
    assertThat(nodes.problems())
        .containsExactlyInAnyOrder(
            "/sys/class/infiniband_verbs/uverbs9/dev: expected numbers such as 231:192, found"
                + " 'binary'",
            "/sys/class/infiniband_mad/umad7/ibdev: does not name an RDMA device; umad7 left out");
  }

  /** Only what nobody knows the device of is told of each. */
  @Test
  void aBrokenNumberIsTheProblemOfItsDevice(@TempDir Path directory) throws IOException {
    CapturedHost.named("rdma")
        .withFile("sys/devices/virtual/infiniband_verbs/uverbs1/dev", "none\n")
        .withDirectory("sys/class/infiniband_mad/umad7")
        .withFile("sys/class/misc/rdma_cm/dev", "10:58\n")
        .expandTo(directory.resolve("host"));
    String umad =
        "/sys/class/infiniband_mad/umad7/ibdev: does not name an RDMA device; umad7 left out";

    List<CharacterDevices> all =
        CharacterDevices.of(
            Host.captured(directory.resolve("host")),
            List.of(RdmaDevice.named("rxe0").build(), RdmaDevice.named("rxe1").build()));

    assertThat(all.get(0).problems()).containsExactly(umad);
    assertThat(all.get(0).list()).hasSize(2);
    assertThat(all.get(1).problems())
        .containsExactly(
            umad,
            "/sys/devices/virtual/infiniband_verbs/uverbs1/dev: expected numbers such as 231:192,"
                + " found 'none'",
            "rxe1 has no character device uverbs");
  }

  @Test
  void whatIsLeftOutOfManyProblemsIsSaid(@TempDir Path directory) throws IOException {
    CapturedHost host = CapturedHost.named("rdma");
    for (int i = 0; i < 150; i++) {
      host = host.withDirectory("sys/class/infiniband_mad/umad" + i);
    }
    host.expandTo(directory.resolve("host"));

    assertThat(
            CharacterDevices.of(
                    Host.captured(directory.resolve("host")), RdmaDevice.named("rxe0").build())
                .problems())
        .contains("more than 100 problems of character devices; the others are not shown")
        .hasSize(102); // and rdma_cm
  }

  /** As a newer kernel may have. */
  @Test
  void aKindThatIsNotKnownIsLeftOutAndSaid() {
    CharacterDevices nodes =
        CharacterDevices.of(
            DEVICE,
            List.of(uverbs("fwctl0", 231, 1), uverbs("uverbs0", 231, 192)),
            new Nldev()
                .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
                .refused(22)
                .play(),
            false);

    assertThat(nodes.list()).extracting(CharacterDevice::name).containsExactly("uverbs0");
    assertThat(nodes.problems())
        .startsWith("fwctl0 is not a known kind of character device; it is ignored");
  }

  @Test
  void whatIsMissingIsSaid() {
    CharacterDevices nodes = CharacterDevices.of(DEVICE, List.of(), null, true);

    assertThat(CharacterDevices.of(DEVICE, List.of(), null, false).problems())
        .containsExactly(
            "mlx5_0 has no character device uverbs: the capture lacks it, or the module"
                + " ib_uverbs was not loaded",
            "no character device rdma_cm: the capture lacks it, or the module rdma_ucm was not"
                + " loaded");
    assertThat(nodes.list()).isEmpty();
    assertThat(nodes.problems())
        .containsExactly(
            "mlx5_0 has no character device uverbs: is the module ib_uverbs loaded?",
            "no character device rdma_cm: is the module rdma_ucm loaded?");
  }

  @Test
  void aFileThatIsMissingIsSaid() {
    CharacterDevices nodes =
        CharacterDevices.of(
            DEVICE, List.of(uverbs("uverbs4711", 231, 900), connections()), null, true);

    assertThat(nodes.list()).hasSize(2);
    assertThat(nodes.list().get(0).mode()).isEmpty();
    assertThat(nodes.problems()).contains("/dev/infiniband/uverbs4711 is missing: 231:900");
  }

  @Test
  void netlinkHasToAgree() {
    Nldev conversation =
        new Nldev()
            .asks(Nldev.CHARDEV_GET, attribute(69, text("uverbs")), index(3))
            .answered(Nldev.CHARDEV_GET, attribute(70, text("uverbs1")), attribute(72, u64(0xe7c1)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("umad")), index(3), port(2))
            .answered(Nldev.CHARDEV_GET, attribute(70, text("umad1")), attribute(72, u64(0xe701)))
            .asks(Nldev.CHARDEV_GET, attribute(69, text("rdma_cm")))
            .refused(22);

    CharacterDevices nodes =
        CharacterDevices.of(
            DEVICE,
            List.of(
                uverbs("uverbs0", 231, 192),
                new InfinibandNode("umad1", "mlx5_0", OptionalInt.of(2), 231, 1),
                new InfinibandNode("umad9", "mlx5_9", OptionalInt.of(1), 231, 9),
                connections()),
            conversation.play(),
            false);

    assertThat(nodes.list()).hasSize(3);
    assertThat(nodes.problems())
        .containsExactly("uverbs0 is 231:192 in /sys, but netlink says uverbs1 231:193");
  }
}
