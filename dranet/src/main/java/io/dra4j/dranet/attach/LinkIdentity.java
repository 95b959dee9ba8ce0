package io.dra4j.dranet.attach;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Identifies a link in any namespace and under any name. Hardware is identified by its parent
 * device and its permanent address. Other links are identified by kind and hardware address: the
 * address on the host, or the address given for the pod. A pod may change names and addresses; then
 * the parent device, or the link that it is built on or paired with, identifies it.
 *
 * @param name the name of the link on the host
 * @param index its index on the host
 * @param kind its kind; empty for hardware
 * @param base the index, on the host, of the link that this link is built on or paired with; 0 for
 *     none
 * @param parent the parent device, such as {@code 0000:8f:00.0}; empty if there is none
 * @param built the permanent address of its hardware; empty if not reported
 * @param address its hardware address on the host; empty if it has none
 * @param given the hardware address that it gets in the pod; empty if it keeps its address
 */
record LinkIdentity(
    String name,
    int index,
    String kind,
    int base,
    String parent,
    String built,
    String address,
    String given) {

  private static final Set<String> PAIRS = Set.of("veth", "netkit", "vxcan");

  static LinkIdentity of(Link link, String given) {
    return new LinkIdentity(
        link.name(),
        link.index(),
        link.kind(),
        link.parentNamespace().isPresent() ? 0 : link.parentIndex().orElse(0),
        link.parentDevice(),
        link.permanentAddress().map(HardwareAddress::toString).orElse(""),
        link.address().toString(),
        given);
  }

  boolean is(Link link) {
    if (!link.kind().equals(kind) || !link.parentDevice().equals(parent)) {
      return false;
    }
    String nowBuilt = link.permanentAddress().map(HardwareAddress::toString).orElse("");
    if (!parent.isEmpty() && !built.isEmpty()) {
      return nowBuilt.equals(built);
    }
    String now = link.address().toString();
    return now.equals(address) || (!given.isEmpty() && now.equals(given));
  }

  /**
   * Finds the link in the namespace of its pod. Tries its name in the pod, then its old name (the
   * kernel may have failed after the move), then all other names. If none matches, accepts a single
   * link on the same device, or built on the same link of the host, even if the pod changed its
   * hardware address. A link that the pod created itself never matches. Returns empty if the base
   * has left the host: the kernel deletes a paired or stacked link with its base.
   */
  Optional<Link> findAway(NamespaceSession pod, NamespaceSession host, String podName)
      throws NetlinkException {
    if (base != 0 && !hasBase(host.route())) {
      return Optional.empty();
    }
    for (String one : List.of(podName, name)) {
      Optional<Link> named = pod.route().links().find(one);
      if (named.isPresent() && isSurely(named.get(), pod.route(), host.namespace())) {
        return named;
      }
    }
    List<Link> same = new ArrayList<>();
    List<Link> placed = new ArrayList<>();
    for (Link link : pod.route().links().list(LinkQuery.lean().amidChanges())) {
      if (isSurely(link, pod.route(), host.namespace())) {
        same.add(link);
      } else if (isPlaced(link, pod.route(), host.namespace())) {
        placed.add(link);
      }
    }
    List<Link> found = same.isEmpty() ? placed : same;
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  private boolean hasBase(RouteNetlink host) throws NetlinkException {
    return PAIRS.contains(kind) ? hasPeer(host) : find(host, base).isPresent();
  }

  private static Optional<Link> find(RouteNetlink route, int index) throws NetlinkException {
    try {
      return Optional.of(route.links().get(LinkKey.of(index))).filter(of -> of.index() == index);
    } catch (NetlinkException.NotFound e) {
      return Optional.empty();
    }
  }

  /** Returns whether the pod's link is in this link's place, by properties it cannot change. */
  private boolean isPlaced(Link link, RouteNetlink pod, NetworkNamespace host)
      throws NetlinkException {
    if (!link.kind().equals(kind) || !link.parentDevice().equals(parent)) {
      return false;
    }
    if (base != 0) {
      return isOnBase(link, pod, host);
    }
    return !parent.isEmpty() || link.index() == index;
  }

  /**
   * Returns whether a link of another namespace is built on, or paired with, the same link of the
   * host. The index alone is not sufficient: a pod can create a link with that index in another
   * namespace.
   */
  private boolean isOnBase(Link link, RouteNetlink there, NetworkNamespace host)
      throws NetlinkException {
    return base == 0
        || (link.parentIndex().orElse(0) == base
            && link.parentNamespace().isPresent()
            && link.parentNamespace().equals(there.namespaceIds().of(host)));
  }

  /** Returns whether a link of the host is this link, even if the pod changed its address. */
  boolean isHome(Link link) {
    if (is(link)) {
      return true;
    }
    if (!link.kind().equals(kind) || !link.parentDevice().equals(parent)) {
      return false;
    }
    if (base != 0) {
      return link.parentIndex().orElse(0) == base && link.parentNamespace().isEmpty();
    }
    return !parent.isEmpty() ? built.isEmpty() : link.index() == index;
  }

  /**
   * Returns whether a link of a namespace other than the host's is certainly this link: the same
   * hardware, or the same kind and address and, if it has a base, on the same link of the host.
   */
  boolean isSurely(Link link, RouteNetlink there, NetworkNamespace host) throws NetlinkException {
    return is(link) && isOnBase(link, there, host);
  }

  /**
   * Returns whether the host has the other end of a pair. The kernel deletes both ends together.
   */
  boolean hasPeer(RouteNetlink host) throws NetlinkException {
    return base != 0
        && PAIRS.contains(kind)
        && find(host, base)
            .filter(peer -> peer.kind().equals(kind) && peer.parentNamespace().isPresent())
            .isPresent();
  }

  /** Finds the link on the host by its name, or by a name that this driver gave it. */
  Optional<Link> findNamed(RouteNetlink host, String podName) throws NetlinkException {
    return named(host, this::is, name, refugeName(), podName);
  }

  /**
   * Finds the link on the host: hardware under any name, other links under their possible names.
   */
  Optional<Link> findHome(RouteNetlink host, String podName) throws NetlinkException {
    Optional<Link> found = findNamed(host, podName);
    boolean hardware = !parent.isEmpty() || !built.isEmpty();
    return found.isEmpty() && hardware ? only(host, this::is) : found;
  }

  /** Returns the name of the link on the host while another link has its name. */
  String refugeName() {
    return "dra" + index;
  }

  private static Optional<Link> named(RouteNetlink route, Predicate<Link> which, String... names)
      throws NetlinkException {
    for (String one : names) {
      Optional<Link> link = route.links().find(one).filter(which);
      if (link.isPresent()) {
        return link;
      }
    }
    return Optional.empty();
  }

  private static Optional<Link> only(RouteNetlink route, Predicate<Link> which)
      throws NetlinkException {
    List<Link> same =
        route.links().list(LinkQuery.lean().amidChanges()).stream().filter(which).toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }
}
