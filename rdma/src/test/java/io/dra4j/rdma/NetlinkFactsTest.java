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
import static org.assertj.core.api.Assertions.tuple;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.rdma.health.ErrorLimits;
import io.dra4j.rdma.health.RdmaHealth;
import io.dra4j.rdma.health.RdmaObservation;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetlinkFactsTest {

  private static final byte[][] DEVICE = {
    index(3),
    name("mlx5_0"),
    port(1),
    attribute(5, text("28.39.1002")),
    attribute(6, u64(0x506b_4b03_00f6_a3c2L)),
    attribute(7, u64(0x506b_4b03_00f6_a3c0L)),
    attribute(14, u8(1)),
    attribute(67, text("roce"))
  };

  private static final byte[][] PORT = {
    index(3),
    name("mlx5_0"),
    port(1),
    attribute(12, u8(4)),
    attribute(13, u8(5)),
    attribute(50, u32(12)),
    attribute(51, text("ens1f0np0"))
  };

  private final List<String> warnings = new ArrayList<>();
  private final Map<String, RdmaDevice> devices = new TreeMap<>();

  private void merge(Nldev conversation) throws NetlinkException {
    new NetlinkFacts(warnings::add).merge(conversation.play(), devices);
  }

  private RdmaDevice device(String name) {
    return Objects.requireNonNull(devices.get(name));
  }

  private void sysfs(RdmaDevice.Builder device) {
    RdmaDevice built = device.build();
    devices.put(built.name(), built);
  }

  @Test
  void aDeviceThatOnlyNetlinkKnowsIsAdded() throws NetlinkException {
    merge(new Nldev().device(DEVICE, PORT));

    assertThat(device("mlx5_0"))
        .isEqualTo(
            RdmaDevice.named("mlx5_0")
                .index(3)
                .nodeType("1: CA")
                .nodeGuid("506b:4b03:00f6:a3c2")
                .sysImageGuid("506b:4b03:00f6:a3c0")
                .firmwareVersion("28.39.1002")
                .protocol("roce")
                .ports(
                    List.of(
                        RdmaPort.numbered(1)
                            .state("ACTIVE")
                            .physicalState("LinkUp")
                            .linkLayer("Ethernet")
                            .netdev("ens1f0np0")
                            .build()))
                .build());
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatOnlySysfsKnowsStays() throws NetlinkException {
    sysfs(
        RdmaDevice.named("mlx5_0")
            .nodeGuid("506b:4b03:00f6:a3c2")
            .boardId("MT_0000000838")
            .ports(
                List.of(
                    RdmaPort.numbered(1)
                        .state("ACTIVE")
                        .gigabitsPerSecond(400)
                        .linkLayer("Ethernet")
                        .build())));

    merge(new Nldev().device(DEVICE, PORT));

    RdmaDevice device = device("mlx5_0");
    assertThat(device.boardId()).isEqualTo("MT_0000000838");
    assertThat(device.ports().get(0).gigabitsPerSecond()).hasValue(400);
    assertThat(device.ports().get(0).netdev()).isEqualTo("ens1f0np0");
    assertThat(warnings).isEmpty();
  }

  @Test
  void netlinkCountsWhereTheTwoContradictEachOther() throws NetlinkException {
    sysfs(
        RdmaDevice.named("mlx5_0")
            .nodeGuid("506b:4b03:00f6:0000")
            .firmwareVersion("20.1.1")
            .parent("eth9")
            .ports(List.of(RdmaPort.numbered(1).state("DOWN").build())));

    merge(new Nldev().device(DEVICE, PORT));

    assertThat(device("mlx5_0").nodeGuid()).isEqualTo("506b:4b03:00f6:a3c2");
    assertThat(device("mlx5_0").ports().get(0).state()).isEqualTo("ACTIVE");
    assertThat(warnings)
        .containsExactly(
            "RDMA device mlx5_0 port 1: state is ACTIVE by netlink, but DOWN in /sys; the value"
                + " of netlink is used",
            "RDMA device mlx5_0: network device is ens1f0np0 by netlink, but eth9 in /sys; the"
                + " value of netlink is used",
            "RDMA device mlx5_0: node GUID is 506b:4b03:00f6:a3c2 by netlink, but"
                + " 506b:4b03:00f6:0000 in /sys; the value of netlink is used",
            "RDMA device mlx5_0: firmware is 28.39.1002 by netlink, but 20.1.1 in /sys; the value"
                + " of netlink is used");
  }

  @Test
  void adeviceOfAnotherNamespaceStaysWithAWarning() throws NetlinkException {
    sysfs(RdmaDevice.named("mlx5_7"));

    merge(new Nldev().device(DEVICE, PORT));

    assertThat(devices).containsOnlyKeys("mlx5_0", "mlx5_7");
    assertThat(warnings)
        .containsExactly(
            "RDMA device mlx5_0 is reported by netlink, but not in /sys/class/infiniband",
            "RDMA device mlx5_7 is in /sys/class/infiniband, but not reported by netlink: it belongs to"
                + " another network namespace or has just disappeared");
  }

  /** States, node types and attributes that this version does not know. */
  @Test
  void answersOfNewerKernelsCostOnlyWhatIsNew() throws NetlinkException {
    sysfs(
        RdmaDevice.named("mlx5_0")
            .nodeType("9: quantum")
            .ports(List.of(RdmaPort.numbered(1).state("ENTANGLED").build())));
    byte[][] device = {
      index(3), name("mlx5_0"), port(1), attribute(14, u8(9)), attribute(999, u8(1))
    };
    byte[][] port = {
      index(3), port(1), attribute(12, u8(77)), attribute(13, u8(255)), attribute(500, new byte[40])
    };

    merge(new Nldev().device(device, port));

    assertThat(device("mlx5_0").nodeType()).isEqualTo("9: quantum");
    assertThat(device("mlx5_0").ports().get(0).state()).isEqualTo("ENTANGLED");
    assertThat(warnings).isEmpty();
  }

  @Test
  void localIdentifiersOfInfinibandAreTold() throws NetlinkException {
    byte[][] device = {
      index(3), name("mlx4_0"), port(1), attribute(14, u8(1)), attribute(67, text("ib"))
    };
    byte[][] port = {
      index(3),
      port(1),
      attribute(9, u32(0x3a4)),
      attribute(10, u32(1)),
      attribute(11, u8(2)),
      attribute(12, u8(4)),
      attribute(13, u8(5))
    };

    merge(new Nldev().device(device, port));

    assertThat(device("mlx4_0").ports().get(0))
        .isEqualTo(
            RdmaPort.numbered(1)
                .state("ACTIVE")
                .physicalState("LinkUp")
                .linkLayer("InfiniBand")
                .lid(0x3a4)
                .subnetManagerLid(1)
                .lidMaskCount(2)
                .build());
  }

  /** As ConnectX-3 that has a port for each: its protocol is that of the first. */
  @ParameterizedTest
  @CsvSource({"ib, InfiniBand, Ethernet", "roce, Ethernet, InfiniBand"})
  void eachPortHasItsOwnLinkLayer(String protocol, String first, String second)
      throws NetlinkException {
    byte[][] device = {
      index(3), name("mlx4_0"), port(2), attribute(14, u8(1)), attribute(67, text(protocol))
    };
    byte[][] infiniband = {index(3), port(protocol.equals("ib") ? 1 : 2), attribute(9, u32(0))};
    byte[][] ethernet = {index(3), port(protocol.equals("ib") ? 2 : 1), attribute(12, u8(4))};

    merge(
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, device)
            .done()
            .lists(Nldev.PORT_GET, index(3))
            .told(Nldev.PORT_GET, infiniband)
            .told(Nldev.PORT_GET, ethernet)
            .done());

    assertThat(device("mlx4_0").ports())
        .extracting(RdmaPort::linkLayer)
        .containsExactly(first, second);
  }

  /** As EFA, of which the kernel tells no protocol. */
  @Test
  void aDeviceWithoutAProtocolHasNoLinkLayer() throws NetlinkException {
    byte[][] device = {index(3), name("efa_0"), port(1), attribute(14, u8(7))};
    merge(new Nldev().device(device, index(3), port(1), attribute(12, u8(4))));

    assertThat(device("efa_0").ports().get(0).linkLayer()).isEmpty();
  }

  @Test
  void theSubnetIsThatOfTheFirstGid() throws NetlinkException {
    sysfs(
        RdmaDevice.named("mlx4_0")
            .ports(
                List.of(
                    RdmaPort.numbered(1)
                        .gids(
                            List.of(
                                new RdmaGid(0, "fe80:0000:0000:0000:0002:c903:00f9:bfa1", "", null),
                                new RdmaGid(
                                    1, "fd00:0000:0000:0001:0002:c903:00f9:bfa1", "", null)))
                        .build())));
    byte[][] device = {index(3), name("mlx4_0"), port(1), attribute(67, text("ib"))};

    merge(new Nldev().device(device, index(3), port(1), attribute(8, u64(0xfe80_0000_0000_0000L))));
    assertThat(warnings).isEmpty();

    merge(new Nldev().device(device, index(3), port(1), attribute(8, u64(0xfec0_0000_0000_0001L))));
    assertThat(warnings)
        .containsExactly(
            "RDMA device mlx4_0 port 1: subnet prefix is fec0:0000:0000:0001 by netlink, but"
                + " fe80:0000:0000:0000 in /sys; the value of netlink is used");
  }

  @Test
  void aDeviceThatGoesWhileItIsReadIsLeftOut() throws NetlinkException {
    merge(
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, DEVICE)
            .done()
            .lists(Nldev.PORT_GET, index(3))
            .refused(22));

    assertThat(devices).isEmpty();
    assertThat(warnings).containsExactly("RDMA device mlx5_0 disappeared while it was read");
  }

  /** ENOMEM, ENOBUFS: the device may well be there, and who says that it is not evicts its pods. */
  @ParameterizedTest
  @ValueSource(ints = {12, 105})
  void aKernelThatCannotTellJustNowDoesNotMakeADeviceGo(int errno) {
    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(
            () ->
                merge(
                    new Nldev()
                        .lists(Nldev.GET)
                        .told(Nldev.GET, DEVICE)
                        .done()
                        .lists(Nldev.PORT_GET, index(3))
                        .refused(errno)));

    assertThat(warnings).isEmpty();
  }

  private static byte[][] ports(int last) {
    return new byte[][] {index(3), name("mlx4_0"), port(last), attribute(14, u8(1))};
  }

  private static byte[][] active(int number) {
    return new byte[][] {
      index(3), name("mlx4_0"), port(number), attribute(12, u8(4)), attribute(13, u8(5))
    };
  }

  private Nldev listing(int last, byte[][]... ports) {
    Nldev conversation =
        new Nldev()
            .lists(Nldev.GET)
            .told(Nldev.GET, ports(last))
            .done()
            .lists(Nldev.PORT_GET, index(3));
    for (byte[][] port : ports) {
      conversation.told(Nldev.PORT_GET, port);
    }
    return conversation.done();
  }

  /** The kernel ends its list where the driver cannot report a port, without an error. */
  @Test
  void portsThatTheListLeavesOutAreAskedForOneByOne() throws NetlinkException {
    merge(
        listing(4, active(1))
            .asks(Nldev.PORT_GET, index(3), port(2))
            .refused(5)
            .asks(Nldev.PORT_GET, index(3), port(3))
            .answered(Nldev.GET, active(3))
            .asks(Nldev.PORT_GET, index(3), port(4))
            .refused(95));

    assertThat(device("mlx4_0").ports())
        .extracting(RdmaPort::number, RdmaPort::state)
        .containsExactly(tuple(1, "ACTIVE"), tuple(2, ""), tuple(3, "ACTIVE"), tuple(4, ""));
    assertThat(warnings)
        .containsExactly(
            "RDMA device mlx4_0 port 2: netlink cannot report it: get port 2 of RDMA device 3: EIO",
            "RDMA device mlx4_0 port 4: netlink cannot report it: get port 4 of RDMA device 3:"
                + " EOPNOTSUPP");
  }

  @Test
  void anEmptyListOfPortsIsNoDeviceWithoutPorts() throws NetlinkException {
    RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
    merge(listing(2, active(1), active(2)));
    Instant at = Instant.parse("2026-11-22T12:00:00Z");
    health.update(new RdmaObservation(at, List.copyOf(devices.values()), List.of()));
    devices.clear();

    merge(
        listing(2)
            .asks(Nldev.PORT_GET, index(3), port(1))
            .refused(5)
            .asks(Nldev.PORT_GET, index(3), port(2))
            .answered(Nldev.GET, active(2)));

    assertThat(
            health.update(
                new RdmaObservation(at.plusSeconds(1), List.copyOf(devices.values()), List.of())))
        .isEmpty();
    assertThat(warnings).hasSize(1).allMatch(text -> text.contains("mlx4_0 port 1:"));
  }

  @Test
  void whatSysfsKnowsOfAPortThatNetlinkCannotTellOfStays() throws NetlinkException {
    sysfs(RdmaDevice.named("mlx4_0").ports(List.of(RdmaPort.numbered(1).state("DOWN").build())));

    merge(listing(1).asks(Nldev.PORT_GET, index(3), port(1)).refused(22));

    assertThat(device("mlx4_0").ports())
        .containsExactly(RdmaPort.numbered(1).state("DOWN").build());
    assertThat(warnings).hasSize(1);
  }
}
