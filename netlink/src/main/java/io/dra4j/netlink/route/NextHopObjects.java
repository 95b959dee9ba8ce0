package io.dra4j.netlink.route;

import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/**
 * The next-hop objects of a network namespace, as {@code ip nexthop} has (Linux 5.3). Thread-safe.
 */
public final class NextHopObjects {

  private final Exchange<NextHopObject> exchange;

  NextHopObjects(NetlinkSocket socket) {
    this.exchange = new Exchange<>(socket, ObjectKind.NEXT_HOP, new NextHopObject.ObjectCodec());
  }

  /**
   * Lists all objects.
   *
   * @return the objects by number
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     kernel knows no such objects
   */
  public List<NextHopObject> list() throws NetlinkException {
    return exchange.list(
        request -> request.appendZeros(NextHopObject.ObjectCodec.HEADER), object -> true);
  }

  /**
   * Reads one object.
   *
   * @param id the number of the object
   * @return the object
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.NotFound} if there
   *     is none
   */
  public NextHopObject get(int id) throws NetlinkException {
    Text operation = new Text("get next-hop object ", id);
    MessageWriter request =
        exchange
            .socket()
            .request(ObjectKind.NEXT_HOP.getType, 0, NextHopObject.TABLE, operation)
            .appendZeros(NextHopObject.ObjectCodec.HEADER)
            .putU32(NextHopObject.TABLE.type("ID"), id);
    return exchange.socket().get(request, ObjectKind.NEXT_HOP.newType, exchange.codec()::decode);
  }

  /**
   * Adds an object.
   *
   * @param object the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is one of that number
   */
  public void add(NextHopObject object) throws NetlinkException {
    exchange.add(object);
  }

  /**
   * Adds an object, or changes the one of its number, and so all routes through it.
   *
   * @param object the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(NextHopObject object) throws NetlinkException {
    exchange.replace(object);
  }

  /**
   * Deletes an object, all routes through it, and its membership in groups.
   *
   * @param object the object, of which the number counts
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(NextHopObject object) throws NetlinkException {
    exchange.delete(object);
  }
}
