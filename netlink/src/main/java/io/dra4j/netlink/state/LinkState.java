package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything about a link that is lost or changed when a driver hands it to a pod: its settings,
 * alternative names, sysctls and features, its addresses, next-hop objects, routes of all tables,
 * permanent neighbours and rules that name it, and the VLANs, macvlans and ipvlans on it, which the
 * kernel deletes with it. Immutable.
 *
 * <pre>{@code
 * LinkState before = LinkState.capture(host, "eth0");
 * Files.writeString(store, before.toText());              // survives a crash of the driver
 * ...                                                     // the link goes to a pod and comes back
 * Restoration restoration = before.restore(host, "eth0");
 * restoration.left().forEach(System.err::println);        // what could not be made as it was
 * }</pre>
 *
 * <p>Queue disciplines, tc filters and XDP programs are told as facts: a restoration says that they
 * are gone, and does not set them.
 */
public final class LinkState {

  private final long takenAt;
  private final int index;
  private final String name;
  private final SortedMap<String, String> values;
  private final Map<FactKind<?>, List<FactKind.Fact<?>>> facts;
  private final List<LinkState> uppers;

  LinkState(
      long takenAt,
      int index,
      String name,
      Map<String, String> values,
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts,
      List<LinkState> uppers) {
    this.takenAt = takenAt;
    this.index = index;
    this.name = name;
    this.values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    this.facts = Map.copyOf(facts);
    this.uppers = List.copyOf(uppers);
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
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.capture(name);
    }
  }

  /**
   * Makes a link what it was, as far as the kernel lets it. What is already as it was is not
   * touched, so that restoring twice does nothing the second time; what was not there is removed.
   *
   * @param namespace the namespace that the link was in and is in again
   * @param currentName the name that the link has there now
   * @return what is not as it was afterwards, with the kernel's reasons
   * @throws IOException if the namespace cannot be entered, or it can neither be read what the link
   *     is now
   */
  public Restoration restore(NetworkNamespace namespace, String currentName) throws IOException {
    try (LinkStates states = LinkStates.open(namespace)) {
      return states.restore(this, currentName);
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
   * feature tx-checksum-ipv4}, and what is told only, such as {@code qdisc}.
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
   * through a next-hop object; without those that the kernel makes of addresses in table 255.
   *
   * @return the routes, IPv4 first
   */
  public List<Route> routes() {
    return objects(FactKind.ROUTE);
  }

  /**
   * Returns the permanent neighbours of the link.
   *
   * @return the neighbours
   */
  public List<Neighbour> neighbours() {
    return objects(FactKind.NEIGHBOUR);
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
   * Returns the links on this one that the kernel deletes with it: VLANs, macvlans and ipvlans.
   *
   * @return their states
   */
  public List<LinkState> uppers() {
    return uppers;
  }

  @SuppressWarnings("unchecked") // a list of facts of a kind holds the objects of that kind
  <T> List<FactKind.Fact<T>> facts(FactKind<T> kind) {
    return (List<FactKind.Fact<T>>) (List<?>) facts.getOrDefault(kind, List.of());
  }

  private <T> List<T> objects(FactKind<T> kind) {
    return facts(kind).stream().map(FactKind.Fact::object).toList();
  }

  /** This state, of a link that has another index by now. */
  LinkState onLink(int newIndex) throws NetlinkException {
    Map<FactKind<?>, List<FactKind.Fact<?>>> moved = new HashMap<>();
    for (FactKind<?> kind : FactKind.ALL) {
      moved.put(kind, moved(kind, newIndex));
    }
    return new LinkState(takenAt, newIndex, name, values, moved, uppers);
  }

  private <T> List<FactKind.Fact<?>> moved(FactKind<T> kind, int newIndex) throws NetlinkException {
    List<byte[]> messages = facts(kind).stream().map(FactKind.Fact::message).toList();
    return List.copyOf(kind.facts(messages, index, newIndex));
  }

  /**
   * Compares this state with a later one of the same link.
   *
   * @param now the later state
   * @return what is not as it was; what the kernel has made meanwhile by itself is left out
   */
  public List<Difference> changesTo(LinkState now) {
    return changesTo(now, true);
  }

  /** Without the kernel's own objects, those are left out that are not there yet. */
  List<Difference> changesTo(LinkState now, boolean withKernels) {
    List<Difference> changes = new ArrayList<>(ownChangesTo(now, withKernels));
    for (LinkState upper : uppers) {
      now.uppers.stream()
          .filter(one -> one.name.equals(upper.name))
          .findAny()
          .ifPresent(
              one -> upper.aligned(one).forEach(change -> changes.add(inside(upper, change))));
    }
    return List.copyOf(changes);
  }

  /** Without what has changed of links on this one, but for whether they are there. */
  List<Difference> ownChangesTo(LinkState now) {
    return ownChangesTo(now, true);
  }

  private List<Difference> ownChangesTo(LinkState now, boolean withKernels) {
    List<Difference> changes = new ArrayList<>();
    if (!name.equals(now.name)) {
      changes.add(new Difference("name", name, now.name, 0, ""));
    }
    Set<String> keys = new TreeSet<>(values.keySet());
    keys.addAll(now.values.keySet());
    for (String key : keys) {
      String wanted = values.getOrDefault(key, "");
      String found = now.values.getOrDefault(key, "");
      if (!wanted.equals(found)) {
        changes.add(new Difference(key, wanted, found, 0, ""));
      }
    }
    for (FactKind<?> kind : FactKind.ALL) {
      compare(facts(kind), now.facts(kind), withKernels, changes);
    }
    for (LinkState upper : uppers) {
      if (now.uppers.stream().noneMatch(one -> one.name.equals(upper.name))) {
        changes.add(new Difference("link " + upper.name, "there", "", 0, ""));
      }
    }
    return List.copyOf(changes);
  }

  private List<Difference> aligned(LinkState now) {
    try {
      return onLink(now.index).changesTo(now);
    } catch (NetlinkException e) {
      throw new IllegalStateException("messages that were read once are not read twice", e);
    }
  }

  private static Difference inside(LinkState upper, Difference change) {
    return new Difference(
        upper.name + " " + change.fact(),
        change.wanted(),
        change.found(),
        change.errno(),
        change.message());
  }

  private static void compare(
      List<? extends FactKind.Fact<?>> wanted,
      List<? extends FactKind.Fact<?>> found,
      boolean withKernels,
      List<Difference> changes) {
    Set<FactKind.Fact<?>> before = new LinkedHashSet<>(wanted);
    Set<FactKind.Fact<?>> now = new LinkedHashSet<>(found);
    for (FactKind.Fact<?> one : before) {
      if (!now.contains(one) && (withKernels || !LinkReader.isByKernel(one))) {
        changes.add(new Difference(one.toString(), "there", "", 0, ""));
      }
    }
    for (FactKind.Fact<?> one : now) {
      if (!before.contains(one) && !LinkReader.isByKernel(one)) {
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
