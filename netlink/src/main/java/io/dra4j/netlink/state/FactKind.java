package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;

/**
 * The kinds of objects that belong to a link in addition to its settings, in the order in which
 * they are restored.
 *
 * @param name the word for the kind in a stored state
 * @param kind the kind in rtnetlink
 * @param lifetime how objects of the kind expire
 * @param moving returns an object with other indices of links
 * @param <T> the type of the objects
 */
record FactKind<T extends RouteObject>(
    String name, ObjectKind kind, Lifetime<T> lifetime, BiFunction<T, IntUnaryOperator, T> moving) {

  static final FactKind<InterfaceAddress> ADDRESS =
      new FactKind<>(
          "address", ObjectKind.ADDRESS, Lifetime.OfAddress.INSTANCE, InterfaceAddress::moved);

  static final FactKind<NextHopObject> NEXT_HOP =
      new FactKind<>("nexthop", ObjectKind.NEXT_HOP, Lifetime.forEver(), NextHopObject::moved);

  static final FactKind<Route> ROUTE =
      new FactKind<>("route", ObjectKind.ROUTE, Lifetime.OfRoute.INSTANCE, Route::moved);

  static final FactKind<Neighbour> NEIGHBOUR =
      new FactKind<>("neighbour", ObjectKind.NEIGHBOUR, Lifetime.forEver(), Neighbour::moved);

  static final FactKind<Rule> RULE =
      new FactKind<>("rule", ObjectKind.RULE, Lifetime.forEver(), Rule::moved);

  static final List<FactKind<?>> ALL = List.of(ADDRESS, NEXT_HOP, ROUTE, NEIGHBOUR, RULE);

  /** Returns each object in the form in which it is compared: as it would be set. */
  List<Fact<T>> facts(List<T> objects) throws NetlinkException.Malformed {
    return ofMessages(objects.stream().map(kind::pack).toList());
  }

  /** Returns the facts of one state that another state lacks, in their order. */
  List<Fact<T>> onlyIn(LinkState one, LinkState other) {
    Set<Fact<T>> only = new LinkedHashSet<>(one.facts(this));
    other.facts(this).forEach(only::remove);
    return new ArrayList<>(only);
  }

  /**
   * Returns the facts that remain after some seconds. An expiring object may have been renewed
   * meanwhile.
   *
   * @param now the facts that exist then
   */
  List<Fact<T>> after(List<Fact<T>> facts, long seconds, List<Fact<T>> now)
      throws NetlinkException.Malformed {
    if (facts.stream().noneMatch(one -> lifetime.ends(one.object))) {
      return facts;
    }
    Map<T, T> there = new HashMap<>();
    now.forEach(one -> there.put(lifetime.untimed(one.object), one.object));
    List<T> left = new ArrayList<>();
    for (Fact<T> one : facts) {
      if (lifetime.ends(one.object)) {
        Optional<T> rest = lifetime.after(one.object, seconds);
        T found = there.get(lifetime.untimed(one.object));
        if (found == null) {
          rest.ifPresent(left::add);
        } else {
          left.add(rest.isEmpty() ? found : lifetime.longer(found, rest.get()));
        }
      } else {
        left.add(one.object);
      }
    }
    return facts(left);
  }

  /** Returns the facts with other indices of links. */
  List<Fact<T>> moved(List<Fact<T>> facts, IntUnaryOperator to) throws NetlinkException.Malformed {
    return facts(facts.stream().map(one -> moving.apply(one.object, to)).toList());
  }

  /** Returns the facts for messages that set objects. */
  @SuppressWarnings("unchecked") // the kind creates objects of its own type
  List<Fact<T>> ofMessages(List<byte[]> messages) throws NetlinkException.Malformed {
    List<Fact<T>> facts = new ArrayList<>();
    for (byte[] message : messages) {
      T object = (T) kind.unpack(message);
      byte[] compared = lifetime.ends(object) ? kind.pack(lifetime.compared(object)) : message;
      facts.add(new Fact<>(this, object, ByteBuffer.wrap(message), ByteBuffer.wrap(compared)));
    }
    return facts;
  }

  /**
   * An object and the message that sets it, by which facts are compared.
   *
   * @param kind the kind of the object
   * @param object the object
   * @param message the payload of the message
   * @param compared the message after {@link Lifetime#compared}
   * @param <T> the type of the object
   */
  record Fact<T extends RouteObject>(
      FactKind<T> kind, T object, ByteBuffer message, ByteBuffer compared) {

    /** Returns the indices of links in the object. */
    Set<Integer> links() {
      Set<Integer> links = new HashSet<>();
      T unused =
          kind.moving.apply(
              object,
              index -> {
                links.add(index);
                return index;
              });
      return links;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Fact<?> fact
          && kind.kind == fact.kind.kind
          && compared.equals(fact.compared);
    }

    @Override
    public int hashCode() {
      return compared.hashCode();
    }

    @Override
    public String toString() {
      return kind.name + " " + object;
    }
  }
}
