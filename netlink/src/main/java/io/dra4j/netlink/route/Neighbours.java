package io.dra4j.netlink.route;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/**
 * The neighbours that a network namespace knows, as {@code ip neighbour} has, and the addresses for
 * which it answers ({@code ip neighbour show proxy}). Thread-safe.
 */
public final class Neighbours {

  private final Exchange<Neighbour> exchange;

  Neighbours(NetlinkSocket socket) {
    this.exchange = new Exchange<>(socket, ObjectKind.NEIGHBOUR, new NeighbourCodec());
  }

  /**
   * Lists all neighbours.
   *
   * @return the neighbours, IPv4 and IPv6
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> list() throws NetlinkException {
    return exchange.list(request -> request.appendZeros(NeighbourCodec.HEADER), neighbour -> true);
  }

  /**
   * Lists the neighbours on a link.
   *
   * @param index the index of the link
   * @return the neighbours, IPv4 and IPv6; empty if there is no such link
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   * @throws IllegalArgumentException if the index is not positive
   */
  public List<Neighbour> list(int index) throws NetlinkException {
    Links.checkIndex(index);
    return exchange.list(
        request -> request.appendZeros(NeighbourCodec.HEADER).putU32(NeighbourCodec.IFINDEX, index),
        neighbour -> neighbour.index() == index);
  }

  /**
   * Lists the addresses for which this host answers ({@code NTF_PROXY}).
   *
   * @return the proxies, IPv4 and IPv6
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> proxies() throws NetlinkException {
    return exchange.list(
        request -> request.appendZeros(10).appendU8(Neighbour.PROXY).appendU8(0),
        neighbour -> (neighbour.flags() & Neighbour.PROXY) != 0);
  }

  /**
   * Adds a neighbour or a proxy.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if it is known
   */
  public void add(Neighbour neighbour) throws NetlinkException {
    exchange.add(neighbour);
  }

  /**
   * Adds a neighbour, or changes what is known of it.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(Neighbour neighbour) throws NetlinkException {
    exchange.replace(neighbour);
  }

  /**
   * Deletes a neighbour or a proxy.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if it is not known
   */
  public void delete(Neighbour neighbour) throws NetlinkException {
    exchange.delete(neighbour);
  }
}
