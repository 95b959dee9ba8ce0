package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkMove;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a link that is lost or changed when a driver moves the link to a pod: its settings,
 * alternative names, sysctls and features, its addresses, next-hop objects, routes of all tables,
 * neighbours that a user set and rules that name it. Immutable.
 *
 * <pre>{@code
 * LinkState before = LinkState.capture(host, "eth0");
 * before.obstacles().forEach(one -> System.err.println(one.text())); // do not move it then
 * Files.writeString(store, before.toText());              // survives a crash of the driver
 * LinkMove.move(host, LinkKey.of("eth0"), pod, "net1");
 * ...
 * before.home(pod, LinkKey.of("net1"), host);             // namespace and name, nothing else
 * Restoration restoration = before.restore(host, "eth0"); // does not wait for a carrier
 * restoration.left().forEach(System.err::println); // the remaining differences
 * }</pre>
 *
 * <p>A restoration adds and sets. Settings, sysctls and features get their earlier values;
 * alternative names that the pod added are removed. Missing addresses, routes, neighbours and rules
 * are added. It never deletes one of these objects, and never removes the link from a master: later
 * additions stay and are reported.
 *
 * <p>Objects that several links share cannot be restored from one of the links: {@link #obstacles}
 * lists them, and a driver should not move such a link. A restoration reports them as missing.
 *
 * <p>Lifetimes continue: an address that was valid for another hour when it was captured is valid
 * for half an hour after half an hour, and is not restored after an hour. The same applies to
 * routes that expire. If an existing object has a longer lifetime or none, it was renewed, for
 * example by a DHCP client, and stays unchanged. IPv4 routes that send from an expired address are
 * not added again; IPv6 routes are added without the address.
 *
 * <p>The link may come back with another index. Other links are identified by index and name
 * together: if another link has the index now, objects that use the former link are reported, and
 * not set.
 *
 * <p>Restored objects keep their order, and follow the existing ones. The order relative to
 * existing objects is not restored, for routes with the same destination, table and metric, and for
 * rules with the same priority.
 *
 * <p>Reported and not set: queue disciplines, classes, tc filters and XDP programs; and IPv6
 * addresses that were in use and that another host uses now. An address that was not in use is used
 * only after the kernel has looked for duplicates again.
 *
 * <p>Neither restored nor reported: state of the link in its master; links on it that are in other
 * namespaces; addresses in its filters ({@code bridge fdb ... self}, {@code ip maddr}); labels of
 * addresses ({@code ip addrlabel}) and endpoints of MPTCP that name its index; neighbours that a
 * routing daemon has learned ({@code extern_learn}); settings of {@code ethtool} other than
 * features, private flags and numbers of channels (rings, coalescing, pause, speed, filters);
 * settings that only files below {@code /sys/class/net} have ({@code rps_cpus}, {@code xps_cpus});
 * tcx programs, which {@link io.dra4j.netlink.bpf.LinkPrograms} lists; settings of virtual
 * functions; DCB tables; MPLS routes; nftables chains of the device; xfrm policies with {@code
 * dev}. If a pod has the permission to change them, the changes stay on the host.
 */
public final class LinkState {

  private final long takenAt;
  private final int index;
  private final String name;
  private final SortedMap<String, String> values;
  private final Map<FactKind<?>, List<FactKind.Fact<?>>> facts;
  private final Map<Integer, String> others;
  private final List<String> unread; // lines of a stored text that only another release reads
  private final RouteOwnership ownership;

  @SuppressWarnings("ParameterNumber") // its fields, as they are read
  LinkState(
      long takenAt,
      int index,
      String name,
      Map<String, String> values,
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts,
      Map<Integer, String> others,
      List<String> unread) {
    this.takenAt = takenAt;
    this.index = index;
    this.name = name;
    this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    this.facts = Map.copyOf(facts);
    this.others = Map.copyOf(others);
    this.unread = List.copyOf(unread);
    this.ownership = RouteOwnership.of(index, nextHopObjects());
  }

  /**
   * {@return the state of a link} A driver that captures often keeps a {@link LinkStates} open.
   *
   * @param namespace the namespace that the link is in
   * @param name the name of the link, which may be an alternative one
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if none
   * @throws IOException if the namespace cannot be entered, or the conversation fails
   */
  public static LinkState capture(NetworkNamespace namespace, String name) throws IOException {
    return capture(namespace, LinkKey.of(name));
  }

  /**
   * {@return the state of a link, as {@link #capture(NetworkNamespace, String)} does}
   *
   * @param namespace the namespace that the link is in
   * @param link the link, its name or its index there
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if none
   * @throws IOException if the namespace cannot be entered, or the conversation fails
   */
  public static LinkState capture(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.capture(link);
    }
  }

  /**
   * {@return a reason, with what to do, for each kind of obstacle to moving the link: state that
   * its host would lose, or that a restoration could not recreate; empty if the link may move}
   */
  public List<Obstacle> obstacles() {
    return Obstacle.of(this);
  }

  /**
   * Moves the link back to its namespace under its earlier name, and sets nothing else, neither
   * settings nor addresses. This is sufficient after a reboot, when the state is from an earlier
   * boot and the host was configured again.
   *
   * @param from the namespace that the link is in
   * @param link the link, its name or its index there
   * @param home the namespace that it was captured in
   * @return the link in that namespace: down, unless it was there under its name already
   * @throws NetlinkException if the kernel refuses; the link has not moved; {@link
   *     NetlinkException.Exists} if the home namespace has another link of the name; {@link
   *     NetlinkException.NotFound} if there is no such link
   * @throws IOException if a namespace cannot be entered; the link has not moved
   */
  public Link home(NetworkNamespace from, LinkKey link, NetworkNamespace home) throws IOException {
    return LinkMove.move(from, link, home, name);
  }

  /**
   * Restores the state of a link, except for objects that the kernel accepts only while there is a
   * carrier: next-hop objects and the routes through them, see {@link Restoration#waitsForCarrier}.
   * It does not wait for the carrier. Facts that have their earlier value already are not changed,
   * so a second restoration does nothing.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param currentName the name that the link has there now
   * @return the remaining differences, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or the link cannot be read
   */
  public Restoration restore(NetworkNamespace namespace, String currentName) throws IOException {
    return restore(namespace, LinkKey.of(currentName));
  }

  /**
   * Restores the state of a link, as {@link #restore(NetworkNamespace, String)} does.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param link the name or the index that it has there now
   * @return the remaining differences, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or the link cannot be read
   */
  public Restoration restore(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.restore(this, link);
    }
  }

  /**
   * {@return the state that a text of this release, an older one or a newer one contains} Lines
   * that this release does not know are kept, and {@link #toText} writes them again; a restoration
   * does not change facts that an older release did not read.
   *
   * @param text the result of {@link #toText}
   * @throws IllegalArgumentException if the text is something else, has another byte order, is
   *     damaged, truncated, or longer than 64 MiB
   */
  public static LinkState parse(String text) {
    return StateText.parse(text);
  }

  /**
   * {@return the state as text for another process on this machine, for {@link #parse}} The first
   * line names the format and its version, and the last line is a checksum. Objects are the
   * kernel's own messages in hexadecimal.
   *
   * @throws IllegalStateException if the text would be longer than 64 MiB, which {@code parse}
   *     rejects: for a link with about 300,000 routes
   */
  public String toText() {
    return StateText.write(this);
  }

  /** {@return when the state was captured, in seconds since 1970} */
  public long takenAt() {
    return takenAt;
  }

  /** {@return the index that the link had, which another link may have now} */
  public int index() {
    return index;
  }

  /** {@return the name that the link had, at most 15 bytes} */
  public String name() {
    return name;
  }

  /**
   * {@return the facts of the link that have a single value, as text by name: settings such as
   * {@code mtu}, {@code address}, {@code master} and {@code up}, {@code altname ...}, {@code sysctl
   * ipv4/conf/arp_ignore}, {@code feature tx-checksum-ipv4}, {@code channels rx}; facts that are
   * only reported, such as {@code qdisc}; and links on this one, {@code link NAME} with their kind}
   */
  public SortedMap<String, String> values() {
    return values;
  }

  /** {@return its addresses, IPv4 first, without temporary ones, which the kernel generates} */
  public List<InterfaceAddress> addresses() {
    return objects(FactKind.ADDRESS);
  }

  /** {@return the next-hop objects that use the link, followed by groups with such objects} */
  public List<NextHopObject> nextHopObjects() {
    return objects(FactKind.NEXT_HOP);
  }

  /**
   * {@return the routes of all tables that go through the link, IPv4 first, also with one of
   * several next hops or through a next-hop object} Other routes that send from an address of this
   * link, through other links or, like blackholes, through none, are included, because the kernel
   * deletes them with the address. Routes that the kernel creates for addresses in table 255 are
   * left out.
   */
  public List<Route> routes() {
    return objects(FactKind.ROUTE);
  }

  /**
   * {@return the neighbours of the link that a user set: permanent ones, ones without resolution,
   * proxies, and ones that the kernel keeps resolved ({@code managed})}
   */
  public List<Neighbour> neighbours() {
    return objects(FactKind.NEIGHBOUR);
  }

  /** {@return the rules that name the link as input or output, IPv4 first} */
  public List<Rule> rules() {
    return objects(FactKind.RULE);
  }

  /** Returns the rule by which routes belong to the link. */
  RouteOwnership ownership() {
    return ownership;
  }

  /** Returns the names of other links that facts name, by their indices. */
  Map<Integer, String> others() {
    return others;
  }

  /** Returns the lines of the stored text that this release does not know. */
  List<String> unread() {
    return unread;
  }

  @SuppressWarnings("unchecked") // a list of facts of a kind has the objects of that kind
  <T extends RouteObject> List<FactKind.Fact<T>> facts(FactKind<T> kind) {
    return (List<FactKind.Fact<T>>) (List<?>) facts.getOrDefault(kind, List.of());
  }

  private <T extends RouteObject> List<T> objects(FactKind<T> kind) {
    return facts(kind).stream().map(FactKind.Fact::object).toList();
  }

  /**
   * {@return the differences, without facts that the kernel created and objects that expired}
   *
   * @param now a later state of the same link, which may have another index
   */
  public List<Difference> changesTo(LinkState now) {
    return LaterState.of(this, now).changes(one -> false);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkState state
        && takenAt == state.takenAt
        && index == state.index
        && name.equals(state.name)
        && values.equals(state.values)
        && facts.equals(state.facts)
        && others.equals(state.others)
        && unread.equals(state.unread);
  }

  @Override
  public int hashCode() {
    return Objects.hash(takenAt, index, name, values);
  }

  @Override
  public String toString() {
    return "state of link %s: %d addresses, %d routes, %d neighbours, %d rules"
        .formatted(name, addresses().size(), routes().size(), neighbours().size(), rules().size());
  }
}
