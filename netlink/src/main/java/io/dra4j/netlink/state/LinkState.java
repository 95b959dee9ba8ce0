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
 * What is lost or changed of a link when a driver hands it to a pod: its settings, alternative
 * names, sysctls and features, its addresses, next-hop objects, routes of all tables, neighbours
 * that a user set and rules that name it. Immutable.
 *
 * <pre>{@code
 * LinkState before = LinkState.capture(host, "eth0");
 * before.obstacles().forEach(one -> System.err.println(one.text())); // do not move it then
 * Files.writeString(store, before.toText());              // survives a crash of the driver
 * LinkMove.move(host, LinkKey.of("eth0"), pod, "net1");
 * ...
 * before.home(pod, LinkKey.of("net1"), host);             // namespace and name, nothing else
 * Restoration restoration = before.restore(host, "eth0"); // does not wait for a carrier
 * restoration.left().forEach(System.err::println);        // what is not as it was
 * }</pre>
 *
 * <p>Restoring adds and sets. It gives settings, sysctls and features the value that they had, so
 * that an alternative name which the pod gave goes; it adds addresses, routes, neighbours and rules
 * that are gone. It never deletes one of these, or takes the link out of a master, though it was
 * not there: what has come since stays and is reported.
 *
 * <p>What several links have in common cannot be restored from one of them: {@link #obstacles}
 * names it, and a driver does not move such a link. A restoration of it reports what is gone.
 *
 * <p>Times go on: an address that had an hour left when it was captured has half an hour left half
 * an hour later, and none after an hour; and so have routes that end. What is there for longer, or
 * for ever, was renewed, by a DHCP client for example, and stays as it is. IPv4 routes that send
 * from an address that has ended are not added again; IPv6 routes are, without it.
 *
 * <p>The link may come back under another index. Other links are known by index and name together:
 * what went through one whose index another link has by now is reported, and not set.
 *
 * <p>What was there comes back in its order, behind what is there: the order of routes of one
 * destination, table and metric and of rules of one priority among those of others, or among those
 * that stayed, is not restored.
 *
 * <p>Reported and not set: queue disciplines, classes, tc filters and XDP programs; and that
 * another host has by now an IPv6 address that was in use. One that was not in use is not used
 * either until the kernel has looked for duplicates again.
 *
 * <p>Neither restored nor reported: what the master of the link has of it; links on it that are in
 * other namespaces; addresses in its filters ({@code bridge fdb ... self}, {@code ip maddr});
 * labels of addresses ({@code ip addrlabel}) and endpoints of MPTCP that name its index; neighbours
 * that a routing daemon has learned ({@code extern_learn}); what {@code ethtool} sets besides
 * features, private flags and numbers of channels (rings, coalescing, pause, speed, filters); what
 * only files below {@code /sys/class/net} have ({@code rps_cpus}, {@code xps_cpus}); tcx programs,
 * which {@link io.dra4j.netlink.bpf.LinkPrograms} lists; settings of virtual functions; DCB tables;
 * MPLS routes; nftables chains of the device; xfrm policies with {@code dev}. A pod that may write
 * them leaves them changed on the host.
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
   * Reads the state of a link. A driver that captures often keeps a {@link LinkStates} open.
   *
   * @param namespace the namespace that the link is in
   * @param name the name of the link, which may be an alternative one
   * @return the state
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if there is
   *     no such link
   * @throws IOException if the namespace cannot be entered, or the conversation fails
   */
  public static LinkState capture(NetworkNamespace namespace, String name) throws IOException {
    return capture(namespace, LinkKey.of(name));
  }

  /**
   * As {@link #capture(NetworkNamespace, String)}, of a link by its name or its index.
   *
   * @param namespace the namespace that the link is in
   * @param link the link, its name or its index there
   * @return the state
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if there is
   *     no such link
   * @throws IOException if the namespace cannot be entered, or the conversation fails
   */
  public static LinkState capture(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.capture(link);
    }
  }

  /**
   * Returns what stands in the way of moving the link: what its host would lose by it, or what a
   * restoration could not make again.
   *
   * @return a reason for each kind of obstacle, with what to do; empty if the link may move
   */
  public List<Obstacle> obstacles() {
    return Obstacle.of(this);
  }

  /**
   * Brings the link home under the name that it had, and writes nothing else: not its settings, nor
   * its addresses. That is all there is to do after a reboot, when the state is of an earlier boot
   * and the host has been configured anew.
   *
   * @param from the namespace that the link is in
   * @param link the link, its name or its index there
   * @param home the namespace that it was captured in
   * @return the link as it is there: down, unless it was there under its name
   * @throws NetlinkException if the kernel refuses, and the link is where it was; {@link
   *     NetlinkException.Exists} if the home namespace has another link of the name; {@link
   *     NetlinkException.NotFound} if there is no such link
   * @throws IOException if a namespace cannot be entered; the link is where it was
   */
  public Link home(NetworkNamespace from, LinkKey link, NetworkNamespace home) throws IOException {
    return LinkMove.move(from, link, home, name);
  }

  /**
   * Makes a link what it was, but for what the kernel takes only while there is a carrier: next-hop
   * objects and the routes through them, see {@link Restoration#waitsForCarrier}. It does not wait
   * for the carrier. What is already as it was is not touched, so that restoring twice does nothing
   * the second time.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param currentName the name that the link has there now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or the link cannot be read
   */
  public Restoration restore(NetworkNamespace namespace, String currentName) throws IOException {
    return restore(namespace, LinkKey.of(currentName));
  }

  /**
   * As {@link #restore(NetworkNamespace, String)}, of a link by its name or its index.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param link the name or the index that it has there now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or the link cannot be read
   */
  public Restoration restore(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.restore(this, link);
    }
  }

  /**
   * Reads a state from the form in which it was stored, by this release, an older one or a newer
   * one. Lines that this release does not know are kept, and {@link #toText} writes them again;
   * what an older release did not read is left as it is by a restoration.
   *
   * @param text what {@link #toText} gave
   * @return the state
   * @throws IllegalArgumentException if it is something else, of another byte order, damaged, cut
   *     off, or longer than 64 MiB
   */
  public static LinkState parse(String text) {
    return StateText.parse(text);
  }

  /**
   * Writes the state down for another process on this machine: lines of text, of which the first
   * names the format and its version and the last is a checksum. Objects are the kernel's own
   * messages in hexadecimal.
   *
   * @return the text, for {@link #parse}
   * @throws IllegalStateException if it would be longer than 64 MiB, which {@code parse} refuses:
   *     of a link with some 300,000 routes
   */
  public String toText() {
    return StateText.write(this);
  }

  /** {@return when the state was captured, in seconds since 1970} */
  public long takenAt() {
    return takenAt;
  }

  /** {@return the index that the link had, which may be another's by now} */
  public int index() {
    return index;
  }

  /** {@return the name that the link had, at most 15 bytes} */
  public String name() {
    return name;
  }

  /**
   * Returns what one value each says of the link: settings such as {@code mtu}, {@code address},
   * {@code master} and {@code up}, {@code altname ...}, {@code sysctl ipv4/conf/arp_ignore}, {@code
   * feature tx-checksum-ipv4}, {@code channels rx}; what is reported only, such as {@code qdisc};
   * and links on this one, {@code link NAME} with their kind.
   *
   * @return the values by what they are of, as text
   */
  public SortedMap<String, String> values() {
    return values;
  }

  /** {@return its addresses, IPv4 first, without temporary ones, which the kernel makes itself} */
  public List<InterfaceAddress> addresses() {
    return objects(FactKind.ADDRESS);
  }

  /** {@return the next-hop objects that use the link, and groups with those, groups last} */
  public List<NextHopObject> nextHopObjects() {
    return objects(FactKind.NEXT_HOP);
  }

  /**
   * Returns the routes that go through the link, in all tables, also as one of several ways or
   * through a next-hop object; and all others that send from an address of this one, through other
   * links or, as blackholes, through none, which the kernel deletes with the address; without those
   * that the kernel makes of addresses in table 255.
   *
   * @return the routes, IPv4 first
   */
  public List<Route> routes() {
    return objects(FactKind.ROUTE);
  }

  /**
   * Returns the neighbours of the link that a user set.
   *
   * @return permanent ones, those without resolution, proxies, and those that the kernel keeps
   *     resolved ({@code managed})
   */
  public List<Neighbour> neighbours() {
    return objects(FactKind.NEIGHBOUR);
  }

  /** {@return the rules that name the link as input or output, IPv4 first} */
  public List<Rule> rules() {
    return objects(FactKind.RULE);
  }

  /** What makes a route one of the link. */
  RouteOwnership ownership() {
    return ownership;
  }

  /** The names that other links had which facts name, by their indices. */
  Map<Integer, String> others() {
    return others;
  }

  /** Lines of the stored text that this release does not know. */
  List<String> unread() {
    return unread;
  }

  @SuppressWarnings("unchecked") // a list of facts of a kind holds the objects of that kind
  <T extends RouteObject> List<FactKind.Fact<T>> facts(FactKind<T> kind) {
    return (List<FactKind.Fact<T>>) (List<?>) facts.getOrDefault(kind, List.of());
  }

  private <T extends RouteObject> List<T> objects(FactKind<T> kind) {
    return facts(kind).stream().map(FactKind.Fact::object).toList();
  }

  /**
   * Compares this state with a later one of the same link, which may have another index by then.
   *
   * @param now the later state
   * @return what is not as it was; what the kernel has made meanwhile by itself is left out, and so
   *     is what has ended in time
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
