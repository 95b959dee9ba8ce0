package io.dra4j.dranet.config;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks combinations of fields of a configuration, and values that no kernel accepts. A
 * configuration that passes these checks, and that the device supports, can be applied.
 */
final class ConfigRules {

  private static final int MIN_IPV6_MTU = 1280; // RFC 8200, 5: below it, Linux disables IPv6

  private final NetworkConfig config;
  private final List<ConfigurationProblem> problems = new ArrayList<>();

  private ConfigRules(NetworkConfig config) {
    this.config = config;
  }

  static List<ConfigurationProblem> of(NetworkConfig config) {
    ConfigRules rules = new ConfigRules(config);
    rules.checkInterface();
    rules.checkRoutes();
    rules.checkRules();
    rules.checkNeighbours();
    return List.copyOf(rules.problems);
  }

  private void problem(String pointer, String message) {
    problems.add(new ConfigurationProblem(pointer, message));
  }

  private void checkInterface() {
    InterfaceConfig link = config.link();
    List<IpPrefix> addresses = orNone(link.addresses());
    if (link.asksDhcp() && !addresses.isEmpty()) {
      problem(
          "/interface/dhcp",
          "cannot be set together with /interface/addresses: remove one of them");
    }
    Map<IpAddress, Integer> seen = new HashMap<>();
    for (int i = 0; i < addresses.size(); i++) {
      IpAddress address = addresses.get(i).address();
      String place = "/interface/addresses/" + i;
      String why = notForALink(address);
      if (why != null) {
        problem(place, address + " is " + why + ", which no interface can have");
      }
      Integer before = seen.putIfAbsent(address, i);
      if (before != null) {
        problem(place, address + " is already at /interface/addresses/" + before);
      }
      if (address.isV6() && link.mtu() != null && link.mtu() < MIN_IPV6_MTU) {
        problem(
            "/interface/mtu",
            "IPv6 address " + address + " requires an MTU of at least " + MIN_IPV6_MTU);
      }
    }
    HardwareAddress hardware = link.hardwareAddress();
    if (hardware != null && hardware.length() == 6) { // is_valid_ether_addr
      byte[] bytes = hardware.toBytes();
      if ((bytes[0] & 1) != 0 || hardware.equals(HardwareAddress.of(new byte[6]))) {
        problem("/interface/hardwareAddr", hardware + " is not the address of a single interface");
      }
    }
    VrfConfig vrf = link.vrf();
    if (vrf != null && vrf.name().equals(link.name())) {
      problem("/interface/vrf/name", "'" + vrf.name() + "' is the name of the interface itself");
    }
  }

  /**
   * Returns the kind of an address that cannot be assigned; null for other addresses. Linux accepts
   * any IPv4 address, but no IPv6 address of these kinds (inet6_addr_add).
   */
  private static @Nullable String notForALink(IpAddress address) {
    if (!address.isV6()) {
      return address.isAny() ? "the unspecified address" : null;
    }
    byte[] bytes = address.toBytes();
    if (address.isAny()) {
      return "the unspecified address";
    }
    if ((bytes[0] & 0xff) == 0xff) {
      return "a multicast address";
    }
    return address.equals(IpAddress.parse("::1")) ? "the loopback address" : null;
  }

  private void checkRoutes() {
    List<RouteConfig> routes = orNone(config.routes());
    Map<List<Object>, Integer> seen = new HashMap<>();
    for (int i = 0; i < routes.size(); i++) {
      RouteConfig route = routes.get(i);
      String place = "/routes/" + i;
      boolean v6 = route.destination().address().isV6();
      IpAddress gateway = route.gateway();
      if (gateway == null && route.effectiveScope() == 0) {
        problem(place + "/gateway", "required, unless the scope is 253 (link)");
      }
      if (gateway != null && gateway.isAny()) {
        problem(place + "/gateway", gateway + " is not the address of a host");
      } else if (gateway != null && gateway.isV6() != v6) {
        problem(place + "/gateway", otherFamily(gateway, route.destination()));
      }
      if (gateway != null && route.effectiveScope() == 253 && !v6) { // fib_check_nh
        problem(place + "/scope", "253 (link) cannot be combined with a gateway");
      }
      if (route.source() != null && route.source().isV6() != v6) {
        problem(place + "/source", otherFamily(route.source(), route.destination()));
      }
      long table = config.link().vrf() == null ? route.effectiveTable() : 0;
      Integer before = seen.putIfAbsent(List.of(Prefixes.network(route.destination()), table), i);
      if (before != null) {
        problem(
            place + "/destination",
            "/routes/" + before + " already goes to " + route.destination() + " in the same table");
      }
    }
  }

  private static String otherFamily(Object address, Object other) {
    return address + " must be of the same family, IPv4 or IPv6, as " + other;
  }

  private void checkRules() {
    List<RuleConfig> rules = orNone(config.rules());
    if (!rules.isEmpty() && config.link().vrf() != null) {
      problem(
          "/rules",
          "cannot be set together with /interface/vrf, whose table is used for all packets");
    }
    for (int i = 0; i < rules.size(); i++) {
      IpPrefix source = rules.get(i).source();
      IpPrefix destination = rules.get(i).destination();
      if (source != null
          && destination != null
          && source.address().isV6() != destination.address().isV6()) {
        problem("/rules/" + i + "/destination", otherFamily(destination, source));
      }
    }
  }

  private void checkNeighbours() {
    List<NeighbourConfig> neighbours = orNone(config.neighbours());
    Map<IpAddress, Integer> seen = new HashMap<>();
    for (int i = 0; i < neighbours.size(); i++) {
      IpAddress destination = neighbours.get(i).destination();
      String place = "/neighbors/" + i + "/destination";
      if (destination.isAny()) {
        problem(place, destination + " is not the address of a host");
      }
      Integer before = seen.putIfAbsent(destination, i);
      if (before != null) {
        problem(place, destination + " is already at /neighbors/" + before);
      }
    }
  }

  /** Returns a problem for each set field, except the profile, whose settings are checked later. */
  static List<ConfigurationProblem> withoutInterface(NetworkConfig config) {
    List<ConfigurationProblem> problems = new ArrayList<>();
    InterfaceConfig link = config.link();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("/interface/name", emptyAsNull(link.name()));
    fields.put("/interface/addresses", emptyAsNull(link.addresses()));
    fields.put("/interface/dhcp", link.dhcp());
    fields.put("/interface/mtu", link.mtu());
    fields.put("/interface/hardwareAddr", link.hardwareAddress());
    fields.put("/interface/gsoMaxSize", link.gsoMaxSize());
    fields.put("/interface/groMaxSize", link.groMaxSize());
    fields.put("/interface/gsoIPv4MaxSize", link.gsoIpv4MaxSize());
    fields.put("/interface/groIPv4MaxSize", link.groIpv4MaxSize());
    fields.put("/interface/disableEbpfPrograms", link.disableEbpfPrograms());
    fields.put("/interface/forwarding", link.forwarding());
    fields.put("/interface/arpIgnore", link.arpIgnore());
    fields.put("/interface/arpAnnounce", link.arpAnnounce());
    fields.put("/interface/vrf", link.vrf());
    fields.put("/routes", emptyAsNull(config.routes()));
    fields.put("/rules", emptyAsNull(config.rules()));
    fields.put("/neighbors", emptyAsNull(config.neighbours()));
    fields.put("/ethtool", config.ethtool().equals(EthtoolConfig.NONE) ? null : config.ethtool());
    fields.values().removeIf(Objects::isNull);
    fields
        .keySet()
        .forEach(
            place ->
                problems.add(
                    new ConfigurationProblem(
                        place, "the device has only an RDMA device, no network interface")));
    return List.copyOf(problems);
  }

  private static @Nullable Object emptyAsNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  private static @Nullable Object emptyAsNull(@Nullable List<?> list) {
    return list == null || list.isEmpty() ? null : list;
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
