package io.dra4j.dranet.discovery;

import io.dra4j.netlink.route.Link;
import java.util.List;

/**
 * A link and further facts that the kernel reports about it.
 *
 * @param link the link
 * @param addresses its global unicast addresses with their lengths, IPv4 and IPv6
 * @param filters the names of BPF filters on it (tc), without unnamed filters
 * @param programs the names of tcx programs on it, without unnamed programs
 * @param ebpf whether there is any BPF filter or tcx program
 * @param driver the name of its driver; empty if it has none
 * @param firmware the version of its firmware; empty if not reported
 * @param ipv6Gateway the gateway of its IPv6 default route in the main table; empty if it has none
 */
public record LinkFacts(
    Link link,
    List<String> addresses,
    List<String> filters,
    List<String> programs,
    boolean ebpf,
    String driver,
    String firmware,
    String ipv6Gateway) {

  /** Copies the lists. {@inheritDoc} */
  public LinkFacts {
    addresses = List.copyOf(addresses);
    filters = List.copyOf(filters);
    programs = List.copyOf(programs);
  }
}
