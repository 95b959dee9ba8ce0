package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Adds the missing addresses of a link, in their order. */
final class AddressWriter {

  private final RouteNetlink route;
  private final FailedAttempts attempts;

  AddressWriter(RouteNetlink route, FailedAttempts attempts) {
    this.route = route;
    this.attempts = attempts;
  }

  /**
   * Adds the missing addresses. An existing address with another lifetime stays, with the routes
   * that depend on it. The kernel puts a new IPv6 address before the others ({@code
   * ipv6_link_dev_addr}), so the last one is added first.
   */
  void set(LinkState wanted, LinkState now, int round) throws IOException {
    Set<InterfaceAddress> present = new HashSet<>();
    now.addresses().forEach(one -> present.add(identity(one)));
    List<FactKind.Fact<InterfaceAddress>> v6 = new ArrayList<>();
    for (FactKind.Fact<InterfaceAddress> one : FactKind.ADDRESS.onlyIn(wanted, now)) {
      InterfaceAddress address = one.object();
      if (present.contains(identity(address))) {
        attempts.attempt(one.toString(), () -> route.addresses().replace(address));
      } else if (!KernelMade.is(one) || round > 1) {
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
   * Adds an IPv6 address. An address that was in use is used at once, because routes may send from
   * it. For other addresses, the kernel looks for duplicates again.
   */
  private void addV6(InterfaceAddress address, LinkState wanted) throws NetlinkException {
    if (wanted.values().containsKey(ValueName.DUPLICATE + address.address().address())) {
      route.addresses().add(address);
      return;
    }
    int flags = address.flags() | InterfaceAddress.NO_DUPLICATE_CHECK;
    route.addresses().add(address.withFlags(flags));
    if (flags != address.flags()) {
      route.addresses().replace(address);
    }
  }

  private static boolean isV6(InterfaceAddress one) {
    return one.address().address().isV6();
  }

  /** Returns the identity of an address: a link has each IPv6 address once, whatever its flags. */
  private static InterfaceAddress identity(InterfaceAddress address) {
    InterfaceAddress one =
        address.withoutState().withLifetime(OptionalLong.empty(), OptionalLong.empty());
    return isV6(one) ? one.withFlags(0) : one;
  }
}
