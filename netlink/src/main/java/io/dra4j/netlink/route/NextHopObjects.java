package io.dra4j.netlink.route;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;

/**
 * The next-hop objects of a network namespace, by number ({@code ip nexthop}, Linux 5.3). Deleting
 * an object also deletes the routes through it and removes it from groups. Thread-safe.
 *
 * <pre>{@code
 * route.nextHopObjects().add(NextHopObject.via(10, IpAddress.parse("192.0.2.1"), link.index()));
 * route.routes().add(Route.to(IpPrefix.ALL_V4).withNextHopObject(10));
 * }</pre>
 */
public final class NextHopObjects extends RouteObjects<NextHopObject> {

  NextHopObjects(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.NEXT_HOP, NextHopCodec.LAYOUT, new NextHopCodec());
  }

  /**
   * {@return the object with a number}
   *
   * @param id the number of the object ({@code NHA_ID})
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if none
   */
  public NextHopObject get(int id) throws NetlinkException {
    return get(Payload.of(layout).with("ID", id), new Text("next-hop object ", id));
  }

  /**
   * Adds an object, or replaces the object with its number, which changes all routes through it
   * ({@code NLM_F_REPLACE}).
   *
   * @param object the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(NextHopObject object) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, object);
  }
}
