package io.dra4j.netlink.route;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of objects that rtnetlink lists ({@code linux/rtnetlink.h}): the one list from which
 * {@link RouteNetlink#list(ObjectKind)}, the comparison with {@code ip}, fuzzing, hostile answers
 * and soak tests take them, so that none forgets a new one.
 */
public enum ObjectKind {
  /** Links: {@link Links}, {@code RTM_NEWLINK}. */
  LINK(16),
  /** Addresses of links: {@link Addresses}, {@code RTM_NEWADDR}. */
  ADDRESS(20),
  /** Routes: {@link Routes}, {@code RTM_NEWROUTE}. */
  ROUTE(24),
  /** Neighbours: {@link Neighbours}, {@code RTM_NEWNEIGH}. */
  NEIGHBOUR(28),
  /** Rules: {@link Rules}, {@code RTM_NEWRULE}. */
  RULE(32),
  /** Next-hop objects: {@link NextHopObjects}, {@code RTM_NEWNEXTHOP}. */
  NEXT_HOP(104);

  private static final ObjectKind[] KINDS = values();

  /** The type of messages that add, change and tell: {@code RTM_NEW...}. */
  final int newType;

  /** The type of messages that delete and tell of it: {@code RTM_DEL...}. */
  final int deleteType;

  /** The type of questions: {@code RTM_GET...}. */
  final int getType;

  ObjectKind(int newType) {
    this.newType = newType;
    this.deleteType = newType + 1;
    this.getType = newType + 2;
  }

  /**
   * Returns the type of the messages that add, change and tell of an object of this kind.
   *
   * @return the number of {@code RTM_NEW...} in {@code linux/rtnetlink.h}
   */
  public int messageType() {
    return newType;
  }

  /** The kind that messages of a type tell of, if there is one. */
  static @Nullable ObjectKind of(int type) {
    for (ObjectKind kind : KINDS) {
      if (type == kind.newType || type == kind.deleteType) {
        return kind;
      }
    }
    return null;
  }

  /** {@return the kind in words, for example {@code next-hop object}} */
  @Override
  public String toString() {
    return this == NEXT_HOP ? "next-hop object" : name().toLowerCase(Locale.ROOT);
  }
}
