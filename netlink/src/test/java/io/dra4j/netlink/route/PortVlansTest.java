package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import java.util.List;
import org.junit.jupiter.api.Test;

/** VLANs of ports as the kernel tells and takes them, recorded: not every kernel has them. */
class PortVlansTest {

  private static final int NEW = 16;
  private static final int DELETE = 17;
  private static final int GET = 18;
  private static final int SET = 19;

  private static byte[] header(int index) {
    return concat(u8(7), u8(0), u16(0), u32(index), u32(0), u32(0));
  }

  private static byte[] vlan(int flags, int id) {
    return attribute(2, u16(flags), u16(id));
  }

  private static byte[] port(int index, byte[]... specification) {
    return concat(
        concat(u8(7), u8(0), u16(1), u32(index), u32(0x1043), u32(0)),
        attribute(3, text("p" + index)),
        attribute(10, u32(9)),
        attribute(26, specification));
  }

  private static Recording listing(Recording recording) {
    return recording
        .sent(GET, MessageFlags.DUMP, header(0), attribute(29, u32(4)))
        .received(
            NEW, MessageFlags.MULTI, port(3, vlan(6, 1), vlan(8, 20), vlan(16, 23), vlan(4, 30)))
        .received(NEW, MessageFlags.MULTI, port(4))
        .received(NEW, MessageFlags.MULTI, port(9, vlan(6, 1)))
        .received(NEW, MessageFlags.MULTI, port(5, attribute(0, u16(2)), attribute(1, u16(1))))
        .done();
  }

  private static BridgeVlans over(Recording recording) {
    return RouteNetlink.over(NetlinkSocket.over(recording.play())).bridgeVlans();
  }

  @Test
  void rangesArePutOutAndWhoHasNoneOrIsANicIsLeftOut() throws NetlinkException {
    List<PortVlans> all = over(listing(new Recording())).list();

    assertThat(all).extracting(PortVlans::index).containsExactly(3, 9);
    assertThat(all.get(0))
        .isEqualTo(
            PortVlans.of(
                3,
                List.of(
                    new BridgeVlan(1, true, true),
                    new BridgeVlan(20, false, false),
                    new BridgeVlan(21, false, false),
                    new BridgeVlan(22, false, false),
                    new BridgeVlan(23, false, false),
                    new BridgeVlan(30, false, true))));
    assertThat(all.get(1)).isEqualTo(PortVlans.ofBridge(9, List.of(new BridgeVlan(1, true, true))));
  }

  @Test
  void theyAreWrittenAsTheyWereRead() throws NetlinkException {
    int flags = MessageFlags.REQUEST | MessageFlags.ACK;
    BridgeVlans vlans =
        over(
            new Recording()
                .sent(SET, flags, header(3), attribute(26, vlan(2, 5), vlan(4, 6)))
                .answered(0)
                .sent(SET, flags, header(9), attribute(26, attribute(0, u16(2)), vlan(0, 5)))
                .answered(0));

    vlans.add(
        PortVlans.of(3, List.of(new BridgeVlan(5, true, false), new BridgeVlan(6, false, true))));
    vlans.add(PortVlans.ofBridge(9, List.of(new BridgeVlan(5, false, false))));
  }

  @Test
  void whatThePortIsNotInIsNotFoundThoughTheKernelSaysNothing() throws NetlinkException {
    BridgeVlans vlans =
        over(
            listing(
                listing(new Recording())
                    .sent(
                        DELETE,
                        MessageFlags.REQUEST | MessageFlags.ACK,
                        header(3),
                        attribute(26, vlan(0, 20)))
                    .answered(0)));

    vlans.delete(PortVlans.of(3, List.of(new BridgeVlan(20, false, false))));

    PortVlans other = PortVlans.of(3, List.of(new BridgeVlan(24, false, false)));
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> vlans.delete(other))
        .withMessageContaining("bridge VLAN [24] of port 3");
  }
}
