package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/**
 * The forwarding databases of the bridges and vxlans of a network namespace ({@code bridge fdb}),
 * and the hardware addresses that other links accept packets for, including joined groups ({@code
 * self}). Thread-safe.
 *
 * <pre>{@code
 * for (ForwardingEntry entry : route.forwardingEntries().list(LinkKey.of("vxlan5"))) {
 *   System.out.println(entry.address() + " is behind " + entry.destination());
 * }
 * }</pre>
 */
public final class ForwardingEntries extends RouteObjects<ForwardingEntry> {

  ForwardingEntries(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.FORWARDING_ENTRY, NeighbourCodec.LAYOUT, new ForwardingCodec());
  }

  @Override
  public List<ForwardingEntry> list() throws NetlinkException {
    return list(Payload.of(layout).set("family", Family.BRIDGE), entry -> true);
  }

  /**
   * {@return the entries of a link, including learned ones; empty if there is no such link}
   *
   * @param link a port of a bridge, a vxlan or another link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<ForwardingEntry> list(LinkKey link) throws NetlinkException {
    Payload all = Payload.of(layout).set("family", Family.BRIDGE);
    return listOf(
        link, index -> all.set("ifindex", index), index -> entry -> entry.index() == index);
  }

  /**
   * Adds an entry. A vxlan may have several entries for one address ({@code NLM_F_APPEND}), which
   * all get a copy of a packet; a bridge has one entry, which is replaced ({@code NLM_F_REPLACE}).
   *
   * @param entry the entry
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no link of its index
   */
  @Override
  public void add(ForwardingEntry entry) throws NetlinkException {
    int how = entry.isOfBridge() ? MessageFlags.REPLACE : MessageFlags.APPEND;
    write("add ", MessageFlags.CREATE | how, entry);
  }
}
