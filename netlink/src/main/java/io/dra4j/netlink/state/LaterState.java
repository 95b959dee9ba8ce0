package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/**
 * An earlier state of a link, converted to the time and the index of a later state, together with
 * the later state. Other links do not move, and are identified by index and name together, because
 * an index may be reused.
 *
 * @param wanted the desired state
 * @param now the present state
 * @param lost the earlier facts that are no longer desired, because they name unknown links
 */
record LaterState(LinkState wanted, LinkState now, List<Difference> lost) {

  private static final String STAYS = "it was added later, and stays";
  private static final String UNKNOWN = "this release does not restore it";

  static LaterState of(LinkState before, LinkState now) {
    long passed = Math.max(0, now.takenAt() - before.takenAt());
    List<Difference> lost = new ArrayList<>();
    try {
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
      for (FactKind<?> kind : FactKind.ALL) {
        facts.put(kind, later(kind, before, now, passed, lost));
      }
      LinkState wanted = with(before, now, passed, facts);
      Set<IpAddress> ended = new HashSet<>();
      before.addresses().forEach(had -> ended.add(had.address().address()));
      wanted.addresses().forEach(has -> ended.remove(has.address().address()));
      if (!ended.isEmpty()) {
        facts.put(FactKind.ROUTE, withoutSources(wanted, ended, now));
        wanted = with(before, now, passed, facts);
      }
      return new LaterState(wanted, now, lost);
    } catch (NetlinkException.Malformed e) {
      throw new IllegalStateException("messages that were read once must be readable again", e);
    }
  }

  private static LinkState with(
      LinkState one, LinkState now, long passed, Map<FactKind<?>, List<FactKind.Fact<?>>> facts) {
    long time = one.takenAt() + passed;
    return new LinkState(
        time, now.index(), one.name(), one.values(), facts, one.others(), one.unread());
  }

  private static <T extends RouteObject> List<FactKind.Fact<?>> later(
      FactKind<T> kind, LinkState before, LinkState now, long passed, List<Difference> lost)
      throws NetlinkException.Malformed {
    IntUnaryOperator to = index -> index == before.index() ? now.index() : index;
    List<FactKind.Fact<T>> had = before.facts(kind);
    List<FactKind.Fact<T>> moved =
        new ArrayList<>(before.index() == now.index() ? had : kind.moved(had, to));
    Set<FactKind.Fact<T>> there = new HashSet<>(now.facts(kind));
    for (int i = had.size() - 1; i >= 0; i--) {
      Optional<String> why = unknownLink(had.get(i), before, now);
      if (why.isPresent() && !there.contains(moved.get(i))) { // or it only has another name now
        moved.remove(i);
        lost.add(new Difference(had.get(i).toString(), "there", "", 0, why.get()));
      }
    }
    return List.copyOf(kind.after(moved, passed, now.facts(kind)));
  }

  /** Returns the reason why a link in an object is unknown; empty if all are known. */
  private static Optional<String> unknownLink(
      FactKind.Fact<?> fact, LinkState before, LinkState now) {
    for (int index : fact.links()) {
      String name = before.others().getOrDefault(index, "");
      String found = index == now.index() ? now.name() : now.others().getOrDefault(index, name);
      if (index != before.index() && !found.equals(name) && !name.isEmpty()) {
        return Optional.of("link " + index + " was " + name + ", is " + found);
      }
    }
    return Optional.empty();
  }

  /**
   * Removes facts that ended with their source address. When an IPv4 address expires, the kernel
   * deletes the routes that send from it; from IPv6 routes it removes the address. An existing
   * route was set again.
   */
  private static List<FactKind.Fact<?>> withoutSources(
      LinkState wanted, Set<IpAddress> ended, LinkState now) throws NetlinkException.Malformed {
    Set<FactKind.Fact<Route>> there = new HashSet<>(now.facts(FactKind.ROUTE));
    List<Route> routes = new ArrayList<>();
    for (FactKind.Fact<Route> one : wanted.facts(FactKind.ROUTE)) {
      Route had = one.object();
      Optional<IpAddress> gone = had.preferredSource().filter(ended::contains);
      if (gone.isEmpty() || there.contains(one)) {
        routes.add(had);
      } else if (gone.get().isV6() && wanted.ownership().has(had)) {
        routes.add(had.withoutPreferredSource());
      }
    }
    return List.copyOf(FactKind.ROUTE.facts(routes));
  }

  /** Returns the desired state with the later additions, which a link keeps when it goes down. */
  LinkState together() {
    Map<FactKind<?>, List<FactKind.Fact<?>>> both = new HashMap<>();
    for (FactKind<?> kind : FactKind.ALL) {
      List<FactKind.Fact<?>> all = new ArrayList<>(wanted.facts(kind));
      all.addAll(since(kind));
      both.put(kind, List.copyOf(all));
    }
    return with(wanted, now, 0, both);
  }

  /**
   * Returns the later additions, without facts that the kernel creates and without routes of other
   * links that send from addresses of this link.
   */
  private List<FactKind.Fact<?>> since(FactKind<?> kind) {
    List<FactKind.Fact<?>> since = new ArrayList<>(kind.onlyIn(now, wanted));
    since.removeIf(KernelMade::is);
    since.removeIf(one -> one.object() instanceof Route has && !now.ownership().has(has));
    return since;
  }

  /** Returns the differences from the desired state; some of the missing facts are left out. */
  List<Difference> changes(Predicate<FactKind.Fact<?>> leftOut) {
    List<Difference> changes = new ArrayList<>(lost);
    if (!wanted.name().equals(now.name())) {
      changes.add(new Difference("name", wanted.name(), now.name(), 0, ""));
    }
    Set<String> names = new TreeSet<>(wanted.values().keySet());
    names.addAll(now.values().keySet());
    for (String one : names) {
      compare(one, changes);
    }
    for (FactKind<?> kind : FactKind.ALL) {
      if (!wanted.facts(kind).equals(now.facts(kind))) {
        compare(kind, leftOut, changes);
      }
    }
    return Collections.unmodifiableList(changes);
  }

  private void compare(String value, List<Difference> changes) {
    String was = wanted.values().getOrDefault(value, "");
    String is = now.values().getOrDefault(value, "");
    boolean isMissed = !wanted.values().containsKey(value) && ValueName.isMissedOnly(value);
    if (was.equals(is)
        || isMissed
        || value.equals(ValueName.MEMBER_KIND) // it is created with the master
        || isLookedFor(value, is)
        || isOfALinkThatIsDown(value, was, is)) {
      return;
    }
    boolean isExtra =
        was.isEmpty()
            ? value.startsWith(ValueName.UPPER) || value.equals(ValueName.MASTER)
            : value.equals("up") && is.equals("on") && isInUse();
    String why = isExtra ? STAYS : ValueName.isKnown(value) ? "" : UNKNOWN;
    changes.add(new Difference(value, was, is, 0, why));
  }

  /** Returns whether the kernel still looks for duplicates again. */
  private static boolean isLookedFor(String value, String found) {
    return value.startsWith(ValueName.DUPLICATE) && !found.equals(ValueName.FOUND);
  }

  /**
   * Returns whether a missing queue discipline is due to a link that is down: the kernel adds one
   * when the link goes up, and has none after a move.
   */
  private boolean isOfALinkThatIsDown(String value, String was, String is) {
    return value.equals(ValueName.QDISC)
        && wanted.values().getOrDefault("up", "off").equals("off")
        && (was.equals("noop") || is.equals("noop"));
  }

  /** Returns whether there are later additions that would be lost if the link went down. */
  private boolean isInUse() {
    return FactKind.ALL.stream()
        .anyMatch(one -> !one.equals(FactKind.RULE) && !since(one).isEmpty());
  }

  private void compare(
      FactKind<?> kind, Predicate<FactKind.Fact<?>> leftOut, List<Difference> changes) {
    for (FactKind.Fact<?> one : kind.onlyIn(wanted, now)) {
      if (!leftOut.test(one)) {
        changes.add(new Difference(one.toString(), "there", "", 0, ""));
      }
    }
    for (FactKind.Fact<?> one : since(kind)) {
      changes.add(new Difference(one.toString(), "", "there", 0, STAYS));
    }
  }
}
