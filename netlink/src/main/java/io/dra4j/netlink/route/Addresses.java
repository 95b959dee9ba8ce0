package io.dra4j.netlink.route;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/** The addresses of the links of a network namespace, as {@code ip address} has. Thread-safe. */
public final class Addresses {

  private final Exchange<InterfaceAddress> exchange;

  Addresses(NetlinkSocket socket) {
    this.exchange = new Exchange<>(socket, ObjectKind.ADDRESS, new AddressCodec());
  }

  /**
   * Lists all addresses.
   *
   * @return the addresses, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<InterfaceAddress> list() throws NetlinkException {
    return exchange.list(request -> request.appendZeros(8), address -> true);
  }

  /**
   * Lists the addresses of a link.
   *
   * @param index the index of the link
   * @return the addresses, IPv4 first; empty if there is no such link
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   * @throws IllegalArgumentException if the index is not positive
   */
  public List<InterfaceAddress> list(int index) throws NetlinkException {
    Links.checkIndex(index);
    try {
      return exchange.list(
          request -> request.appendZeros(4).appendU32(index), address -> address.index() == index);
    } catch (NetlinkException.NotFound e) {
      return List.of();
    }
  }

  /**
   * Adds an address.
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if the link has it; {@link NetlinkException.NotFound} if there is
   *     no such link
   */
  public void add(InterfaceAddress address) throws NetlinkException {
    exchange.add(address);
  }

  /**
   * Adds an address, or changes what the link has of it.
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(InterfaceAddress address) throws NetlinkException {
    exchange.replace(address);
  }

  /**
   * Deletes an address.
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if the link does not have it
   */
  public void delete(InterfaceAddress address) throws NetlinkException {
    exchange.delete(address);
  }
}
