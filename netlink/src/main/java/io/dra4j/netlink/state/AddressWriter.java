package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Sets the addresses of a link, in their order. Those that stand before their place go and come
 * anew, unless somebody else loses something by it: then the order stays, and is told.
 */
final class AddressWriter {

  private static final int NO_PREFIX_ROUTE = 0x200; // IFA_F_NOPREFIXROUTE
  private static final String PROMOTION = "sysctl ipv4/conf/promote_secondaries";

  private final RouteNetlink route;
  private final Attempts attempts;

  AddressWriter(RouteNetlink route, Attempts attempts) {
    this.route = route;
    this.attempts = attempts;
  }

  /**
   * Secondary addresses go first. One that is there with another lifetime stays, with what goes
   * through it.
   *
   * @return whether some have gone that come anew, with which the kernel deletes more
   */
  boolean set(LinkState wanted, LinkState now, int round) throws IOException {
    List<FactKind.Fact<InterfaceAddress>> there = now.facts(FactKind.ADDRESS);
    Set<InterfaceAddress> present = new HashSet<>();
    there.forEach(one -> present.add(forEver(one.object())));
    List<FactKind.Fact<InterfaceAddress>> goal = new ArrayList<>(wanted.facts(FactKind.ADDRESS));
    goal.removeIf( // none makes room for what does not come
        one -> attempts.isRefused(one.toString()) && !present.contains(forEver(one.object())));
    Set<InterfaceAddress> anew = new HashSet<>(ours(goal));
    Set<InterfaceAddress> kept = Rows.addressesInPlace(ours(goal), ours(there));
    Set<IpAddress> sources = sourcesOfOthers(now);
    Set<InterfaceAddress> used = usedByOthers(now, ours(there), sources);
    used.retainAll(anew);
    for (boolean v6 : new boolean[] {false, true}) {
      if (used.stream().anyMatch(one -> isV6(one) == v6 && !kept.contains(one))) {
        ours(there).stream()
            .filter(one -> isV6(one) == v6 && anew.contains(one))
            .forEach(kept::add);
        attempts.refuse(
            LinkReader.OWN_ORDER + (v6 ? "IPv6 addresses" : "IPv4 addresses"),
            "routes of other links depend on it, which are not touched");
      }
    }
    there.stream().filter(LinkReader::isByKernel).forEach(one -> kept.add(forEver(one.object())));
    List<FactKind.Fact<InterfaceAddress>> going = new ArrayList<>();
    for (FactKind.Fact<InterfaceAddress> one : there) {
      if (!kept.contains(forEver(one.object()))) {
        if (sources.contains(one.object().address().address()) && !comesAnew(one.object(), anew)) {
          attempts.refuse(one.toString(), "routes of other links send from it");
        } else if (takesAlong(forEver(one.object()), ours(there), used, wanted)) {
          attempts.refuse(
              one.toString(), "routes of other links send from addresses that would go with it");
        } else {
          going.add(one);
        }
      }
    }
    List<InterfaceAddress> between = between(ours(goal), ours(there), ours(going), sources);
    for (InterfaceAddress one : between) {
      if (!attempts.attempt("address " + one, () -> route.addresses().add(one))) {
        going.removeIf(gone -> !isV6(gone.object())); // which the routes of others need
      }
    }
    boolean hasGone = false;
    Collections.reverse(going);
    for (FactKind.Fact<InterfaceAddress> one : going) {
      attempts.attempt(one.toString(), () -> one.remove(route));
      hasGone |= anew.contains(forEver(one.object()));
    }
    add(wanted, new HashSet<>(there), kept, round);
    for (InterfaceAddress one : between) {
      attempts.attempt("address " + one, () -> route.addresses().delete(one));
    }
    return hasGone;
  }

  /** Those from which routes of other links send, or of this one that stand among others. */
  private static Set<IpAddress> sourcesOfOthers(LinkState now) {
    Set<IpAddress> sources = new HashSet<>();
    for (FactKind.Fact<Route> fact : now.facts(FactKind.ROUTE)) {
      Route one = fact.object();
      if (isAmongOthers(one, now) || !now.ways().has(one)) {
        one.preferredSource().ifPresent(sources::add);
      }
    }
    return sources;
  }

  private static boolean isAmongOthers(Route one, LinkState now) {
    String order = now.values().getOrDefault(LinkReader.ORDER + Rows.place(one), Surroundings.LAST);
    return !order.equals(Surroundings.LAST);
  }

  /**
   * Those sources, and addresses with which routes go that stand before such of others in a row,
   * and would come back behind them.
   */
  private static Set<InterfaceAddress> usedByOthers(
      LinkState now, List<InterfaceAddress> ours, Set<IpAddress> sources) {
    Set<Network> networks = new HashSet<>();
    for (FactKind.Fact<Route> fact : now.facts(FactKind.ROUTE)) {
      Route one = fact.object();
      if (one.protocol() == Route.PROTOCOL_KERNEL && isAmongOthers(one, now)) {
        networks.add(Network.of(one.destination()));
      }
    }
    Set<InterfaceAddress> used = new HashSet<>(ours);
    used.removeIf(
        one ->
            !sources.contains(one.address().address())
                && !(isV6(one) && networks.contains(Network.of(one))));
    return used;
  }

  /** Whether the kernel makes the route to an IPv6 network of an address. */
  static boolean isIn(IpPrefix network, InterfaceAddress one) {
    return isV6(one) && Network.of(one).equals(Network.of(network));
  }

  /** The bits of an address that its length counts. */
  private record Network(boolean isV6, BigInteger bits, int length) {

    static Network of(IpPrefix network) {
      byte[] bytes = network.address().toBytes();
      BigInteger bits = new BigInteger(1, bytes).shiftRight(8 * bytes.length - network.length());
      return new Network(network.address().isV6(), bits, network.length());
    }

    static Network of(InterfaceAddress one) {
      IpAddress to = one.peer().orElse(one.address().address());
      return of(new IpPrefix(to, one.address().length()));
    }
  }

  /** Of IPv6 there is no address twice, so that one of another length comes too late. */
  private static boolean comesAnew(InterfaceAddress one, Set<InterfaceAddress> anew) {
    return anew.contains(forEver(one))
        || (!isV6(one)
            && anew.stream()
                .anyMatch(other -> other.address().address().equals(one.address().address())));
  }

  /** Whether the kernel deletes some with an IPv4 address, the first of its network. */
  private static boolean takesAlong(
      InterfaceAddress first,
      List<InterfaceAddress> there,
      Set<InterfaceAddress> some,
      LinkState wanted) {
    if (isV6(first) || wanted.values().getOrDefault(PROMOTION, "0").equals("1")) {
      return false;
    }
    List<InterfaceAddress> network = new ArrayList<>(there);
    network.removeIf(one -> isV6(one) || Rows.network(one) != Rows.network(first));
    return network.get(0).equals(first) && network.stream().anyMatch(some::contains);
  }

  /**
   * With its last IPv4 address the kernel takes all routes and neighbours of a link: where none
   * stays, the first one to come is there in the meantime, as that of a host. So is one of which
   * only the length changes, and which others send from.
   */
  private static List<InterfaceAddress> between(
      List<InterfaceAddress> goal,
      List<InterfaceAddress> there,
      List<InterfaceAddress> going,
      Set<IpAddress> sources) {
    boolean isNoneLeft =
        there.stream().anyMatch(one -> !isV6(one))
            && going.containsAll(there.stream().filter(one -> !isV6(one)).toList());
    Set<IpAddress> used = new HashSet<>();
    for (InterfaceAddress one : going) {
      if (sources.contains(one.address().address())) {
        used.add(one.address().address());
      }
    }
    Set<IpPrefix> taken = new HashSet<>();
    goal.forEach(one -> taken.add(one.address()));
    there.forEach(one -> taken.add(one.address()));
    List<InterfaceAddress> between = new ArrayList<>();
    for (InterfaceAddress one : goal) {
      IpAddress address = one.address().address();
      if (!isV6(one) && (used.remove(address) || (isNoneLeft && between.isEmpty()))) {
        int length = freeLength(address, taken);
        between.add(
            InterfaceAddress.of(one.index(), new IpPrefix(address, length))
                .withScope(one.scope())
                .withFlags(NO_PREFIX_ROUTE));
      }
    }
    return between;
  }

  /** One that none of the addresses has, from that of a host downwards. */
  private static int freeLength(IpAddress address, Set<IpPrefix> addresses) {
    int length = 32;
    while (length > 1 && addresses.contains(new IpPrefix(address, length))) {
      length--;
    }
    return length;
  }

  private void add(
      LinkState wanted,
      Set<FactKind.Fact<InterfaceAddress>> asWanted,
      Set<InterfaceAddress> kept,
      int round)
      throws IOException {
    List<FactKind.Fact<InterfaceAddress>> v6 = new ArrayList<>();
    for (FactKind.Fact<InterfaceAddress> one : wanted.facts(FactKind.ADDRESS)) {
      InterfaceAddress address = one.object();
      if (kept.contains(forEver(address))) {
        if (!asWanted.contains(one)) {
          attempts.attempt(one.toString(), () -> route.addresses().replace(address));
        }
      } else if (!LinkReader.isByKernel(one) || round > 1) {
        if (isV6(address)) {
          v6.add(one);
        } else {
          attempts.attempt(one.toString(), () -> route.addresses().add(address));
        }
      }
    }
    Collections.reverse(v6);
    for (FactKind.Fact<InterfaceAddress> one : v6) {
      attempts.attempt(one.toString(), () -> addV6(one.object(), wanted));
    }
  }

  /**
   * One that was in use is used at once: routes may send from it. For one that was not the kernel
   * looks for duplicates anew.
   */
  private void addV6(InterfaceAddress address, LinkState wanted) throws NetlinkException {
    if (wanted.values().containsKey(LinkReader.DUPLICATE + address.address().address())) {
      route.addresses().add(address);
      return;
    }
    int flags = address.flags() | InterfaceAddress.NO_DUPLICATE_CHECK;
    route.addresses().add(address.withFlags(flags));
    if (flags != address.flags()) {
      route.addresses().replace(address);
    }
  }

  /** Without those that the kernel makes itself. */
  private static List<InterfaceAddress> ours(List<FactKind.Fact<InterfaceAddress>> addresses) {
    return addresses.stream()
        .filter(one -> !LinkReader.isByKernel(one))
        .map(one -> forEver(one.object()))
        .toList();
  }

  private static boolean isV6(InterfaceAddress one) {
    return one.address().address().isV6();
  }

  private static InterfaceAddress forEver(InterfaceAddress address) {
    return address.withoutState().withLifetime(OptionalLong.empty(), OptionalLong.empty());
  }
}
