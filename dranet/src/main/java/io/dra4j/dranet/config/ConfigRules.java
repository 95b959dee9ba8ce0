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
 * What fields of a configuration may not say together, and values that no kernel takes: whatever
 * passes here and what the device allows can be carried out.
 */
final class ConfigRules {

  private static final int MIN_IPV6_MTU = 1280; // RFC 8200, 5: below, Linux switches IPv6 off

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
      problem("/interface/dhcp", "excludes /interface/addresses: one of them must go");
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
        problem(place, address + " is at /interface/addresses/" + before + ", too");
      }
      if (address.isV6() && link.mtu() != null && link.mtu() < MIN_IPV6_MTU) {
        problem(
            "/interface/mtu",
            "IPv6 needs " + MIN_IPV6_MTU + ", which " + address + " would not have");
      }
    }
    HardwareAddress hardware = link.hardwareAddress();
    if (hardware != null && hardware.length() == 6) { // is_valid_ether_addr
      byte[] bytes = hardware.toBytes();
      if ((bytes[0] & 1) != 0 || hardware.equals(HardwareAddress.of(new byte[6]))) {
        problem("/interface/hardwareAddr", hardware + " is no address of a single interface");
      }
    }
    VrfConfig vrf = link.vrf();
    if (vrf != null && vrf.name().equals(link.name())) {
      problem("/interface/vrf/name", "'" + vrf.name() + "' is the name of the interface itself");
    }
  }

  /** Linux takes any IPv4 address, but no IPv6 address of these kinds (inet6_addr_add). */
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
        problem(place + "/scope", "253 (link) means that there is no gateway");
      }
      if (route.source() != null && route.source().isV6() != v6) {
        problem(place + "/source", otherFamily(route.source(), route.destination()));
      }
      long table = config.link().vrf() == null ? route.effectiveTable() : 0;
      Integer before = seen.putIfAbsent(List.of(Prefixes.network(route.destination()), table), i);
      if (before != null) {
        problem(
            place + "/destination",
            "/routes/" + before + " goes to " + route.destination() + " in the same table");
      }
    }
  }

  private static String otherFamily(Object address, Object other) {
    return address + " must be of the family of " + other + ", IPv4 or IPv6";
  }

  private void checkRules() {
    List<RuleConfig> rules = orNone(config.rules());
    if (!rules.isEmpty() && config.link().vrf() != null) {
      problem("/rules", "must not be given with /interface/vrf, whose table is used for all");
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
        problem(place, destination + " is at /neighbors/" + before + ", too");
      }
    }
  }

  /** All that is given, but for the profile, whose answer is checked again. */
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
                        place, "the device has an RDMA device only, and no network interface")));
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
