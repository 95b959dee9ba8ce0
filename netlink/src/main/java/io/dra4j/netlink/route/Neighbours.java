package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The neighbours of a network namespace ({@code ip neighbour}), and the addresses for which it
 * answers ({@code ip neighbour show proxy}), which only {@link #proxies} lists. Thread-safe.
 *
 * <pre>{@code
 * HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:77");
 * route.neighbours().add(Neighbour.permanent(2, IpAddress.parse("192.0.2.9"), address));
 * }</pre>
 */
public final class Neighbours extends RouteObjects<Neighbour> {

  Neighbours(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.NEIGHBOUR, NeighbourCodec.LAYOUT, new NeighbourCodec());
  }

  /** Checks the length of the hardware address: the kernel would truncate a long one. */
  @Override
  void write(int type, String verb, int flags, Neighbour neighbour) throws NetlinkException {
    if (!neighbour.address().isEmpty()) {
      try {
        Links.checkLength(links.get(neighbour.index()), neighbour.address());
      } catch (NetlinkException.NotFound e) {
        // the kernel reports it with the neighbour
      }
    }
    super.write(type, verb, flags, neighbour);
  }

  /**
   * Adds a neighbour ({@code RTM_NEWNEIGH}).
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such a neighbour; {@link NetlinkException.NotFound} if
   *     there is no link of its index
   * @throws IllegalArgumentException if the link's hardware addresses have another length
   */
  @Override
  public void add(Neighbour neighbour) throws NetlinkException {
    super.add(neighbour);
  }

  /**
   * {@return the neighbours on a link, IPv4 and IPv6; empty if there is no such link}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> list(LinkKey link) throws NetlinkException {
    return listOf(
        link,
        index -> Payload.of(layout).with("IFINDEX", index),
        index -> neighbour -> neighbour.index() == index);
  }

  /**
   * {@return the addresses for which this host answers ({@code NTF_PROXY}), IPv4 and IPv6}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Neighbour> proxies() throws NetlinkException {
    return list(
        Payload.of(layout).set("flags", Neighbour.PROXY),
        neighbour -> (neighbour.flags() & Neighbour.PROXY) != 0);
  }

  /**
   * {@return the parameters of neighbour discovery ({@code ip ntable}, the sysctls {@code neigh}):
   * by index of the link, the values by name below {@code /proc/sys/net} without the link, such as
   * {@code ipv4/neigh/locktime}}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public Map<Integer, Map<String, Long>> parameters() throws NetlinkException {
    Map<Integer, Map<String, Long>> all = new HashMap<>();
    socket.<Boolean>dump(
        socket
            .request(
                NeighbourCodec.Parameters.RTM_GETNEIGHTBL,
                0,
                AttributeTable.NONE,
                "list neighbour tables")
            .appendZeros(4),
        NeighbourCodec.Parameters.RTM_NEWNEIGHTBL,
        message -> {
          NeighbourCodec.Parameters.read(
              message.attributes(4), link -> all.computeIfAbsent(link, none -> new TreeMap<>()));
          return null;
        });
    return all;
  }

  /**
   * Adds a neighbour, or replaces an existing one ({@code NLM_F_REPLACE}).
   *
   * @param neighbour the neighbour
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no link of its index
   * @throws IllegalArgumentException if the link's hardware addresses have another length
   */
  public void replace(Neighbour neighbour) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, neighbour);
  }
}
