package io.dra4j.netlink.state;

import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An obstacle to moving a link to another namespace and restoring it afterwards.
 *
 * @param kind the kind of obstacle
 * @param objects the names of the objects: the master, the links on it, the groups or the routes
 * @param text a sentence for operators with the link, the objects, and what to do
 */
public record Obstacle(Kind kind, List<String> objects, String text) {

  /** The kinds of obstacles. */
  public enum Kind {
    /** The link is a member of a bridge, a bond or a team, which has settings for it. */
    MEMBER,
    /** Links on this one, such as VLANs and macvlans, which lose their connection by the move. */
    UPPER_LINK,
    /** Groups of next-hop objects that also have members of other links. */
    SHARED_NEXT_HOP,
    /** Routes that also have next hops of other links. */
    SHARED_ROUTE
  }

  private static final int NAMED = 8;

  /** Copies the list. {@inheritDoc} */
  public Obstacle {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(text, "text");
    objects = List.copyOf(objects);
  }

  static List<Obstacle> of(LinkState state) {
    List<Obstacle> obstacles = new ArrayList<>();
    String name = state.name();
    addMaster(obstacles, state);
    add(
        obstacles,
        Kind.UPPER_LINK,
        state.values().keySet().stream()
            .filter(one -> one.startsWith(ValueName.UPPER))
            .map(one -> one.substring(ValueName.UPPER.length()))
            .toList(),
        "links on top of " + name,
        "delete them first: ip link del dev NAME");
    add(
        obstacles,
        Kind.SHARED_NEXT_HOP,
        state.nextHopObjects().stream()
            .filter(one -> isShared(one, state))
            .map(one -> Integer.toUnsignedString(one.id()))
            .toList(),
        "next-hop groups that " + name + " shares with other links",
        "remove its next hops from them first: ip nexthop replace id ID group ...");
    add(
        obstacles,
        Kind.SHARED_ROUTE,
        state.routes().stream()
            .filter(one -> isShared(one, state))
            .map(one -> one.destination() + " table " + Integer.toUnsignedString(one.table()))
            .toList(),
        "routes with next hops through " + name + " and other links",
        "replace them by routes through single links");
    return obstacles;
  }

  private static void addMaster(List<Obstacle> obstacles, LinkState state) {
    String name = state.name();
    String master = state.values().get(ValueName.MASTER);
    String kind = state.values().getOrDefault(ValueName.MEMBER_KIND, "");
    if (master != null && !kind.equals("vrf")) { // a VRF has no settings for its members
      obstacles.add(
          new Obstacle(
              Kind.MEMBER,
              List.of(master),
              "%s is a member of %s; remove it first: ip link set dev %s nomaster"
                  .formatted(name, (kind + " " + master).strip(), name)));
    }
  }

  private static void add(
      List<Obstacle> obstacles, Kind kind, List<String> objects, String what, String remedy) {
    if (!objects.isEmpty()) {
      String named = String.join(", ", objects.subList(0, Math.min(NAMED, objects.size())));
      String more = objects.size() > NAMED ? " and " + (objects.size() - NAMED) + " more" : "";
      obstacles.add(
          new Obstacle(kind, objects, "%s: %s%s; %s".formatted(what, named, more, remedy)));
    }
  }

  /** Returns whether a group of the link has members of other links. */
  static boolean isShared(NextHopObject object, LinkState state) {
    return !state.ownership().objects().containsAll(object.group().keySet());
  }

  /** Returns whether a route has next hops of other links, not counting those of an object. */
  static boolean isShared(Route route, LinkState state) {
    return route.nextHopObject().isEmpty()
        && state.ownership().has(route)
        && route.nextHops().stream()
            .anyMatch(hop -> hop.index().orElse(state.index()) != state.index());
  }
}
