package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The VLANs that the ports of bridges are in ({@code bridge vlan}, {@code linux/if_bridge.h}).
 * Thread-safe.
 *
 * <pre>{@code
 * route.bridgeVlans().set(LinkKey.of("eth0"), new BridgeVlan(20, false, true));
 * // bridge vlan add dev eth0 vid 20 untagged
 * }</pre>
 */
public final class BridgeVlans {

  private static final int RTM_SETLINK = 19;
  private static final int COMPRESSED = 4; // RTEXT_FILTER_BRVLAN_COMPRESSED: ranges

  private static final AttributeTable TABLE =
      AttributeTable.of("IFLA_", "26=AF_SPEC 29=EXT_MASK:u32")
          .with("AF_SPEC", AttributeTable.of("IFLA_BRIDGE_", "FLAGS VLAN_INFO"));

  private static final int AF_SPEC = TABLE.type("AF_SPEC");
  private static final int VLAN_INFO = TABLE.in(AF_SPEC).type("VLAN_INFO");

  // BRIDGE_VLAN_INFO_...
  private static final int PVID = 2;
  private static final int UNTAGGED = 4;
  private static final int RANGE_BEGIN = 8;
  private static final int RANGE_END = 16;

  private final NetlinkSocket socket;
  private final Links links;

  BridgeVlans(NetlinkSocket socket, Links links) {
    this.socket = socket;
    this.links = links;
  }

  /**
   * Lists the VLANs of all ports of all bridges, and of the bridges themselves.
   *
   * @return the VLANs, ascending, by the index of the port or bridge
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public Map<Integer, List<BridgeVlan>> list() throws NetlinkException {
    Map<Integer, List<BridgeVlan>> all = new TreeMap<>();
    int type = ObjectKind.LINK.getType;
    MessageWriter request = socket.request(type, 0, TABLE, "list VLANs of bridges");
    request.appendU8(Family.BRIDGE).appendZeros(LinkDecoder.HEADER - 1);
    socket.<Boolean>dump(
        request.put("EXT_MASK", COMPRESSED),
        ObjectKind.LINK.newType,
        message -> {
          AttributeReader reader = message.attributes(LinkDecoder.HEADER);
          while (reader.next()) {
            if (reader.type() == AF_SPEC) {
              read(reader, all.computeIfAbsent(message.u32(4), none -> new ArrayList<>()));
            }
          }
          return null;
        });
    all.replaceAll((port, vlans) -> List.copyOf(vlans));
    return Collections.unmodifiableMap(all);
  }

  /** A range is told by its first and its last. */
  private static void read(AttributeReader reader, List<BridgeVlan> vlans)
      throws NetlinkException.Malformed {
    int first = 0;
    reader.enter();
    while (reader.next()) {
      if (reader.type() == VLAN_INFO) {
        int flags = reader.u16(0);
        int last = reader.u16(2);
        first = (flags & RANGE_END) != 0 ? first : last;
        if ((flags & RANGE_BEGIN) == 0) {
          for (int id = Math.max(1, first); id <= Math.min(last, BridgeVlan.MOST); id++) {
            vlans.add(new BridgeVlan(id, (flags & PVID) != 0, (flags & UNTAGGED) != 0));
          }
        }
      }
    }
  }

  /**
   * Puts a port into a VLAN, or changes how it is in it ({@code RTM_SETLINK}).
   *
   * @param port the port of a bridge, its name or its index
   * @param vlan the VLAN
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   */
  public void set(LinkKey port, BridgeVlan vlan) throws NetlinkException {
    int flags = (vlan.primary() ? PVID : 0) | (vlan.untagged() ? UNTAGGED : 0);
    write(RTM_SETLINK, "set VLAN ", port, flags, vlan.id());
  }

  /**
   * Takes a port out of a VLAN ({@code RTM_DELLINK}).
   *
   * @param port the port of a bridge, its name or its index
   * @param id the number of the VLAN
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   */
  public void remove(LinkKey port, int id) throws NetlinkException {
    write(ObjectKind.LINK.deleteType, "remove VLAN ", port, 0, id);
  }

  private void write(int type, String verb, LinkKey port, int flags, int id)
      throws NetlinkException {
    int index =
        port.knownIndex().isPresent() ? port.knownIndex().getAsInt() : links.get(port).index();
    Text operation = new Text(verb + id + " of ", port);
    MessageWriter request = socket.request(type, 0, TABLE, operation);
    request.appendU8(Family.BRIDGE).appendZeros(3).appendU32(index).appendZeros(8);
    int spec = request.open("AF_SPEC");
    int info = request.openPlain("VLAN_INFO");
    socket.execute(request.appendU16(flags).appendU16(id).close(info).close(spec));
  }
}
