package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts the VLANs of ports to and from messages, which are messages of links in another family.
 */
final class PortVlansCodec implements Codec<PortVlans> {

  private static final AttributeTable SPECIFICATION =
      AttributeTable.of("IFLA_BRIDGE_", "MODE:u16 VLAN_INFO VLAN_TUNNEL_INFO");

  static final Layout LAYOUT =
      Layout.of(
          "struct ifinfomsg",
          "family:8 1 type:16 ifindex:32 flags:32 change:32",
          AttributeTable.of(
                  "IFLA_",
                  "ADDRESS:state 3=IFNAME:state MTU:state LINK:state 10=MASTER:u32 "
                      + "12=PROTINFO:state 16=OPERSTATE:state 26=AF_SPEC 29=EXT_MASK:u32")
              .with("AF_SPEC", SPECIFICATION));

  private static final int FLAGS = 0; // IFLA_BRIDGE_FLAGS
  private static final int VLAN_INFO = SPECIFICATION.type("VLAN_INFO");
  private static final int INFO_SIZE = 8; // struct bridge_vlan_info and its header
  private static final int SELF = 2; // BRIDGE_FLAGS_SELF

  // BRIDGE_VLAN_INFO_...
  private static final int PVID = 2;
  private static final int UNTAGGED = 4;
  private static final int RANGE_BEGIN = 8;
  private static final int RANGE_END = 16;

  /** Decodes a port's VLANs. NICs that switch between their functions are also here, with flags. */
  @Override
  public @Nullable PortVlans decode(Message message) throws NetlinkException.Malformed {
    if (message.u8(0) != Family.BRIDGE) {
      return null;
    }
    Payload read = Payload.read(LAYOUT, message);
    Attributes reported;
    try {
      reported = read.attributes().nested("AF_SPEC");
    } catch (IllegalArgumentException e) {
      throw new NetlinkException.Malformed("IFLA_AF_SPEC of a port: " + e.getMessage());
    }
    if (reported.has(FLAGS) || read.get("ifindex") <= 0) {
      return null;
    }
    boolean bridge = read.attributes().number("MASTER").orElse(0) == read.get("ifindex");
    byte[] others = reported.without("MODE", "VLAN_INFO").toBytes();
    Payload port = read.set("type", 0).set("flags", 0).set("change", 0).without("MASTER");
    return new PortVlans(port.with("AF_SPEC", specification(bridge, vlans(reported), others)));
  }

  /** Reads the VLANs; a range is reported by its first and its last VLAN. */
  static List<BridgeVlan> vlans(Attributes reported) {
    TreeMap<Integer, BridgeVlan> vlans = new TreeMap<>();
    int first = 0;
    for (byte[] one : reported.all("VLAN_INFO")) {
      if (one.length < INFO_SIZE - 4) {
        continue; // the kernel never reports it
      }
      ByteBuffer information = ByteBuffer.wrap(one).order(ByteOrder.nativeOrder());
      int flags = information.getShort(0);
      int last = Short.toUnsignedInt(information.getShort(2));
      first = (flags & RANGE_END) != 0 ? first : last;
      if ((flags & RANGE_BEGIN) == 0) {
        for (int id = Math.max(1, first); id <= Math.min(last, BridgeVlan.MOST); id++) {
          vlans.put(id, new BridgeVlan(id, (flags & PVID) != 0, (flags & UNTAGGED) != 0));
        }
      }
    }
    return List.copyOf(vlans.values());
  }

  /**
   * Returns the value of {@code IFLA_AF_SPEC}: each VLAN separately, and the other attributes that
   * the kernel reported. The kernel accepts attributes of the bridge itself only with a flag.
   */
  static byte[] specification(boolean bridge, List<BridgeVlan> vlans, byte[] others) {
    int size = INFO_SIZE * (vlans.size() + (bridge ? 1 : 0)) + others.length;
    ByteBuffer all = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    if (bridge) {
      all.putShort((short) (INFO_SIZE - 2))
          .putShort((short) FLAGS)
          .putShort((short) SELF)
          .putShort((short) 0);
    }
    for (BridgeVlan vlan : vlans) {
      int flags = (vlan.primary() ? PVID : 0) | (vlan.untagged() ? UNTAGGED : 0);
      all.putShort((short) INFO_SIZE).putShort((short) VLAN_INFO);
      all.putShort((short) flags).putShort((short) vlan.id());
    }
    return all.put(others).array();
  }

  @Override
  public Payload encode(PortVlans port) {
    return port.payload;
  }
}
