package io.dra4j.netlink.route;

import java.util.OptionalInt;

/**
 * Which links to list, and what of them. Immutable.
 *
 * <p>Statistics and virtual functions cost the kernel and this side the most: leave them out where
 * nobody looks at them.
 */
public final class LinkQuery {

  private final boolean statistics;
  private final boolean virtualFunctions;
  private final String kind;
  private final int master;
  private final int namespace;

  private LinkQuery(
      boolean statistics, boolean virtualFunctions, String kind, int master, int namespace) {
    this.statistics = statistics;
    this.virtualFunctions = virtualFunctions;
    this.kind = kind;
    this.master = master;
    this.namespace = namespace;
  }

  /**
   * All links, with statistics and virtual functions.
   *
   * @return the query
   */
  public static LinkQuery full() {
    return new LinkQuery(true, true, "", 0, -1);
  }

  /**
   * All links, without statistics and virtual functions.
   *
   * @return the query
   */
  public static LinkQuery lean() {
    return new LinkQuery(false, false, "", 0, -1);
  }

  /**
   * Only links of a kind.
   *
   * @param newKind for example {@code bridge}
   * @return the query
   */
  public LinkQuery ofKind(String newKind) {
    return new LinkQuery(statistics, virtualFunctions, newKind, master, namespace);
  }

  /**
   * Only members of a bridge, bond or VRF.
   *
   * @param index the index of the master
   * @return the query
   */
  public LinkQuery membersOf(int index) {
    return new LinkQuery(statistics, virtualFunctions, kind, index, namespace);
  }

  /**
   * The links of another namespace, without entering it.
   *
   * @param number the number that this namespace knows it by; see {@link NamespaceIds}
   * @return the query
   */
  public LinkQuery inNamespace(int number) {
    return new LinkQuery(statistics, virtualFunctions, kind, master, number);
  }

  boolean statistics() {
    return statistics;
  }

  /** {@code IFLA_EXT_MASK}. */
  int mask() {
    return (virtualFunctions ? 1 : 0) | (statistics ? 0 : 8);
  }

  String kind() {
    return kind;
  }

  int master() {
    return master;
  }

  OptionalInt namespace() {
    return namespace >= 0 ? OptionalInt.of(namespace) : OptionalInt.empty();
  }

  /** Kernels before 4.20 filter nothing. */
  boolean wants(Link link) {
    return (kind.isEmpty() || kind.equals(link.kind()))
        && (master == 0 || link.masterIndex().orElse(0) == master);
  }
}
