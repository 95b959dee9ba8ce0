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
 * Reads the links of this process' network namespace by netlink. If {@code /sys} has reported a
 * link already, facts that only {@code /sys} reports are kept. If {@code /sys} shows another
 * namespace, as in containers that see the {@code /sys} of their host, the links are not merged.
 *
 * <p>It contributes nothing to a captured host.
 *
 * <p>{@link io.dra4j.spi.TopologyReaders#installed} finds it, on the class path and on the module
 * path. On the module path, the program must use module {@code io.dra4j.netlink}; if the module is
 * on the path but not in use, the inventory has a warning. {@link java.util.ServiceLoader} by
 * itself finds it only on the class path, because the module requires {@code io.dra4j.spi} only
 * optionally.
 */
@SuppressWarnings("exports") // users of this class have spi; other users must not need it
public final class NetlinkReader implements TopologyReader {

  /** Creates a reader. */
  public NetlinkReader() {}

  @Override
  public String name() {
    return "netlink";
  }

  /** Returns an order after the readers of {@code /sys}. */
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
                + " in /sys, so /sys shows another network namespace; left out");
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
    } catch (IllegalArgumentException e) { // then it is on no known function
      return null;
    }
  }
}
