package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.ForwardingEntry;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a link that is lost or changed when a driver hands it to a pod: its settings,
 * alternative names, sysctls and features, its addresses, next-hop objects, routes of all tables,
 * neighbours that were set and rules that name it, its VLANs and static entries in a bridge, and
 * the links on it. Of those the kernel deletes some when it moves (vxlan, macsec) and leaves others
 * where they are (VLANs, macvlans, ipvlans). Immutable.
 *
 * <pre>{@code
 * LinkState before = LinkState.capture(host, "eth0");
 * Files.writeString(store, before.toText());              // survives a crash of the driver
 * ...                                                     // the link goes to a pod and comes back
 * Restoration restoration = before.restore(host, "eth0");
 * restoration.left().forEach(System.err::println);        // what could not be made as it was
 * }</pre>
 *
 * <p>Times go on: an address that had an hour left when it was captured has half an hour left half
 * an hour later, and none after an hour; and so have routes that end. What is there for longer, or
 * for ever, has been renewed, by a DHCP client for example, and stays as it is; so do IPv6
 * addresses that have come with a router's advertisement. With an IPv4 address that has ended go
 * the routes that send from it, the kernel's own among them, unless another link has it, too; IPv6
 * routes stay, and the kernel chooses what they send from. It is the time of the wall clock: where
 * that is set meanwhile, it counts as passed.
 *
 * <p>An IPv6 address that was not in use, because another host had it or the kernel still asked, is
 * not used either until the kernel has asked again; that another host has by now one that was in
 * use is told.
 *
 * <p>The link may come back under another index, and links on it that are made again have others:
 * what names several of them, such as routes with ways through both, is restored under the indices
 * of all. Other links stay where they are, and are known by index and name together: what went
 * through one whose index another link has by now is told, and not set.
 *
 * <p>Where the kernel uses the first of several, their order is part of the state: of the link's
 * addresses, of its equal routes, with one destination, table and metric, and of its rules of one
 * priority. What stands before its place is deleted and comes anew, and with an address go for a
 * moment the routes of the link that the kernel deletes with it. Where all IPv4 addresses have to,
 * one is there as a host's ({@code /32}) meanwhile, so that routes and neighbours stay; that the
 * kernel refuses an address is known only once it was tried, after those behind it were moved. A
 * route goes only if the kernel takes a copy of it, or of what is to come in its place, with the
 * largest metric, which goes at once.
 *
 * <p>Nothing is moved for the sake of order at the cost of others: where routes of other links send
 * from an address, or would come before those that go with it, all addresses of its family stay as
 * they stand, and their order is told. Nor is the order of IPv6 addresses among those that the
 * kernel makes itself ({@code fe80::}) restored; it is not even told.
 *
 * <p>Among those of other links, which nobody moves, IPv4 routes come first again where they did,
 * and last where they did; IPv6 routes and rules the kernel puts behind the others. A restoration
 * tells the order ({@code order of ...}, {@code own order of ...}) of IPv6 routes and rules that
 * were before those of others, of those whose place others have come between or into since, and of
 * routes of other links that come back behind their rivals.
 *
 * <p>An IPv6 route that the kernel has made one with ways of other links stays so, without ways of
 * this link that were not there, and is told; ways of this link come behind those of others where
 * the kernel would give all of them the same properties otherwise. So stay groups of next-hop
 * objects with members of others, and what goes through them; where the link has to go down to be
 * restored, they get the members back that they lose by it. What others send from an address that
 * was not there keeps it there, and it is told.
 *
 * <p>The kernel takes next-hop objects only while there is a carrier: where one is refused for
 * that, restoring waits up to 10 seconds for it, once.
 *
 * <p>Queue disciplines, their classes, tc filters, XDP programs, the state that somebody has given
 * a port of a bridge without a spanning tree, which the kernel forgets with the next carrier, and
 * links on it of kinds that cannot be made again, such as macsec, whose keys nobody tells, are told
 * as facts: a restoration says that they are gone or do something else, and does not set them.
 * Links that were made on it since are told, and stay; a link on it that has another name by now,
 * and a macvlan that is in another namespace, is told and not made a second time; nor is one whose
 * name a link of another kind has, which is somebody else's.
 *
 * <p>The kernel looks at the mode of a link ({@code mode dormant}) only when the carrier changes:
 * where the mode is set back to the default, a link that is dormant is made operational.
 *
 * <p>The port that takes over from a port of a bridge without a carrier ({@code backup_port}) is
 * known by its name. Whether somebody has set the cost of a port, or the kernel has made it of the
 * speed, the kernel does not say: where it makes such as was there and such as is there (1 to 5,
 * 19, 100), that is no difference, and none is set.
 *
 * <p>Of the hardware addresses that the link takes packets of besides its own ({@code bridge fdb
 * ... self}), which macvlans and others set, those that are gone are set again. Those that have
 * come stay and are not told: the kernel does not say whose they are.
 *
 * <p>Not seen, and so neither restored nor told: what bridges, bonds, VRFs and other kinds that are
 * no links on others have of their own, as a bridge its {@code ageing_time}; multicast addresses of
 * the link ({@code ip maddr}), which sockets join; multicast groups that somebody entered in a
 * bridge ({@code bridge mdb}); the numbers that a vxlan with a filter takes ({@code bridge vni});
 * routes of this host's addresses in table 255 that somebody made in the kernel's name; that
 * somebody had deleted what the kernel makes of an address or a link, the route to its network or
 * its {@code fe80::} address, which come with it again; that other ports of a bridge have it as
 * their {@code backup_port}; labels of addresses ({@code ip addrlabel}) and endpoints of MPTCP that
 * name its index; next-hop objects of links on it, elsewhere too, and of its other end, which the
 * kernel deletes when it goes down, as it does for another name, address or master; neighbours that
 * a routing daemon has learned ({@code extern_learn}); whether groups of next-hop objects are
 * counted by the hardware; what {@code ethtool} sets besides features, private flags and numbers of
 * channels (rings, coalescing, pause, speed, filters); and what only files below {@code
 * /sys/class/net} have: {@code gro_flush_timeout}, {@code napi_defer_hard_irqs}, {@code threaded},
 * and of queues {@code rps_cpus}, {@code rps_flow_cnt}, {@code xps_cpus}, {@code xps_rxqs} and
 * {@code tx_maxrate}. A pod that may write them leaves them changed on the host.
 *
 * <p>Nor are seen: tcx programs, which {@link io.dra4j.netlink.bpf.LinkPrograms} lists and
 * detaches; settings of virtual functions of a physical function ({@code ip link set PF vf N ...});
 * DCB tables; MPLS routes and the sysctls of {@code net/mpls}; nftables chains of the device; xfrm
 * policies with {@code dev}; options and tunnel ids of single VLANs of a bridge's port; the carrier
 * that somebody switches off on kinds that have that; whether a link of mode {@code dormant} was
 * made operational; and an IPv6 route to a network that the kernel leaves with a lifetime when its
 * address is removed.
 */
public final class LinkState {

  private final long takenAt;
  private final int index;
  private final String name;
  private final SortedMap<String, String> values;
  private final Map<FactKind<?>, List<FactKind.Fact<?>>> facts;
  private final Map<Integer, String> others;
  private final List<LinkState> uppers;
  private final Ways ways;
  private final List<Difference> unknown; // what was there of links that are not known any more

  LinkState(
      long takenAt,
      int index,
      String name,
      Map<String, String> values,
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts,
      Map<Integer, String> others,
      List<LinkState> uppers) {
    this(takenAt, index, name, values, facts, others, uppers, List.of());
  }

  private LinkState(
      long takenAt,
      int index,
      String name,
      Map<String, String> values,
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts,
      Map<Integer, String> others,
      List<LinkState> uppers,
      List<Difference> unknown) {
    this.takenAt = takenAt;
    this.index = index;
    this.name = name;
    this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    this.facts = Map.copyOf(facts);
    this.others = Map.copyOf(others);
    this.uppers = List.copyOf(uppers);
    this.unknown = unknown;
    Set<Integer> objects = new HashSet<>();
    facts(FactKind.NEXT_HOP).forEach(one -> objects.add(one.object().id()));
    this.ways = new Ways(index, objects);
  }

  /**
   * Reads the state of a link. Who captures often keeps a {@link LinkStates} open instead.
   *
   * @param namespace the namespace that the link is in
   * @param name the name of the link, which may be an alternative one
   * @return the state
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if there is
   *     no such link
   * @throws IOException if the namespace cannot be entered, or the conversation with the kernel
   *     fails; nothing has been changed
   */
  public static LinkState capture(NetworkNamespace namespace, String name) throws IOException {
    return capture(namespace, LinkKey.of(name));
  }

  /**
   * Reads the state of a link. Who captures often keeps a {@link LinkStates} open instead.
   *
   * @param namespace the namespace that the link is in
   * @param link the link, its name or its index there
   * @return the state
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if there is
   *     no such link
   * @throws IOException if the namespace cannot be entered, or the conversation with the kernel
   *     fails; nothing has been changed
   */
  public static LinkState capture(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.capture(link);
    }
  }

  /**
   * Makes a link what it was, as far as the kernel lets it. What is already as it was is not
   * touched, so that restoring twice does nothing the second time; addresses, next-hop objects,
   * routes through the link, neighbours, entries of bridges and rules that were not there are
   * removed, but for those that the kernel makes itself. Rules that name another name, which the
   * link has until then, are told and stay, whether they were there or not: they may be another's.
   * Where the link cannot have its name again, rules that have gone are told and not set.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param currentName the name that the link has there now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or it can neither be read what the link
   *     is now
   */
  public Restoration restore(NetworkNamespace namespace, String currentName) throws IOException {
    return restore(namespace, LinkKey.of(currentName));
  }

  /**
   * Makes a link what it was, as {@link #restore(NetworkNamespace, String)} does.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param link the link, the name or the index that it has there now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or it can neither be read what the link
   *     is now
   */
  public Restoration restore(NetworkNamespace namespace, LinkKey link) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.restore(this, link);
    }
  }

  /**
   * Reads a state from the form in which it was stored.
   *
   * @param text what {@link #toText} gave
   * @return the state
   * @throws IllegalArgumentException if it is something else, of another version or byte order,
   *     damaged, cut off, or longer than 64 MiB
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

  /**
   * Returns when the state was captured.
   *
   * @return seconds since 1970
   */
  public long takenAt() {
    return takenAt;
  }

  /**
   * Returns the index that the link had, which may be another's by now.
   *
   * @return the index
   */
  public int index() {
    return index;
  }

  /**
   * Returns the name that the link had.
   *
   * @return the name, at most 15 bytes
   */
  public String name() {
    return name;
  }

  /**
   * Returns what one value each says of the link: settings such as {@code mtu}, {@code address},
   * {@code master} and {@code up}, {@code altname ...}, {@code sysctl ipv4/conf/arp_ignore}, {@code
   * feature tx-checksum-ipv4}, {@code channels rx}, and what is told only, such as {@code qdisc}.
   *
   * @return the values by what they are of, as text
   */
  public SortedMap<String, String> values() {
    return values;
  }

  /**
   * Returns the addresses of the link, without temporary ones, which the kernel makes itself.
   *
   * @return the addresses, IPv4 first
   */
  public List<InterfaceAddress> addresses() {
    return objects(FactKind.ADDRESS);
  }

  /**
   * Returns the next-hop objects that use the link, and groups with those.
   *
   * @return the objects, groups last
   */
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
   * Returns the neighbours of the link that somebody set: permanent ones, those without resolution,
   * proxies, and those that the kernel keeps resolved ({@code managed}).
   *
   * @return the neighbours
   */
  public List<Neighbour> neighbours() {
    return objects(FactKind.NEIGHBOUR);
  }

  /**
   * Returns the entries of forwarding databases that somebody made for the link: those of its
   * bridge if it is a port of one, its own if it is a vxlan, and the hardware addresses that it
   * takes packets of besides its own.
   *
   * @return the entries, without those that were learned
   */
  public List<ForwardingEntry> forwardingEntries() {
    return objects(FactKind.FORWARDING);
  }

  /**
   * Returns the rules that name the link as input or output.
   *
   * @return the rules, IPv4 first
   */
  public List<Rule> rules() {
    return objects(FactKind.RULE);
  }

  /**
   * Returns the links on this one that can be made again: VLANs, macvlans, macvtaps, ipvlans,
   * ipvtaps and vxlans. Others are told in {@link #values}, {@code link NAME} with their kind.
   *
   * @return their states
   */
  public List<LinkState> uppers() {
    return uppers;
  }

  /** What makes a route one of the link. */
  Ways ways() {
    return ways;
  }

  /** The names that other links had which facts name, by their indices. */
  Map<Integer, String> others() {
    return others;
  }

  @SuppressWarnings("unchecked") // a list of facts of a kind holds the objects of that kind
  <T extends RouteObject> List<FactKind.Fact<T>> facts(FactKind<T> kind) {
    return (List<FactKind.Fact<T>>) (List<?>) facts.getOrDefault(kind, List.of());
  }

  private <T extends RouteObject> List<T> objects(FactKind<T> kind) {
    return facts(kind).stream().map(FactKind.Fact::object).toList();
  }

  /**
   * This state, and those of the links on it, at the time and under the indices of a later one of
   * the same link. What was there of links that are not known any more is told only.
   */
  LinkState at(LinkState now) {
    return at(now, Set.of());
  }

  /**
   * The same where other links may have addresses that have ended on these.
   *
   * @param elsewhere the addresses of other links; may be none if {@link #hasSourcesThatEnd} says
   *     no
   */
  LinkState at(LinkState now, Set<IpAddress> elsewhere) {
    LinkState later = at(now, Indices.of(this, now));
    Set<IpAddress> ended = new HashSet<>();
    forEachOfTree(one -> one.addresses().forEach(had -> ended.add(had.address().address())));
    later.forEachOfTree(
        one -> one.addresses().forEach(has -> ended.remove(has.address().address())));
    return ended.isEmpty() ? later : later.withoutSources(ended, elsewhere, now);
  }

  /** Whether routes send from addresses that end by themselves. */
  boolean hasSourcesThatEnd() {
    Set<IpAddress> ending = new HashSet<>();
    Set<IpAddress> sources = new HashSet<>();
    forEachOfTree(
        one -> {
          for (InterfaceAddress had : one.addresses()) {
            if (FactKind.ADDRESS.lifetime().ends(had)) {
              ending.add(had.address().address());
            }
          }
          one.routes().forEach(had -> had.preferredSource().ifPresent(sources::add));
        });
    return !Collections.disjoint(ending, sources);
  }

  /** The link, and those on it. */
  void forEachOfTree(Consumer<LinkState> what) {
    what.accept(this);
    uppers.forEach(upper -> upper.forEachOfTree(what));
  }

  /**
   * With an IPv4 address that has ended the kernel deletes the routes that send from it, of
   * whatever link, unless another link has it; from IPv6 ones it takes the address. Who has one
   * there has set it anew.
   */
  private LinkState withoutSources(Set<IpAddress> ended, Set<IpAddress> elsewhere, LinkState now) {
    Set<FactKind.Fact<Route>> there = new HashSet<>(now.facts(FactKind.ROUTE));
    List<Route> routes = new ArrayList<>();
    for (FactKind.Fact<Route> one : facts(FactKind.ROUTE)) {
      Route had = one.object();
      boolean isOfTheAddress = had.protocol() == Route.PROTOCOL_KERNEL;
      Optional<IpAddress> gone =
          had.preferredSource()
              .filter(ended::contains)
              .filter(from -> isOfTheAddress || !elsewhere.contains(from));
      if (gone.isEmpty() || there.contains(one)) {
        routes.add(had);
      } else if (gone.get().isV6() && ways.has(had)) {
        routes.add(had.withoutPreferredSource());
      }
    }
    Map<String, LinkState> found = now.uppersByIdentity();
    List<LinkState> laterUppers = new ArrayList<>();
    for (LinkState upper : uppers) {
      LinkState one = found.get(upper.identity());
      laterUppers.add(one == null ? upper : upper.withoutSources(ended, elsewhere, one));
    }
    Map<FactKind<?>, List<FactKind.Fact<?>>> left = new HashMap<>(facts);
    try {
      left.put(FactKind.ROUTE, List.copyOf(FactKind.ROUTE.facts(routes)));
    } catch (NetlinkException e) {
      throw twice(e);
    }
    return new LinkState(takenAt, index, name, values, left, others, laterUppers, unknown);
  }

  private static IllegalStateException twice(NetlinkException e) {
    return new IllegalStateException("messages that were read once are not read twice", e);
  }

  private LinkState at(LinkState now, Indices indices) {
    long passed = Math.max(0, now.takenAt - takenAt);
    Map<String, LinkState> there = now.uppersByIdentity();
    List<LinkState> laterUppers = new ArrayList<>();
    for (LinkState upper : uppers) {
      LinkState one = there.get(upper.identity());
      laterUppers.add(one == null ? upper : upper.at(one, indices));
    }
    List<Difference> gone = new ArrayList<>();
    try {
      Map<FactKind<?>, List<FactKind.Fact<?>>> later = new HashMap<>();
      for (FactKind<?> kind : FactKind.ALL) {
        later.put(kind, at(kind, now, passed, indices, gone));
      }
      return new LinkState(
          takenAt + passed, now.index, name, values, later, others, laterUppers, gone);
    } catch (NetlinkException e) {
      throw twice(e);
    }
  }

  private <T extends RouteObject> List<FactKind.Fact<?>> at(
      FactKind<T> kind, LinkState now, long passed, Indices indices, List<Difference> gone)
      throws NetlinkException {
    List<FactKind.Fact<T>> had = facts(kind);
    List<FactKind.Fact<T>> moved = new ArrayList<>(kind.moved(had, indices));
    Set<FactKind.Fact<T>> there = null;
    for (int i = had.size() - 1; i >= 0; i--) {
      Optional<String> why = indices.unknownOf(had.get(i));
      if (why.isPresent()) {
        there = there == null ? new HashSet<>(now.facts(kind)) : there;
        if (!there.contains(moved.get(i))) { // otherwise the link has only another name by now
          moved.remove(i);
          gone.add(new Difference(had.get(i).toString(), "there", "", 0, why.get()));
        }
      }
    }
    return List.copyOf(kind.after(moved, passed, now.facts(kind)));
  }

  /**
   * Compares this state with a later one of the same link, which may have another index by then.
   *
   * @param now the later state
   * @return what is not as it was; what the kernel has made meanwhile by itself is left out, and so
   *     is what has ended in time
   */
  public List<Difference> changesTo(LinkState now) {
    return at(now).allChangesTo(now);
  }

  /** What is not as in this state, which is {@link #at} that time, and in those of links on it. */
  List<Difference> allChangesTo(LinkState now) {
    return allChangesTo(now, one -> false);
  }

  /** Of what is not there any more, some is left out. */
  List<Difference> allChangesTo(LinkState now, Predicate<FactKind.Fact<?>> leftOut) {
    List<Difference> changes = new ArrayList<>(ownChangesTo(now, leftOut));
    Map<String, LinkState> there = now.uppersByIdentity();
    for (LinkState upper : uppers) {
      LinkState one = there.get(upper.identity());
      if (one != null) {
        upper.allChangesTo(one, leftOut).forEach(change -> changes.add(change.of(upper.name)));
      }
    }
    return List.copyOf(changes);
  }

  /**
   * What is not as in this state, which is {@link #at} that time; without what has changed of links
   * on this one, but for whether they are there.
   */
  List<Difference> ownChangesTo(LinkState now) {
    return ownChangesTo(now, one -> false);
  }

  private List<Difference> ownChangesTo(LinkState now, Predicate<FactKind.Fact<?>> leftOut) {
    List<Difference> changes = new ArrayList<>(unknown);
    if (!name.equals(now.name)) {
      changes.add(new Difference("name", name, now.name, 0, ""));
    }
    if (!values.equals(now.values)) {
      compareValues(now, changes);
    }
    for (FactKind<?> kind : FactKind.ALL) {
      if (!facts(kind).equals(now.facts(kind))) {
        compare(kind, now, leftOut, changes);
        changes.addAll(Rows.compare(kind, this, now));
      }
    }
    Map<String, LinkState> before = uppersByIdentity();
    Map<String, LinkState> there = now.uppersByIdentity();
    for (LinkState upper : uppers) {
      if (!there.containsKey(upper.identity())) {
        changes.add(new Difference("link " + upper.name, "there", "", 0, ""));
      }
    }
    for (LinkState upper : now.uppers) {
      if (!before.containsKey(upper.identity())) {
        String what = upper.values.getOrDefault("kind", "there");
        changes.add(new Difference("link " + upper.name, "", what, 0, ""));
      }
    }
    return List.copyOf(changes);
  }

  private void compareValues(LinkState now, List<Difference> changes) {
    Set<String> keys = new TreeSet<>(values.keySet());
    keys.addAll(now.values.keySet());
    @Nullable Set<String> places = null;
    for (String key : keys) {
      String wanted = values.getOrDefault(key, "");
      String found = now.values.getOrDefault(key, "");
      if (key.startsWith(LinkReader.ORDER)) {
        places = places == null ? places() : places;
        compareOrder(key, wanted, found, places, changes);
      } else if (!wanted.equals(found)
          && !isLookedFor(key, found)
          && !LinkReader.areCostsOfSpeeds(key, wanted, found)
          && !isOfALinkThatIsDown(key, wanted, found)) {
        changes.add(new Difference(key, wanted, found, 0, ""));
      }
    }
  }

  /** The rows in which the link has routes and rules. */
  private Set<String> places() {
    Set<String> places = new HashSet<>();
    facts(FactKind.ROUTE).forEach(one -> places.add(Surroundings.place(one.object(), ways)));
    facts(FactKind.RULE).forEach(one -> places.add(Rows.place(one.object())));
    return places;
  }

  /** Others may go, and come behind; what is told is that one of theirs is used in its place. */
  private static void compareOrder(
      String key, String wanted, String found, Set<String> places, List<Difference> changes) {
    String place = key.substring(LinkReader.ORDER.length());
    boolean isAsGood =
        found.isEmpty()
            || found.equals(wanted)
            || (wanted.isEmpty() && (found.equals(Surroundings.FIRST) || !places.contains(place)));
    if (!isAsGood) {
      changes.add(new Difference(key, wanted.isEmpty() ? "alone" : wanted, found, 0, ""));
    }
  }

  /** The kernel looks for duplicates anew, at its own time. */
  private static boolean isLookedFor(String key, String found) {
    return key.startsWith(LinkReader.DUPLICATE) && !found.equals(LinkReader.FOUND);
  }

  /** The kernel lets it have a queue discipline once it goes up, and none after a move. */
  private boolean isOfALinkThatIsDown(String key, String wanted, String found) {
    return key.equals("qdisc")
        && values.getOrDefault("up", "off").equals("off")
        && (wanted.equals("noop") || found.equals("noop"));
  }

  /** Under its name there may be a link of another kind by now, which is somebody else's. */
  String identity() {
    return values.getOrDefault("kind", "") + " " + name;
  }

  Map<String, LinkState> uppersByIdentity() {
    Map<String, LinkState> byIdentity = new HashMap<>();
    uppers.forEach(upper -> byIdentity.put(upper.identity(), upper));
    return byIdentity;
  }

  /** Routes of other links, which send from addresses of this one, are others' to add. */
  private void compare(
      FactKind<?> kind,
      LinkState later,
      Predicate<FactKind.Fact<?>> leftOut,
      List<Difference> changes) {
    Set<FactKind.Fact<?>> before = new LinkedHashSet<>(facts(kind));
    Set<FactKind.Fact<?>> now = new LinkedHashSet<>(later.facts(kind));
    for (FactKind.Fact<?> one : before) {
      if (!now.contains(one) && !leftOut.test(one)) {
        changes.add(new Difference(one.toString(), "there", "", 0, ""));
      }
    }
    for (FactKind.Fact<?> one : now) {
      boolean isOthers = one.object() instanceof Route route && !later.ways.has(route);
      if (!before.contains(one) && !LinkReader.isByKernel(one) && !isOthers) {
        changes.add(new Difference(one.toString(), "", "there", 0, ""));
      }
    }
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
        && uppers.equals(state.uppers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(takenAt, index, name, values);
  }

  /** For people: what there is of each kind. */
  @Override
  public String toString() {
    return "state of link "
        + name
        + ": "
        + addresses().size()
        + " addresses, "
        + routes().size()
        + " routes, "
        + neighbours().size()
        + " neighbours, "
        + rules().size()
        + " rules, "
        + uppers.size()
        + " links on it";
  }
}
