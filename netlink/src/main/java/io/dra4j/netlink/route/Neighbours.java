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

/** The neighbours that a network namespace knows. Thread-safe. */
public final class Neighbours {

  private static final int HEADER = 12; // struct ndmsg

  private final NetlinkSocket socket;

  Neighbours(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * All neighbours.
   *
   * @return the neighbours, IPv4 and IPv6
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> list() throws NetlinkException {
    return list(0);
  }

  /**
   * The neighbours on a link.
   *
   * @param index the index of the link; 0 for all
   * @return the neighbours, IPv4 and IPv6
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> list(int index) throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETNEIGH, 0, NEIGHBOUR, "list neighbours");
    request.appendZeros(HEADER);
    if (index != 0) {
      request.putU32(NDA_IFINDEX, index);
    }
    return socket.dump(
        request,
        RTM_NEWNEIGH,
        message -> {
          Neighbour neighbour = decode(message);
          return neighbour != null && (index == 0 || neighbour.index() == index) ? neighbour : null;
        });
  }

  /** Null for families other than IPv4 and IPv6, such as entries of bridges. */
  static @Nullable Neighbour decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    int index = message.u32(4);
    int state = message.u16(8);
    int flags = message.u8(10);
    IpAddress destination = null;
    HardwareAddress address = HardwareAddress.NONE;
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case NDA_DST -> destination = IpAddress.read(reader);
        case NDA_LLADDR -> address = hardwareAddress(reader);
        default -> {
          // times of use, and what belongs to bridges and tunnels
        }
      }
    }
    if (destination == null) {
      throw new NetlinkException.Malformed("a neighbour without an address");
    }
    return new Neighbour(index, destination, address, state, flags);
  }

  private static HardwareAddress hardwareAddress(AttributeReader reader)
      throws NetlinkException.Malformed {
    if (reader.length() > 32) {
      throw new NetlinkException.Malformed(
          "a hardware address of " + reader.length() + " bytes, at most 32");
    }
    return HardwareAddress.of(reader.bytes());
  }

  /**
   * Adds a neighbour.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if it is known
   */
  public void add(Neighbour neighbour) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    execute(RTM_NEWNEIGH, flags, "add neighbour ", neighbour);
  }

  /**
   * Adds a neighbour, or changes what is known of it.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(Neighbour neighbour) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.REPLACE;
    execute(RTM_NEWNEIGH, flags, "set neighbour ", neighbour);
  }

  /**
   * Forgets a neighbour.
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if it is not known
   */
  public void delete(Neighbour neighbour) throws NetlinkException {
    execute(RTM_DELNEIGH, 0, "delete neighbour ", neighbour);
  }

  private void execute(int type, int flags, String verb, Neighbour neighbour)
      throws NetlinkException {
    IpAddress destination = neighbour.destination();
    Text operation = new Text(verb + destination + " on link ", neighbour.index());
    MessageWriter request = socket.request(type, flags, NEIGHBOUR, operation);
    request.appendU8(destination.family()).appendZeros(3).appendU32(neighbour.index());
    request.appendU16(neighbour.state()).appendU8(neighbour.flags()).appendU8(0);
    request.putBytes(NDA_DST, destination.toBytes());
    if (neighbour.address().length() > 0 && type == RTM_NEWNEIGH) {
      request.putBytes(NDA_LLADDR, neighbour.address().toBytes());
    }
    socket.execute(request);
  }
}
