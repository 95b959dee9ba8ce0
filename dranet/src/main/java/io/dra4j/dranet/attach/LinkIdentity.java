package io.dra4j.dranet.attach;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.util.List;
import java.util.Optional;

/**
 * By what a link is known again in whatever namespace it is, under whatever name: the device that
 * it is on with its port, the address that its hardware was built with, or, where it has neither,
 * its kind with its hardware address, of which the one that it was given counts, too.
 *
 * @param name its name on the host
 * @param index its index on the host
 * @param kind its kind, empty for hardware
 * @param parent the device that it is on, such as {@code 0000:8f:00.0}; empty if on none
 * @param built the address that its hardware was built with; empty if not told
 * @param address its hardware address on the host; empty if it has none
 * @param given the hardware address that it gets in the pod; empty if it keeps its own
 */
record LinkIdentity(
    String name,
    int index,
    String kind,
    String parent,
    String built,
    String address,
    String given) {

  static LinkIdentity of(Link link, String given) {
    return new LinkIdentity(
        link.name(),
        link.index(),
        link.kind(),
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
   * the kernel moved it and then failed; under any other if somebody renamed it; and in the end
   * what has its name and kind, whatever hardware address the pod gave it.
   */
  Optional<Link> findAway(RouteNetlink pod, String podName) throws NetlinkException {
    Optional<Link> found = named(pod, podName, name);
    if (found.isEmpty()) {
      found = only(pod);
    }
    return found.isPresent()
        ? found
        : pod.links()
            .find(podName)
            .filter(link -> link.kind().equals(kind) && link.parentDevice().equals(parent));
  }

  /** The link on the host: hardware under any name, other links under a name that they may have. */
  Optional<Link> findHome(RouteNetlink host, String podName) throws NetlinkException {
    Optional<Link> found = named(host, name, refugeName(), podName);
    boolean hardware = !parent.isEmpty() || !built.isEmpty();
    return found.isEmpty() && hardware ? only(host) : found;
  }

  /** What the link is called on the host while another link has its name. */
  String refugeName() {
    return "dra" + index;
  }

  private Optional<Link> named(RouteNetlink route, String... names) throws NetlinkException {
    for (String one : names) {
      Optional<Link> link = route.links().find(one).filter(this::is);
      if (link.isPresent()) {
        return link;
      }
    }
    return Optional.empty();
  }

  private Optional<Link> only(RouteNetlink route) throws NetlinkException {
    List<Link> same = route.links().list(LinkQuery.lean()).stream().filter(this::is).toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }
}
