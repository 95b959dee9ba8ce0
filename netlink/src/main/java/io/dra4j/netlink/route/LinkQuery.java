package io.dra4j.netlink.route;

import io.dra4j.netlink.MessageWriter;

/**
 * Selects the links to list, and their facts. Immutable.
 *
 * <pre>{@code
 * List<Link> bridges = route.links().list(LinkQuery.lean().ofKind("bridge"));
 * }</pre>
 *
 * <p>Virtual functions are never listed with links, because reading them can hold the kernel's lock
 * of all links for a second; {@link Links#virtualFunctions} reads the virtual functions of one
 * link.
 */
public final class LinkQuery {

  /** {@code RTEXT_FILTER_VF} of {@code linux/rtnetlink.h}. */
  static final int VIRTUAL_FUNCTIONS = 1;

  /** {@code RTEXT_FILTER_SKIP_STATS}: without statistics of IPv6 and of virtual functions. */
  static final int SKIP_STATISTICS = 8;

  private final boolean statistics;
  private final String kind;
  private final int master;
  private final int namespace;
  private final boolean amidChanges;

  private LinkQuery(
      boolean statistics, String kind, int master, int namespace, boolean amidChanges) {
    this.statistics = statistics;
    this.kind = kind;
    this.master = master;
    this.namespace = namespace;
    this.amidChanges = amidChanges;
  }

  /** {@return a query for all links, with statistics} */
  public static LinkQuery full() {
    return new LinkQuery(true, "", 0, -1, false);
  }

  /** {@return a query for all links, without statistics, which are the most expensive part} */
  public static LinkQuery lean() {
    return new LinkQuery(false, "", 0, -1, false);
  }

  /**
   * {@return the query for only the links of a kind ({@code IFLA_INFO_KIND})}
   *
   * @param newKind for example {@code bridge}
   * @throws IllegalArgumentException if it is empty
   */
  public LinkQuery ofKind(String newKind) {
    if (newKind.isEmpty()) {
      throw new IllegalArgumentException("the kind of links to list must not be empty");
    }
    return new LinkQuery(statistics, newKind, master, namespace, amidChanges);
  }

  /**
   * {@return the query for only the members of a bridge, bond or VRF ({@code IFLA_MASTER})}
   *
   * @param index the index of the master
   * @throws IllegalArgumentException if the index is not positive
   */
  public LinkQuery membersOf(int index) {
    return new LinkQuery(statistics, kind, Links.checkIndex(index), namespace, amidChanges);
  }

  /**
   * {@return the query for links of another namespace, not entered ({@code IFLA_TARGET_NETNSID})}
   *
   * @param number the number of that namespace in this namespace; see {@link NamespaceIds}
   * @throws IllegalArgumentException if the number is negative
   */
  public LinkQuery inNamespace(int number) {
    Numbers.positive("number of a namespace", number);
    return new LinkQuery(statistics, kind, master, number, amidChanges);
  }

  /**
   * {@return the query that accepts a list during which links were added or removed, if the second
   * attempt was interrupted too} Links that exist during the whole attempt are in the list. Without
   * this option, such a list fails with {@link io.dra4j.netlink.NetlinkException.DumpInterrupted},
   * nearly always in a namespace with hundreds of links of which some always move.
   */
  public LinkQuery amidChanges() {
    return new LinkQuery(statistics, kind, master, namespace, true);
  }

  boolean isAmidChanges() {
    return amidChanges;
  }

  boolean statistics() {
    return statistics;
  }

  /** Returns {@code IFLA_EXT_MASK}; virtual functions are never requested here. */
  int mask() {
    return statistics ? 0 : SKIP_STATISTICS;
  }

  void write(MessageWriter request) {
    request.put("EXT_MASK", mask());
    if (namespace >= 0) {
      request.put("TARGET_NETNSID", namespace);
    }
    if (master != 0) {
      request.put("MASTER", master);
    }
    if (!kind.isEmpty()) {
      int info = request.open("LINKINFO");
      request.put("KIND", kind).close(info);
    }
  }

  /** Returns whether the link matches; kernels before 4.20 do not filter. */
  boolean wants(Link link) {
    return (kind.isEmpty() || kind.equals(link.kind()))
        && (master == 0 || link.masterIndex().orElse(0) == master);
  }
}
