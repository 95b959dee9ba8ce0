package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.MessageType.*;
import static io.dra4j.netlink.route.RouteAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses of the links of a network namespace. Thread-safe. */
public final class Addresses {

  private static final int HEADER = 8; // struct ifaddrmsg

  private final NetlinkSocket socket;

  Addresses(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * All addresses.
   *
   * @return the addresses, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<InterfaceAddress> list() throws NetlinkException {
    return list(0);
  }

  /**
   * The addresses of a link.
   *
   * @param index the index of the link; 0 for all
   * @return the addresses, IPv4 first
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<InterfaceAddress> list(int index) throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETADDR, 0, ADDRESS, "list addresses");
    request.appendZeros(4).appendU32(index);
    try {
      return socket.dump(
          request,
          RTM_NEWADDR,
          message -> {
            InterfaceAddress address = decode(message);
            return address != null && (index == 0 || address.index() == index) ? address : null;
          });
    } catch (NetlinkException.NotFound e) {
      if (index != 0) { // there is no such link
        return List.of();
      }
      throw e;
    }
  }

  /** Null for families other than IPv4 and IPv6. */
  static @Nullable InterfaceAddress decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    int length = message.u8(1);
    int flags = message.u8(2);
    int scope = message.u8(3);
    int index = message.u32(4);
    IpAddress address = null;
    IpAddress local = null;
    IpAddress broadcast = null;
    String label = "";
    int valid = -1;
    int preferred = -1;
    int metric = 0;
    int protocol = 0;
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case IFA_ADDRESS -> address = IpAddress.read(reader);
        case IFA_LOCAL -> local = IpAddress.read(reader);
        case IFA_BROADCAST -> broadcast = IpAddress.read(reader);
        case IFA_LABEL -> label = reader.string();
        case IFA_FLAGS -> flags = reader.u32();
        case IFA_CACHEINFO -> {
          preferred = reader.u32(0);
          valid = reader.u32(4);
        }
        case IFA_RT_PRIORITY -> metric = reader.u32();
        case IFA_PROTO -> protocol = reader.u8();
        default -> {
          // what newer kernels add
        }
      }
    }
    IpAddress own = local == null ? address : local; // with a peer, IFA_ADDRESS is the peer's
    if (own == null) {
      throw new NetlinkException.Malformed("an address message without an address");
    }
    return new InterfaceAddress(
        index,
        Prefixes.of(own, length),
        address == null || own.equals(address) ? null : address,
        broadcast,
        label,
        scope,
        flags,
        valid,
        preferred,
        metric,
        protocol);
  }

  /**
   * Adds an address.
   *
   * @param address the address
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if the link
   *     has it
   */
  public void add(InterfaceAddress address) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    execute(RTM_NEWADDR, flags, "add address ", address);
  }

  /**
   * Adds an address, or changes what the link has of it.
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(InterfaceAddress address) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.REPLACE;
    execute(RTM_NEWADDR, flags, "set address ", address);
  }

  /**
   * Removes an address.
   *
   * @param address the address
   * @throws NetlinkException if the kernel refuses, or the conversation fails; EADDRNOTAVAIL if the
   *     link does not have it
   */
  public void delete(InterfaceAddress address) throws NetlinkException {
    execute(RTM_DELADDR, 0, "delete address ", address);
  }

  private void execute(int type, int flags, String verb, InterfaceAddress address)
      throws NetlinkException {
    IpAddress own = address.address().address();
    Text operation = new Text(verb + address.address() + " on link ", address.index());
    MessageWriter request = socket.request(type, flags, ADDRESS, operation);
    request.appendU8(own.family()).appendU8(address.address().length());
    request.appendU8(address.flags()).appendU8(address.scope()).appendU32(address.index());
    request.putBytes(IFA_LOCAL, own.toBytes());
    request.putBytes(IFA_ADDRESS, (address.peer() == null ? own : address.peer()).toBytes());
    if (address.broadcast() != null) {
      request.putBytes(IFA_BROADCAST, address.broadcast().toBytes());
    }
    if (!address.label().isEmpty()) {
      request.putString(IFA_LABEL, address.label());
    }
    if (type == RTM_NEWADDR) {
      request.putU32(IFA_FLAGS, address.flags());
      if (address.validSeconds() != -1 || address.preferredSeconds() != -1) {
        int times = request.openPlain(IFA_CACHEINFO);
        request.appendU32(address.preferredSeconds()).appendU32(address.validSeconds());
        request.appendZeros(8).close(times);
      }
      if (address.metric() != 0) {
        request.putU32(IFA_RT_PRIORITY, address.metric());
      }
      if (address.protocol() != 0) {
        request.putU8(IFA_PROTO, address.protocol());
      }
    }
    socket.execute(request);
  }
}
