package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The kinds of objects that belong to a link beside its settings, each with the type of its
 * messages ({@code linux/rtnetlink.h}), where those hold the index of the link, and how it is set,
 * removed and listed. In the order in which they are restored.
 *
 * @param <T> the objects
 */
record FactKind<T>(
    String name,
    ObjectKind kind,
    int indexAt,
    int header,
    List<Integer> indexAttributes,
    StoredMessages.Adding<T> adding,
    StoredMessages.Adding<T> removing,
    StoredMessages.Work<List<T>> listing) {

  private static final int RTA_MULTIPATH = 9;
  private static final int RTA_EXPIRES = 23;
  private static final int IFA_CACHEINFO = 6;

  static final FactKind<InterfaceAddress> ADDRESS =
      new FactKind<>(
          "address",
          ObjectKind.ADDRESS,
          4,
          8,
          List.of(),
          (netlink, one) -> netlink.addresses().add(one),
          (netlink, one) -> netlink.addresses().delete(one),
          netlink -> netlink.addresses().list());

  static final FactKind<NextHopObject> NEXT_HOP =
      new FactKind<>(
          "nexthop",
          ObjectKind.NEXT_HOP,
          -1,
          8,
          List.of(5), // NHA_OIF
          (netlink, one) -> netlink.nextHopObjects().add(one),
          (netlink, one) -> netlink.nextHopObjects().delete(one),
          netlink -> netlink.nextHopObjects().list());

  static final FactKind<Route> ROUTE =
      new FactKind<>(
          "route",
          ObjectKind.ROUTE,
          -1,
          12,
          List.of(4), // RTA_OIF
          (netlink, one) -> netlink.routes().add(one),
          (netlink, one) -> netlink.routes().delete(one),
          netlink -> netlink.routes().list());

  static final FactKind<Neighbour> NEIGHBOUR =
      new FactKind<>(
          "neighbour",
          ObjectKind.NEIGHBOUR,
          4,
          12,
          List.of(),
          (netlink, one) -> netlink.neighbours().add(one),
          (netlink, one) -> netlink.neighbours().delete(one),
          netlink -> netlink.neighbours().list());

  static final FactKind<Rule> RULE =
      new FactKind<>(
          "rule",
          ObjectKind.RULE,
          -1,
          12,
          List.of(),
          (netlink, one) -> netlink.rules().add(one),
          (netlink, one) -> netlink.rules().delete(one),
          netlink -> netlink.rules().list());

  static final List<FactKind<?>> ALL = List.of(ADDRESS, NEXT_HOP, ROUTE, NEIGHBOUR, RULE);

  void add(RouteNetlink netlink, T object) throws NetlinkException {
    adding.add(netlink, object);
  }

  void remove(RouteNetlink netlink, T object) throws NetlinkException {
    removing.add(netlink, object);
  }

  /** Each object in the form in which it is compared: as it would be set. */
  List<Fact<T>> facts(List<T> objects) throws NetlinkException {
    return facts(StoredMessages.pack(objects, adding), 0, 0);
  }

  /** The objects of messages, those on one link moved to another. */
  List<Fact<T>> facts(List<byte[]> payloads, int from, int to) throws NetlinkException {
    List<byte[]> moved = new ArrayList<>();
    for (byte[] payload : payloads) {
      moved.add(from == to ? payload : moved(payload, from, to));
    }
    List<T> objects = StoredMessages.unpack(kind.messageType(), moved, listing);
    if (objects.size() != moved.size()) {
      throw new NetlinkException.Malformed(
          (moved.size() - objects.size()) + " of " + moved.size() + " messages are no " + name);
    }
    List<Fact<T>> facts = new ArrayList<>();
    for (int i = 0; i < moved.size(); i++) {
      facts.add(new Fact<>(this, objects.get(i), moved.get(i)));
    }
    return facts;
  }

  private byte[] moved(byte[] payload, int from, int to) {
    byte[] copy = payload.clone();
    ByteBuffer message = ByteBuffer.wrap(copy).order(ByteOrder.nativeOrder());
    if (indexAt >= 0) {
      replace(message, indexAt, from, to);
    }
    int at = header;
    while (at + 4 <= copy.length) {
      int size = Short.toUnsignedInt(message.getShort(at));
      int attribute = message.getShort(at + 2) & 0x3fff;
      if (indexAttributes.contains(attribute)) {
        replace(message, at + 4, from, to);
      } else if (kind == ObjectKind.ROUTE && attribute == RTA_MULTIPATH) {
        moveHops(message, at + 4, Math.min(at + size, copy.length), from, to);
      }
      at += Math.max(4, (size + 3) & ~3);
    }
    return copy;
  }

  /** {@code struct rtnexthop}: its length, flags, weight and the index of its link. */
  private static void moveHops(ByteBuffer message, int start, int end, int from, int to) {
    int at = start;
    while (at + 8 <= end) {
      replace(message, at + 4, from, to);
      at += Math.max(8, (Short.toUnsignedInt(message.getShort(at)) + 3) & ~3);
    }
  }

  private byte[] without(byte[] payload, int attribute) {
    ByteBuffer message = ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder());
    for (int at = header; at + 4 <= payload.length; ) {
      int next = at + Math.max(4, (Short.toUnsignedInt(message.getShort(at)) + 3) & ~3);
      if (message.getShort(at + 2) == attribute && next <= payload.length) {
        byte[] rest = Arrays.copyOf(payload, payload.length - next + at);
        System.arraycopy(payload, next, rest, at, payload.length - next);
        return rest;
      }
      at = next;
    }
    return payload;
  }

  private static void replace(ByteBuffer message, int at, int from, int to) {
    if (at + 4 <= message.limit() && message.getInt(at) == from) {
      message.putInt(at, to);
    }
  }

  /** Whether this is a kind, of which there is one object each. */
  boolean is(FactKind<?> other) {
    return kind == other.kind;
  }

  /**
   * An object and the message that sets it, by which facts are compared.
   *
   * @param <T> the object
   */
  static final class Fact<T> {

    private final FactKind<T> kind;
    private final T object;
    private final byte[] message;
    private final byte[] compared; // the message without times, which are never twice the same

    private Fact(FactKind<T> kind, T object, byte[] message) {
      this.kind = kind;
      this.object = object;
      this.message = message;
      int time = kind.is(ADDRESS) ? IFA_CACHEINFO : kind.is(ROUTE) ? RTA_EXPIRES : 0;
      this.compared = time == 0 ? message : kind.without(message, time);
    }

    T object() {
      return object;
    }

    /** The payload of the message, which nobody changes. */
    byte[] message() {
      return message;
    }

    void add(RouteNetlink netlink) throws NetlinkException {
      kind.add(netlink, object);
    }

    void remove(RouteNetlink netlink) throws NetlinkException {
      kind.remove(netlink, object);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Fact<?> fact
          && kind.is(fact.kind)
          && Arrays.equals(compared, fact.compared);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(compared);
    }

    @Override
    public String toString() {
      return kind.name + " " + object;
    }
  }
}
