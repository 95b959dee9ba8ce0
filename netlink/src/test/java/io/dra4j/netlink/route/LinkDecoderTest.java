package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u64;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Links that need hardware or kinds that few kernels have; layouts of {@code linux/if_link.h}. */
class LinkDecoderTest {

  private static Link read(byte[]... attributes) throws NetlinkException {
    byte[] header = concat(u8(0), u8(0), u16(1), u32(7), u32(0x1043), u32(0));
    Recording recording =
        new Recording()
            .sent(18, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)))
            .received(16, MessageFlags.MULTI, concat(header, concat(attributes)))
            .done();
    try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(recording.play()))) {
      return route.links().list().get(0);
    }
  }

  /** Virtual functions are asked for by index, without statistics (RTEXT_FILTER_...). */
  private static List<VirtualFunction> functions(byte[]... attributes) throws NetlinkException {
    byte[] header = concat(u8(0), u8(0), u16(1), u32(7), u32(0x1043), u32(0));
    Recording recording =
        new Recording()
            .sent(18, 0, u32(0), u32(7), u32(0), u32(0), attribute(29, u32(1 | 8)))
            .received(16, 0, concat(header, concat(attributes)));
    try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(recording.play()))) {
      return route.links().virtualFunctions(LinkKey.of(7));
    }
  }

  private static byte[] room(byte... bytes) {
    return Arrays.copyOf(bytes, 32);
  }

  @Test
  void virtualFunctionsAreRead() throws NetlinkException {
    byte[] first =
        attribute(
            1,
            attribute(1, u32(0), room((byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 9)),
            attribute(13, room((byte) -1)),
            attribute(2, u32(0), u32(100), u32(3)),
            attribute(6, u32(0), u32(10), u32(1_000)),
            attribute(4, u32(0), u32(1)),
            attribute(5, u32(0), u32(2)),
            attribute(9, u32(0), u32(1)),
            attribute(10, u32(0), u32(0), u64(0x1122_3344_5566_7788L)),
            attribute(11, u32(0), u32(0), u64(0x99L)));
    byte[] second =
        attribute(
            1,
            attribute(1, u32(1), room()),
            attribute(4, u32(1), u32(-1)),
            attribute(9, u32(1), u32(-1)));

    List<VirtualFunction> functions =
        functions(
            attribute(1, new byte[] {2, 0, 0, 0, 0, 1}),
            attribute(3, text("ens1f0")),
            attribute(21, u32(2)),
            attribute(22, first, second));

    assertThat(functions)
        .containsExactly(
            new VirtualFunction(
                0,
                HardwareAddress.parse("02:00:00:00:00:09"),
                100,
                3,
                10,
                1_000,
                true,
                true,
                VirtualFunction.LinkState.DISABLE,
                OptionalLong.of(0x1122_3344_5566_7788L),
                OptionalLong.of(0x99L)),
            new VirtualFunction(
                1,
                HardwareAddress.parse("00:00:00:00:00:00"),
                0,
                0,
                0,
                0,
                false,
                false,
                VirtualFunction.LinkState.AUTO,
                OptionalLong.empty(),
                OptionalLong.empty()));
  }

  @Test
  void settingsOfVirtualFunctionsAreNestedAsTheKernelWantsThem() throws NetlinkException {
    byte[] mac =
        attribute(1, u32(3), room((byte) 2, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 7));
    byte[] vlan = attribute(2, u32(3), u32(5), u32(0));
    Recording recording =
        new Recording()
            .sent(
                16,
                MessageFlags.ACK,
                u32(0),
                u32(7),
                u32(0),
                u32(0),
                Recording.nest(22, Recording.nest(1, mac), Recording.nest(1, vlan)))
            .answered(0);
    try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(recording.play()))) {
      route
          .links()
          .change(
              LinkKey.of(7),
              LinkSettings.none()
                  .functionAddress(3, HardwareAddress.parse("02:00:00:00:00:07"))
                  .functionVlan(3, 5, 0));
    }
  }

  @Test
  void theGuidsOfVirtualFunctionsAreWrittenAsTheKernelsStructure() throws NetlinkException {
    long node = 0x0011_2233_4455_6677L;
    long port = 0xfedc_ba98_7654_3210L;
    Recording recording =
        new Recording()
            .sent(
                16,
                MessageFlags.ACK,
                u32(0),
                u32(7),
                u32(0),
                u32(0),
                Recording.nest(
                    22,
                    Recording.nest(1, attribute(10, u32(3), u32(0), Recording.u64(node))),
                    Recording.nest(1, attribute(11, u32(3), u32(0), Recording.u64(port)))))
            .answered(0);
    try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(recording.play()))) {
      LinkSettings guids = LinkSettings.none().functionNodeGuid(3, node).functionPortGuid(3, port);

      route.links().change(LinkKey.of(7), guids);

      assertThat(guids)
          .hasToString("vf 3 node guid 0011223344556677, vf 3 port guid fedcba9876543210");
    }
  }

  @Test
  void virtualFunctionsOfInfinibandHaveTwentyBytesOfAddress() throws NetlinkException {
    byte[] address = new byte[20];
    address[0] = (byte) 0x80;
    address[19] = (byte) 0xc2;

    List<VirtualFunction> functions =
        functions(
            attribute(1, address),
            attribute(22, attribute(1, attribute(1, u32(0), Arrays.copyOf(address, 32)))));

    assertThat(functions)
        .extracting(VirtualFunction::address)
        .containsExactly(HardwareAddress.of(address));
  }

  @Test
  void whatNewerKernelsTellIsKeptAndWrittenBack() throws NetlinkException {
    Link link = read(attribute(3, text("x0")), attribute(90, u32(5)), attribute(80, u8(1)));

    assertThat(link.otherAttributes().types()).containsExactly(80, 90);
    assertThat(LinkSettings.of(link).toString())
        .endsWith("[attribute 80 01, attribute 90 05000000]");
  }

  @Test
  void addressesOfInfinibandHaveTwentyBytes() throws NetlinkException {
    byte[] address = new byte[20];
    address[0] = (byte) 0x80;
    address[19] = (byte) 0xc2;

    Link link = read(attribute(1, address), attribute(2, address), attribute(54, address));

    assertThat(link.address()).hasToString("80" + ":00".repeat(18) + ":c2");
    assertThat(link.broadcast()).isEqualTo(link.address());
    assertThat(link.permanentAddress()).hasValue(link.address());
  }

  @Test
  void hardwareIsReadWithItsPlace() throws NetlinkException {
    Link link =
        read(
            attribute(3, text("ens1f0np0")),
            attribute(34, new byte[] {1, 2}),
            attribute(36, new byte[] {3, 4}),
            attribute(38, text("p0")),
            attribute(43, attribute(2, u8(1)), attribute(4, u32(66))),
            attribute(56, text("0000:8f:00.0")),
            attribute(57, text("pci")),
            attribute(16, u8(6)),
            attribute(33, u8(1)));

    assertThat(link.index()).isEqualTo(7);
    assertThat(link.isUp()).isTrue();
    assertThat(link.physicalPortName()).isEqualTo("p0");
    assertThat(link.physicalPortId()).hasValue(HardwareAddress.parse("01:02"));
    assertThat(link.switchId()).hasValue(HardwareAddress.parse("03:04"));
    assertThat(link.xdpProgram()).hasValue(66);
    assertThat(link.parentDevice()).isEqualTo("0000:8f:00.0");
    assertThat(link.parentBus()).isEqualTo("pci");
    assertThat(link.operationalState()).isEqualTo(OperationalState.UP);
    assertThat(link.hasCarrier()).isTrue();
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(
            "vlan",
            concat(attribute(1, u16(5)), attribute(5, new byte[] {(byte) 0x88, (byte) 0xa8})),
            new LinkData.Vlan(5, 0x88a8, 0)),
        Arguments.of(
            "ipvlan",
            concat(attribute(1, u16(2)), attribute(2, u16(1))),
            new LinkData.Ipvlan(LinkData.IpvlanMode.L3S, 1)),
        Arguments.of("vrf", attribute(1, u32(1_890)), new LinkData.Vrf(1_890)),
        Arguments.of(
            "bond",
            concat(
                attribute(1, u8(4)),
                attribute(2, u32(9)),
                attribute(3, u32(100)),
                attribute(14, u8(1)),
                attribute(21, u8(1))),
            new LinkData.Bond(4, OptionalInt.of(9), 100, 1, 1)),
        Arguments.of(
            "ipoib",
            concat(attribute(1, u16(0xffff)), attribute(2, u16(1)), attribute(3, u16(0))),
            new LinkData.Ipoib(0xffff, 1, false)),
        Arguments.of(
            "new-kind",
            attribute(1, u32(1)),
            new LinkData.Other(Attributes.none(AttributeTable.NONE).with(1, u32(1)))));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void dataOfKindsIsRead(String kind, byte[] attributes, LinkData data) throws NetlinkException {
    Link link = read(attribute(18, attribute(1, text(kind)), attribute(2, attributes)));

    assertThat(link.kind()).isEqualTo(kind);
    assertThat(link.data()).isEqualTo(data);
  }

  @Test
  void anAddressThatNoLinkCanHaveIsMalformed() {
    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> read(attribute(1, new byte[33])))
        .withMessage("list links: an address or identifier of 33 bytes, at most 32");
    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> functions(attribute(22, attribute(1, attribute(1, u32(0))))));
  }
}
