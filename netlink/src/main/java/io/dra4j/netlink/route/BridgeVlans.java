package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The VLANs of the ports of bridges ({@code bridge vlan}, {@code linux/if_bridge.h}). Thread-safe.
 *
 * <pre>{@code
 * route.bridgeVlans().set(LinkKey.of("eth0"), new BridgeVlan(20, false, true));
 * // bridge vlan add dev eth0 vid 20 untagged
 * for (PortVlans port : route.bridgeVlans().list()) {
 *   System.out.println(port.index() + " is in " + port.vlans());
 * }
 * }</pre>
 */
public final class BridgeVlans extends RouteObjects<PortVlans> {

  private static final int RTM_SETLINK = 19;
  private static final int COMPRESSED = 4; // RTEXT_FILTER_BRVLAN_COMPRESSED: ranges

  BridgeVlans(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.PORT_VLANS, PortVlansCodec.LAYOUT, new PortVlansCodec());
  }

  /** Returns the ports of all bridges, and the bridges themselves, that are in a VLAN. */
  @Override
  public List<PortVlans> list() throws NetlinkException {
    Payload question = Payload.of(layout).set("family", Family.BRIDGE).with("EXT_MASK", COMPRESSED);
    return list(question, port -> !port.vlans().isEmpty());
  }

  /**
   * Adds a port to VLANs ({@code RTM_SETLINK}); it stays in other VLANs.
   *
   * @param port the port and its VLANs
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no link of its index; {@link
   *     NetlinkException.Unsupported} if it is not a port of a bridge
   */
  @Override
  public void add(PortVlans port) throws NetlinkException {
    write(RTM_SETLINK, "add ", 0, port);
  }

  /**
   * Removes a port from VLANs ({@code RTM_DELLINK}).
   *
   * @param port the port and its VLANs, as they were read or added
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if the port is not in one of them; then it stays in all
   */
  @Override
  public void delete(PortVlans port) throws NetlinkException {
    List<Integer> missing = new ArrayList<>(port.ids()); // the kernel does not report it
    Optional<PortVlans> there =
        list().stream().filter(one -> one.index() == port.index()).findFirst();
    there.ifPresent(one -> missing.removeAll(one.ids()));
    if (!missing.isEmpty()) {
      throw NetlinkException.notFound(
          "delete " + kind + " " + missing + " of port " + port.index());
    }
    super.delete(port);
  }

  /**
   * Adds a port to a VLAN, or changes its settings in the VLAN.
   *
   * @param port the port of a bridge, its name or its index
   * @param vlan the VLAN
   * @throws NetlinkException as for {@link #add}
   */
  public void set(LinkKey port, BridgeVlan vlan) throws NetlinkException {
    add(PortVlans.of(index(port), List.of(vlan)));
  }

  /**
   * Removes a port from a VLAN.
   *
   * @param port the port of a bridge, its name or its index
   * @param id the number of the VLAN
   * @throws NetlinkException as for {@link #delete}
   */
  public void remove(LinkKey port, int id) throws NetlinkException {
    delete(PortVlans.of(index(port), List.of(new BridgeVlan(id, false, false))));
  }

  private int index(LinkKey port) throws NetlinkException {
    return port.knownIndex().isPresent() ? port.knownIndex().getAsInt() : links.get(port).index();
  }
}
