package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the kernel lists for all links of a namespace at once, and the state of each of them needs:
 * the links themselves, and the sysctls {@code neigh} of each. Who captures several links reads it
 * once. Immutable.
 */
public final class LinkSurroundings {

  private static final int RTM_NEWNEIGHTBL = 64; // linux/rtnetlink.h
  private static final int RTM_GETNEIGHTBL = 66;

  private final List<Link> links;
  private final Map<Integer, Map<String, String>> neighbourParameters;

  private LinkSurroundings(
      List<Link> links, Map<Integer, Map<String, String>> neighbourParameters) {
    this.links = links;
    this.neighbourParameters = neighbourParameters;
  }

  static LinkSurroundings read(RouteNetlink route) throws NetlinkException {
    List<Link> links = route.links().list(LinkQuery.lean().amidChanges());
    Map<Integer, Map<String, String>> parameters = new HashMap<>();
    NetlinkSocket socket = route.socket();
    socket.<Boolean>dump(
        socket
            .request(RTM_GETNEIGHTBL, 0, AttributeTable.NONE, "list neighbour tables")
            .appendZeros(4),
        RTM_NEWNEIGHTBL,
        message -> {
          Configuration.readNeighbours(
              message.attributes(4),
              link -> parameters.computeIfAbsent(link, none -> new TreeMap<>()));
          return null;
        });
    return new LinkSurroundings(links, parameters);
  }

  /**
   * Returns the links, without statistics. Links that came or went while they were listed may be
   * missing.
   *
   * @return the links by index
   */
  public List<Link> links() {
    return links;
  }

  Map<String, String> neighbourParameters(int index) {
    return neighbourParameters.getOrDefault(index, Map.of());
  }
}
