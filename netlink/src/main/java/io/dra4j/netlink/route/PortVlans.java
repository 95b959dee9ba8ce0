package io.dra4j.netlink.route;

import java.util.List;

/**
 * The VLANs of one port of a bridge, or of the bridge itself ({@code bridge vlan show dev}).
 * Immutable. {@link BridgeVlans} lists and sets them.
 *
 * <pre>{@code
 * PortVlans vlans = PortVlans.of(port.index(), List.of(new BridgeVlan(20, true, true)));
 * route.bridgeVlans().add(vlans); // bridge vlan add dev eth0 vid 20 pvid untagged
 * }</pre>
 */
public final class PortVlans extends MessageView<PortVlans> {

  PortVlans(Payload payload) {
    super(ObjectKind.PORT_VLANS, PortVlans::new, payload);
  }

  /**
   * {@return the VLANs of a port}
   *
   * @param port the index of the port
   * @param vlans the VLANs
   * @throws IllegalArgumentException if the index is not positive
   */
  public static PortVlans of(int port, List<BridgeVlan> vlans) {
    return of(false, port, vlans);
  }

  /**
   * {@return the VLANs of a bridge itself ({@code bridge vlan add ... self})}
   *
   * @param bridge the index of the bridge
   * @param vlans the VLANs
   * @throws IllegalArgumentException if the index is not positive
   */
  public static PortVlans ofBridge(int bridge, List<BridgeVlan> vlans) {
    return of(true, bridge, vlans);
  }

  private static PortVlans of(boolean bridge, int index, List<BridgeVlan> vlans) {
    Payload none = Payload.of(PortVlansCodec.LAYOUT).set("family", Family.BRIDGE);
    return new PortVlans(
        none.set("ifindex", Links.checkIndex(index))
            .with("AF_SPEC", PortVlansCodec.specification(bridge, vlans, new byte[0])));
  }

  /** {@return the index of the port, or of the bridge ({@code ifi_index})} */
  public int index() {
    return payload.get("ifindex");
  }

  /** {@return the VLANs, ascending ({@code IFLA_BRIDGE_VLAN_INFO}); empty for none} */
  public List<BridgeVlan> vlans() {
    return PortVlansCodec.vlans(attributes().nested("AF_SPEC"));
  }

  List<Integer> ids() {
    return vlans().stream().map(BridgeVlan::id).toList();
  }

  /** Returns the VLANs and the port for people. */
  @Override
  public String toString() {
    return vlans() + " of port " + index();
  }
}
