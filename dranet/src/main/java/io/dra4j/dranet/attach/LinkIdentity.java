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
 * By what a link is known again in whatever namespace it is, under whatever name: the device that
 * it is on, the address that its hardware was built with, or, where it has neither, its kind with
 * its hardware address, of which the one that it was given counts, too. A pod may change names and
 * addresses: then the device, or the link that it is built on or paired with, identifies it.
 *
 * @param name its name on the host
 * @param index its index on the host
 * @param kind its kind, empty for hardware
 * @param base the index, on the host, of the link that it is built on or paired with; 0 for none
 * @param parent the device that it is on, such as {@code 0000:8f:00.0}; empty if on none
 * @param built the address that its hardware was built with; empty if not reported
 * @param address its hardware address on the host; empty if it has none
 * @param given the hardware address that it gets in the pod; empty if it keeps its own
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
   * The link in the namespace of its pod: under the name that it got there, or under its old one if
   * the kernel moved it and then failed; under any other if it was renamed; and in the end what is
   * on the same device, or built on the same link of the host, whatever hardware address the pod
   * gave it. A link that the pod made itself is none of these. One whose base has left the host is
   * gone: the kernel deletes a paired or stacked link with its base.
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

  /** Whether a link of the pod is where this one is, by what the pod cannot change. */
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
   * Whether a link elsewhere is built on, or paired with, the same link of the host. Its index
   * alone says nothing: a pod can make a link of that index in a namespace of its own.
   */
  private boolean isOnBase(Link link, RouteNetlink there, NetworkNamespace host)
      throws NetlinkException {
    return base == 0
        || (link.parentIndex().orElse(0) == base
            && link.parentNamespace().isPresent()
            && link.parentNamespace().equals(there.namespaceIds().of(host)));
  }

  /** Whether a link of the host is this one, also where the pod gave it another address. */
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
   * Whether a link of a namespace other than the host's is surely this one: the same hardware, or
   * the same kind and address and, where it has a base, on the same link of the host.
   */
  boolean isSurely(Link link, RouteNetlink there, NetworkNamespace host) throws NetlinkException {
    return is(link) && isOnBase(link, there, host);
  }

  /** The other end of a pair on the host, which the kernel would have deleted with this one. */
  boolean hasPeer(RouteNetlink host) throws NetlinkException {
    return base != 0
        && PAIRS.contains(kind)
        && find(host, base)
            .filter(peer -> peer.kind().equals(kind) && peer.parentNamespace().isPresent())
            .isPresent();
  }

  /** The link on the host under its name, or one that this driver gave it. */
  Optional<Link> findNamed(RouteNetlink host, String podName) throws NetlinkException {
    return named(host, this::is, name, refugeName(), podName);
  }

  /** The link on the host: hardware under any name, other links under a name that they may have. */
  Optional<Link> findHome(RouteNetlink host, String podName) throws NetlinkException {
    Optional<Link> found = findNamed(host, podName);
    boolean hardware = !parent.isEmpty() || !built.isEmpty();
    return found.isEmpty() && hardware ? only(host, this::is) : found;
  }

  /** What the link is called on the host while another link has its name. */
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
