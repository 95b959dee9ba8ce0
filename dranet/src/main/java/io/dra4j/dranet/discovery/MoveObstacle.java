package io.dra4j.dranet.discovery;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The reason why a link must stay in its network namespace. Discovery does not offer such a link,
 * and attaching refuses it.
 *
 * @param kind the kind of the reason
 * @param reason a sentence that begins with the name of the link
 */
public record MoveObstacle(Kind kind, String reason) {

  /** A kind of reasons. */
  public enum Kind {
    /** The kernel never moves links of this kind. */
    IMMOVABLE,
    /** The link is a member of another link, such as a bridge, a bond or a team; not of a VRF. */
    MEMBER,
    /** Other links are built on the link, such as VLANs and macvlans. */
    UPPER_LINK,
    /** A default route of the host uses the link, or a link that is built on it. */
    UPLINK,
    /** Like {@link #UPLINK}, but the route comes from a router advertisement. */
    ADVERTISED_UPLINK
  }

  private static final int NAMED = 8;

  /** Kinds that the kernel never moves (netns_immutable of linux/netdevice.h). */
  private static final Set<String> IMMOVABLE =
      Set.of("bridge", "bond", "team", "vrf", "hsr", "batadv", "amt", "ppp", "openvswitch");

  /** Links that tunnel modules create in each namespace, with their kinds. */
  private static final Map<String, String> FALLBACKS =
      Map.of(
          "tunl0", "ipip",
          "gre0", "gre",
          "gretap0", "gretap",
          "erspan0", "erspan",
          "ip_vti0", "vti",
          "ip6_vti0", "vti6",
          "sit0", "sit",
          "ip6tnl0", "ip6tnl",
          "ip6gre0", "ip6gre");

  /**
   * {@return the reasons by the names of the links; links without a reason are left out}
   *
   * @param routes the routes of the main table ({@link Uplinks#mainRoutes})
   * @param links the links
   */
  public static Map<String, MoveObstacle> of(List<Route> routes, List<Link> links) {
    Map<Integer, Route> uplinks = Uplinks.routes(routes, links);
    Map<Integer, Link> byIndex = new HashMap<>();
    Map<Integer, List<String>> uppers = new HashMap<>();
    for (Link link : links) {
      byIndex.put(link.index(), link);
      if (link.lowerIndex().isPresent()) {
        uppers
            .computeIfAbsent(link.lowerIndex().getAsInt(), none -> new ArrayList<>())
            .add(link.name());
      }
    }
    Map<String, MoveObstacle> all = new TreeMap<>();
    for (Link link : links) {
      Optional<MoveObstacle> found = of(link);
      Link master = byIndex.get(link.masterIndex().orElse(0));
      List<String> above = uppers.get(link.index());
      Route route = uplinks.get(link.index());
      if (route != null) { // the most important reason for the host
        found = Optional.of(ofUplink(link, route));
      } else if (found.isEmpty() && master != null && !master.kind().equals("vrf")) {
        found = Optional.of(ofMember(link, master));
      } else if (found.isEmpty() && above != null) {
        found = Optional.of(ofLower(link, above));
      }
      found.ifPresent(one -> all.put(link.name(), one));
    }
    return all;
  }

  /**
   * {@return the reason in a link itself, without other links; empty if the kernel moves its kind}
   *
   * @param link the link
   */
  public static Optional<MoveObstacle> of(Link link) {
    boolean fallback = link.kind().equals(FALLBACKS.get(link.name()));
    if (!link.isLoopback() && !IMMOVABLE.contains(link.kind()) && !fallback) {
      return Optional.empty();
    }
    String kind = link.isLoopback() ? "loopback" : link.kind();
    return Optional.of(
        new MoveObstacle(
            Kind.IMMOVABLE,
            link.name()
                + " cannot be moved: "
                + (fallback ? "the default tunnel of kind " : "a link of kind ")
                + kind
                + " stays in its network namespace"));
  }

  private static MoveObstacle ofMember(Link link, Link master) {
    return new MoveObstacle(
        Kind.MEMBER,
        "%s cannot be moved: it is a member of %s %s; remove it first (ip link set %s nomaster)"
            .formatted(link.name(), master.kind(), master.name(), link.name()));
  }

  private static MoveObstacle ofLower(Link link, List<String> above) {
    String names = String.join(", ", above.subList(0, Math.min(NAMED, above.size())));
    return new MoveObstacle(
        Kind.UPPER_LINK,
        ("%s cannot be moved: other links are built on %s: %s%s; delete them first (ip link"
                + " delete NAME)")
            .formatted(link.name(), link.name(), names, above.size() > NAMED ? ", ..." : ""));
  }

  private static MoveObstacle ofUplink(Link link, Route route) {
    String text = link.name() + " is an uplink of the host: a default route uses it";
    if (route.protocol() != Uplinks.ROUTER_ADVERTISEMENT) {
      return new MoveObstacle(Kind.UPLINK, text);
    }
    return new MoveObstacle(
        Kind.ADVERTISED_UPLINK,
        text
            + ", which comes from a router advertisement; to ignore these routes, set net.ipv6.conf."
            + link.name()
            + ".accept_ra_defrtr=0");
  }

  /** {@return whether a default route of the host uses the link: moving it cuts the host off} */
  public boolean isUplink() {
    return kind == Kind.UPLINK || kind == Kind.ADVERTISED_UPLINK;
  }
}
