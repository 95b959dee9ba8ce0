package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/**
 * The addresses of the links of a network namespace ({@code ip address}). Thread-safe.
 *
 * <pre>{@code
 * route.addresses().add(InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24")));
 * }</pre>
 */
public final class Addresses extends RouteObjects<InterfaceAddress> {

  Addresses(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.ADDRESS, AddressCodec.LAYOUT, new AddressCodec());
  }

  /**
   * {@return the addresses of a link, IPv4 first; empty if there is no such link}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<InterfaceAddress> list(LinkKey link) throws NetlinkException {
    return listOf(
        link,
        index -> Payload.of(layout).set("ifindex", index),
        index -> address -> address.index() == index);
  }

  /**
   * Adds an address, or changes its settings if the link has it ({@code NLM_F_REPLACE}).
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no link of its index
   */
  public void replace(InterfaceAddress address) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, address);
  }
}
