package io.dra4j.netlink.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The differences between an earlier and a later list of links, addresses, routes, rules or
 * neighbours of one network namespace. Immutable.
 *
 * <pre>{@code
 * Changes<Route> changes = Changes.ofRoutes(before, route.routes().list());
 * changes.changed().forEach(change -> System.out.println(change.properties()));
 * }</pre>
 *
 * @param added the new elements, in the order of the later list
 * @param gone the removed elements, in the order of the earlier list
 * @param changed the elements with changed properties
 * @param <T> the type of the elements
 */
public record Changes<T>(List<T> added, List<T> gone, List<Change<T>> changed) {

  private static final Map<String, Function<Link, Object>> LINK = linkProperties();

  private static final Map<String, Function<InterfaceAddress, Object>> ADDRESS =
      Map.of(
          "broadcast", InterfaceAddress::broadcast,
          "label", InterfaceAddress::label,
          "scope", InterfaceAddress::scope,
          "flags", InterfaceAddress::flags,
          "state", InterfaceAddress::state,
          "valid", InterfaceAddress::validSeconds,
          "preferred", InterfaceAddress::preferredSeconds,
          "attributes", InterfaceAddress::attributes);

  private static final Map<String, Function<Route, Object>> ROUTE =
      Map.of(
          "source", Route::source,
          "protocol", Route::protocol,
          "scope", Route::scope,
          "type", Route::type,
          "flags", Route::flags,
          "state", Route::state,
          "gateway", Route::gateway,
          "link", Route::index,
          "nexthops", Route::nextHops,
          "attributes", Route::attributes);

  private static final Map<String, Function<Rule, Object>> RULE = Map.of("state", Rule::state);

  private static final Map<String, Function<Neighbour, Object>> NEIGHBOUR =
      Map.of(
          "lladdr", Neighbour::address,
          "state", Neighbour::state,
          "flags", Neighbour::flags,
          "attributes", Neighbour::attributes);

  /** Copies the lists. {@inheritDoc} */
  public Changes {
    added = List.copyOf(added);
    gone = List.copyOf(gone);
    changed = List.copyOf(changed);
  }

  /**
   * An element that changed.
   *
   * @param before the earlier element
   * @param after the later element
   * @param properties the properties that differ, by name
   * @param <T> the type of the element
   */
  public record Change<T>(T before, T after, Map<String, Values> properties) {

    /** Copies the map. {@inheritDoc} */
    public Change {
      properties = Map.copyOf(properties);
    }
  }

  /**
   * The values of a property, as text.
   *
   * @param before the earlier value; empty for none
   * @param after the later value; empty for none
   */
  public record Values(String before, String after) {}

  private static Map<String, Function<Link, Object>> linkProperties() {
    Map<String, Function<Link, Object>> all = new TreeMap<>();
    all.put("name", Link::name);
    all.put("altnames", Link::alternativeNames);
    all.put("flags", Link::flags);
    all.put("up", Link::isUp);
    all.put("address", Link::address);
    all.put("broadcast", Link::broadcast);
    all.put("mtu", Link::mtu);
    all.put("state", Link::operationalState);
    all.put("mode", Link::linkMode);
    all.put("carrier", Link::hasCarrier);
    all.put("protodown", Link::isProtocolDown);
    all.put("link", Link::parentIndex);
    all.put("master", Link::masterIndex);
    all.put("group", Link::group);
    all.put("promiscuity", Link::promiscuity);
    all.put("allmulti", Link::allMulticast);
    all.put("xdp", Link::xdpProgram);
    all.put("qdisc", Link::queueDiscipline);
    all.put("kind", Link::kind);
    all.put("member", Link::memberKind);
    all.put("data", Link::kindAttributes);
    all.put("member data", Link::memberAttributes);
    all.put("alias", Link::alias);
    all.put("limits", Link::limits);
    all.put("addrgenmode", Link::addressGeneration);
    all.put("token", Link::token);
    return all;
  }

  /**
   * {@return the differences of links, identified by their index; counters are not compared}
   *
   * @param before the earlier links
   * @param after the later ones
   */
  public static Changes<Link> ofLinks(Collection<Link> before, Collection<Link> after) {
    return between(before, after, Link::index, LINK);
  }

  /**
   * {@return the differences of addresses, which are identified by link, prefix and peer}
   *
   * @param before the earlier addresses
   * @param after the later ones
   */
  public static Changes<InterfaceAddress> ofAddresses(
      Collection<InterfaceAddress> before, Collection<InterfaceAddress> after) {
    return between(before, after, one -> List.of(one.index(), one.address(), one.peer()), ADDRESS);
  }

  /**
   * {@return route differences, by the kernel's key: table, destination, type of service, metric}
   *
   * @param before the earlier routes
   * @param after the later ones
   */
  public static Changes<Route> ofRoutes(Collection<Route> before, Collection<Route> after) {
    return between(
        before,
        after,
        one -> List.of(one.table(), one.destination(), one.typeOfService(), one.metric()),
        ROUTE);
  }

  /**
   * {@return the differences of rules, which never change: equal settings make the same rule}
   *
   * @param before the earlier rules
   * @param after the later ones
   */
  public static Changes<Rule> ofRules(Collection<Rule> before, Collection<Rule> after) {
    return between(before, after, Rule::withoutState, RULE);
  }

  /**
   * {@return the differences of neighbours, which are identified by link and IP address}
   *
   * @param before the earlier neighbours
   * @param after the later ones
   */
  public static Changes<Neighbour> ofNeighbours(
      Collection<Neighbour> before, Collection<Neighbour> after) {
    return between(before, after, one -> List.of(one.index(), one.destination()), NEIGHBOUR);
  }

  /** Compares two lists. Several elements with the same identity are compared in their order. */
  private static <T> Changes<T> between(
      Collection<T> before,
      Collection<T> after,
      Function<T, Object> identity,
      Map<String, Function<T, Object>> properties) {
    Map<Object, List<T>> earlier = new LinkedHashMap<>();
    before.forEach(
        one -> earlier.computeIfAbsent(identity.apply(one), key -> new ArrayList<>()).add(one));
    List<T> added = new ArrayList<>();
    List<Change<T>> changed = new ArrayList<>();
    for (T one : after) {
      List<T> same = earlier.getOrDefault(identity.apply(one), List.of());
      if (same.isEmpty()) {
        added.add(one);
      } else {
        T was = same.remove(0);
        Map<String, Values> different = different(was, one, properties);
        if (!different.isEmpty()) {
          changed.add(new Change<>(was, one, different));
        }
      }
    }
    List<T> gone = new ArrayList<>();
    earlier.values().forEach(gone::addAll);
    return new Changes<>(added, gone, changed);
  }

  private static <T> Map<String, Values> different(
      T before, T after, Map<String, Function<T, Object>> properties) {
    Map<String, Values> different = new TreeMap<>();
    properties.forEach(
        (name, property) -> {
          Object was = property.apply(before);
          Object is = property.apply(after);
          if (!was.equals(is)) {
            different.put(name, new Values(text(was), text(is)));
          }
        });
    return different;
  }

  private static String text(Object value) {
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(Object::toString).orElse("");
    }
    return value.toString();
  }

  /** {@return whether nothing is different} */
  public boolean isEmpty() {
    return added.isEmpty() && gone.isEmpty() && changed.isEmpty();
  }
}
