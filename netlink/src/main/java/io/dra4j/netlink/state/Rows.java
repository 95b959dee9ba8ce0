package io.dra4j.netlink.state;

import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects of a link of which the kernel uses the first: its addresses, to send from, equal routes,
 * and rules of one priority. Such stand in a row, at whose end new ones come, so that what stands
 * before its place has to go and come anew. How a row stands among those of others, {@link
 * Surroundings} tells.
 */
final class Rows {

  private static final String SECONDARY = "secondary";

  private Rows() {}

  /** What tells the row of an object from others; empty for what stands in none. */
  static String place(RouteObject object, Ways ways) {
    if (object instanceof Rule rule) {
      return place(rule);
    }
    if (object instanceof Route route && ways.has(route)) {
      return place(route);
    }
    if (object instanceof InterfaceAddress one) {
      return one.address().address().isV6() ? "IPv6 addresses" : "IPv4 addresses";
    }
    return "";
  }

  static String place(Rule one) {
    String priority = Integer.toUnsignedString(one.priority().orElse(0));
    return (one.v6() ? "IPv6 rule " : "rule ") + priority;
  }

  static String place(Route one) {
    return "route "
        + one.destination()
        + one.source().map(from -> " from " + from).orElse("")
        + " table "
        + Integer.toUnsignedString(one.table())
        + (one.typeOfService() == 0 ? "" : " tos " + one.typeOfService())
        + (one.metric() == 0 ? "" : " metric " + Integer.toUnsignedString(one.metric()));
  }

  /** Facts by their rows, without addresses that the kernel makes itself. */
  static <T extends RouteObject> Map<String, List<FactKind.Fact<T>>> of(
      List<FactKind.Fact<T>> facts, Ways ways) {
    Map<String, List<FactKind.Fact<T>>> rows = new LinkedHashMap<>();
    for (FactKind.Fact<T> one : facts) {
      String place = place(one.object(), ways);
      boolean isNotOurs = one.object() instanceof InterfaceAddress && LinkReader.isByKernel(one);
      if (!place.isEmpty() && !isNotOurs) {
        rows.computeIfAbsent(place, none -> new ArrayList<>()).add(one);
      }
    }
    return rows;
  }

  /** In which rows those that were there and still are have another order. */
  static <T extends RouteObject> List<Difference> compare(
      FactKind<T> kind, LinkState before, LinkState now) {
    List<FactKind.Fact<T>> wanted = common(before.facts(kind), now.facts(kind));
    List<FactKind.Fact<T>> found = common(now.facts(kind), before.facts(kind));
    List<Difference> differences = new ArrayList<>();
    if (wanted.equals(found)) {
      return differences;
    }
    Map<String, List<FactKind.Fact<T>>> rows = of(found, now.ways());
    of(wanted, before.ways())
        .forEach(
            (place, row) -> {
              List<FactKind.Fact<T>> there = rows.getOrDefault(place, List.of());
              int at = 0;
              while (at < row.size() && at < there.size() && row.get(at).equals(there.get(at))) {
                at++;
              }
              if (at < row.size() && at < there.size()) {
                String first = row.get(at).object().toString();
                String other = there.get(at).object().toString();
                differences.add(
                    new Difference(
                        LinkReader.OWN_ORDER + place,
                        first + " before " + other,
                        other + " before " + first,
                        0,
                        ""));
              }
            });
    return differences;
  }

  /** Those of a list that are in another one, in its order. */
  static <T> List<T> common(List<T> all, List<T> others) {
    Set<T> common = new LinkedHashSet<>(all);
    common.retainAll(new HashSet<>(others));
    return new ArrayList<>(common);
  }

  /**
   * Of the rules of a link in a row those behind the last one of others.
   *
   * @param all the rules of the row
   */
  static List<FactKind.Fact<Rule>> behindOthers(List<FactKind.Fact<Rule>> ours, List<Rule> all) {
    Map<Rule, FactKind.Fact<Rule>> own = new HashMap<>();
    ours.forEach(one -> own.put(one.object(), one));
    List<FactKind.Fact<Rule>> behind = new ArrayList<>();
    for (Rule one : all) {
      FactKind.Fact<Rule> fact = own.get(one.withoutState());
      if (fact == null) {
        behind.clear();
      } else {
        behind.add(fact);
      }
    }
    return behind;
  }

  /** The first ones of a row, as far as they stand behind each other in the one that is there. */
  static <T> List<T> inPlace(List<T> wanted, List<T> found) {
    List<T> inPlace = new ArrayList<>();
    for (T one : found) {
      if (inPlace.size() < wanted.size() && wanted.get(inPlace.size()).equals(one)) {
        inPlace.add(one);
      }
    }
    return inPlace;
  }

  /**
   * Addresses that may stay. With the first IPv4 address of a network go the others of it, which
   * are secondary, or one of them comes into its place.
   *
   * @param wanted those that are to be there, in the kernel's order
   * @param found those that are there
   */
  static Set<InterfaceAddress> addressesInPlace(
      List<InterfaceAddress> wanted, List<InterfaceAddress> found) {
    Map<String, List<InterfaceAddress>> rows = addresses(wanted);
    Map<String, List<InterfaceAddress>> there = addresses(found);
    List<InterfaceAddress> secondary = rows.getOrDefault(SECONDARY, List.of());
    rows.remove(SECONDARY);
    Set<InterfaceAddress> inPlace = new HashSet<>();
    rows.forEach(
        (place, row) -> inPlace.addAll(inPlace(row, there.getOrDefault(place, List.of()))));
    Set<Long> networks = new HashSet<>();
    for (InterfaceAddress one : inPlace) {
      if (!one.address().address().isV6()) {
        networks.add(network(one));
      }
    }
    List<InterfaceAddress> left = new ArrayList<>(there.getOrDefault(SECONDARY, List.of()));
    left.removeIf(one -> !networks.contains(network(one)));
    inPlace.addAll(inPlace(secondary, left));
    return inPlace;
  }

  /** Addresses by the rows at whose end the kernel puts new ones ({@code inet_insert_ifa}). */
  private static Map<String, List<InterfaceAddress>> addresses(List<InterfaceAddress> told) {
    Map<String, List<InterfaceAddress>> rows = new HashMap<>();
    Set<Long> networks = new HashSet<>();
    for (InterfaceAddress one : told) {
      IpAddress address = one.address().address();
      String row =
          address.isV6()
              ? "IPv6 of scope " + one.scope()
              : networks.add(network(one)) ? "IPv4 of scope " + one.scope() : SECONDARY;
      rows.computeIfAbsent(row, none -> new ArrayList<>()).add(one);
    }
    rows.forEach(
        (row, all) -> {
          if (row.startsWith("IPv6")) { // it tells the last one first (ipv6_link_dev_addr)
            Collections.reverse(all);
          }
        });
    return rows;
  }

  /** The bits of an IPv4 address, or of its other end, that its length counts, and the length. */
  static long network(InterfaceAddress one) {
    int length = one.address().length();
    IpAddress to = one.peer().orElse(one.address().address());
    long bits = Integer.toUnsignedLong(ByteBuffer.wrap(to.toBytes()).getInt());
    return (bits >>> (32 - length) << 8) | length;
  }
}
