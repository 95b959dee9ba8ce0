package io.dra4j.netlink.reader;

import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.OperationalState;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.TopologyReader;
import io.dra4j.topology.PciAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the links of this process' network namespace by netlink. Where {@code /sys} has reported a
 * link already, what only {@code /sys} reports is kept; where it belongs to another namespace, as
 * in containers that see their host's, both are left apart.
 *
 * <p>It contributes nothing to a captured host.
 *
 * <p>{@link io.dra4j.spi.TopologyReaders#installed} finds it, on the class path and on the module
 * path. There the program has to use module {@code io.dra4j.netlink}; if that is on the path and
 * not in use, the inventory has a warning that says so. {@link java.util.ServiceLoader} by itself
 * finds it on the class path only, because the module does not insist on {@code io.dra4j.spi}.
 */
@SuppressWarnings("exports") // who uses this class has spi, and the others must not need it
public final class NetlinkReader implements TopologyReader {

  /** Makes a reader. */
  public NetlinkReader() {}

  @Override
  public String name() {
    return "netlink";
  }

  /** After those that read {@code /sys}. */
  @Override
  public int order() {
    return 100;
  }

  @Override
  public void read(Host host, HostInventory.Builder inventory) {
    if (!host.isLive()) {
      return;
    }
    try (RouteNetlink route = RouteNetlink.open()) {
      add(route, inventory);
    } catch (NetlinkException e) {
      inventory.warn("netlink: " + e.getMessage());
    } catch (NativeUnavailableException e) {
      inventory.warn("netlink: " + e.getMessage());
    }
  }

  /** Merges the links of a socket, which can be a recorded conversation, into an inventory. */
  static void add(RouteNetlink route, HostInventory.Builder inventory) throws NetlinkException {
    Map<String, Netdev> known = new HashMap<>();
    inventory.netdevs().forEach(netdev -> known.put(netdev.name(), netdev));
    List<Link> links = route.links().list(LinkQuery.lean());
    for (Link link : links) {
      Netdev before = known.get(link.name());
      if (before != null
          && before.index().isPresent()
          && before.index().getAsInt() != link.index()) {
        inventory.warn(
            "netlink: link "
                + link.name()
                + " has index "
                + link.index()
                + ", but "
                + before.index().getAsInt()
                + " in /sys, which shows another network namespace; left out");
      } else {
        inventory.netdev(merge(link, before));
      }
    }
  }

  private static Netdev merge(Link link, @Nullable Netdev before) {
    Netdev.Builder netdev =
        before == null
            ? Netdev.named(link.name())
                .address(pciAddress(link))
                .virtual(link.parentDevice().isEmpty())
            : before.toBuilder();
    if (link.operationalState() != OperationalState.UP) {
      netdev.megabitsPerSecond(0);
    }
    return netdev
        .index(link.index())
        .hardwareAddress(link.address().toString())
        .mtu(link.mtu())
        .operationalState(link.operationalState().toString())
        .build();
  }

  private static @Nullable PciAddress pciAddress(Link link) {
    if (!link.parentBus().equals("pci")) {
      return null;
    }
    try {
      return PciAddress.parse(link.parentDevice());
    } catch (IllegalArgumentException e) { // then it is on no function that others know
      return null;
    }
  }
}
