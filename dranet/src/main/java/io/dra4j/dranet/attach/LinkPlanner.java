package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.InterfaceConfig;
import io.dra4j.dranet.config.NeighbourConfig;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.netlink.ethtool.Feature;
import io.dra4j.netlink.ethtool.FeatureAliases;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkLimits;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.route.Scope;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plans the state of a link in the pod. Reports each setting that the device does not allow, with
 * its place in the configuration, before anything changes.
 */
final class LinkPlanner {

  private static final int MAX_NAME = 15; // IFNAMSIZ with the zero byte
  private static final int MIN_IPV6_MTU = 1280; // RFC 8200, 5
  private static final int NO_PREFIX_ROUTE = 0x200; // IFA_F_NOPREFIXROUTE of linux/if_addr.h
  private static final int ROUTER_ADVERTISEMENT = 2; // IFAPROT_KERNEL_RA of linux/if_addr.h
  private static final int MAX_GRO = 8 * 65_535; // GRO_MAX_SIZE of linux/netdevice.h

  private final AttachRequest request;
  private final NetworkConfig config;
  private final InterfaceConfig wanted;
  private final HostLink host;
  private final List<ConfigurationProblem> problems;
  private final Consumer<String> notices;

  LinkPlanner(
      AttachRequest request,
      HostLink host,
      List<ConfigurationProblem> problems,
      Consumer<String> notices) {
    this.request = request;
    this.config = request.config();
    this.wanted = config.link();
    this.host = host;
    this.problems = problems;
    this.notices = notices;
  }

  private void problem(String pointer, String text) {
    problems.add(new ConfigurationProblem(pointer, text));
  }

  LinkPlan plan() {
    problems.addAll(config.problems());
    String podName = podName();
    HardwareAddress given = wanted.hardwareAddress();
    List<InterfaceAddress> addresses = addresses(podName);
    CarriedRoutes routes = CarriedRoutes.of(config, request.leased(), host, addresses, notices);
    routes.problems().forEach(problems::add);
    checkMtu(addresses);
    VrfConfig vrf = wanted.vrf();
    if (vrf != null && vrf.name().equals(podName) && !vrf.name().equals(wanted.name())) {
      problem("/interface/vrf/name", "'" + podName + "' is the name of the interface itself");
    }
    return new LinkPlan(
        host,
        podName,
        given == null ? "" : given.toString(),
        settings(podName),
        asked(),
        sysctls(),
        addresses,
        features(),
        privateFlags(),
        wanted.detachesPrograms(),
        wanted.vrf(),
        routes.routes(),
        rules(routes, podName),
        neighbours());
  }

  private String podName() {
    String full = request.podName();
    if (full.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
      problem("/interface/name", "'" + full + "' is longer than " + MAX_NAME + " bytes");
      return host.link().name();
    }
    return full;
  }

  /** Returns the settings that move the link; the kernel moves and renames it before the rest. */
  private LinkSettings settings(String podName) {
    LinkSettings settings = LinkSettings.none().down().name(podName);
    int maxTso = host.link().limits().tsoMaxSize();
    if (wanted.mtu() != null) {
      settings = settings.mtu(wanted.mtu());
    }
    HardwareAddress address = wanted.hardwareAddress();
    if (address != null) {
      checkLength(address);
      settings = settings.address(address);
    }
    Integer gso = limited("/interface/gsoMaxSize", wanted.gsoMaxSize(), maxTso);
    if (gso != null) {
      settings = settings.gsoMaxSize(gso);
    }
    LinkLimits limits = host.link().limits();
    Integer gro = limited("/interface/groMaxSize", wanted.groMaxSize(), MAX_GRO);
    known("/interface/groMaxSize", gro, limits.groMaxSize(), "5.19");
    if (gro != null) {
      settings = settings.groMaxSize(gro);
    }
    Integer gso4 = limited("/interface/gsoIPv4MaxSize", wanted.gsoIpv4MaxSize(), maxTso);
    known("/interface/gsoIPv4MaxSize", gso4, limits.gsoIpv4MaxSize(), "6.3");
    if (gso4 != null) {
      settings = settings.gsoIpv4MaxSize(gso4);
    }
    Integer gro4 = limited("/interface/groIPv4MaxSize", wanted.groIpv4MaxSize(), MAX_GRO);
    known("/interface/groIPv4MaxSize", gro4, limits.groIpv4MaxSize(), "6.3");
    return gro4 == null ? settings : settings.groIpv4MaxSize(gro4);
  }

  private void checkLength(HardwareAddress address) {
    int length = host.link().address().length();
    if (address.length() != length) {
      problem(
          "/interface/hardwareAddr",
          address
              + " has "
              + address.length()
              + " bytes, but the address of "
              + host.link().name()
              + " has "
              + length);
    }
  }

  /**
   * Reports a problem if the kernel does not support a setting. A kernel reports all settings of a
   * link that it supports, and ignores others without an error.
   */
  private void known(String pointer, @Nullable Integer value, int reported, String since) {
    if (value != null && reported == 0) {
      problem(pointer, "this kernel does not support it; Linux " + since + " or newer is required");
    }
  }

  /** Returns the settings that a kernel or device may ignore or change without an error. */
  private RequestedSettings asked() {
    HardwareAddress address = wanted.hardwareAddress();
    return new RequestedSettings(
        wanted.mtu(),
        address == null ? null : address.toString(),
        wanted.gsoMaxSize(),
        wanted.groMaxSize(),
        wanted.gsoIpv4MaxSize(),
        wanted.groIpv4MaxSize());
  }

  /**
   * Reports a problem if a value is over a limit. A limit of 0 means that the limit is not known.
   */
  private @Nullable Integer limited(String pointer, @Nullable Integer value, int most) {
    if (value != null && most > 0 && value > most) {
      problem(pointer, host.link().name() + " supports at most " + most + ", not " + value);
    }
    return value;
  }

  private void checkMtu(List<InterfaceAddress> addresses) {
    Integer mtu = wanted.mtu();
    String name = host.link().name();
    Link lower = host.lower();
    int least = host.link().limits().minMtu();
    int most = host.link().limits().maxMtu();
    if (mtu != null && (mtu < least || (most > 0 && mtu > most))) {
      problem("/interface/mtu", name + " supports " + least + " to " + most + " bytes, not " + mtu);
    } else if (mtu != null && request.maxMtu().isPresent() && mtu > request.maxMtu().getAsInt()) {
      problem(
          "/interface/mtu",
          name
              + " is a virtual function, and the MTU of its physical function is "
              + request.maxMtu().getAsInt()
              + " bytes, less than "
              + mtu);
    } else if (mtu != null && lower != null && mtu > lower.mtu()) {
      problem(
          "/interface/mtu",
          "%s (%s) is built on %s, whose MTU is %d bytes, less than %d"
              .formatted(name, host.link().kind(), lower.name(), lower.mtu(), mtu));
    } else if (mtu != null && mtu < MIN_IPV6_MTU && wanted.addresses() == null) {
      addresses.stream()
          .map(one -> one.address().address())
          .filter(IpAddress::isV6)
          .findFirst()
          .ifPresent(
              address ->
                  problem(
                      "/interface/mtu",
                      "IPv6 needs " + MIN_IPV6_MTU + " bytes, and " + name + " has " + address));
    }
  }

  /** Returns the link's kernel parameters, set before it is up: no packet leaves without them. */
  private Map<String, String> sysctls() {
    Map<String, String> sysctls = new LinkedHashMap<>();
    if (wanted.arpIgnore() != null) {
      sysctls.put("ipv4/conf/arp_ignore", wanted.arpIgnore().toString());
    }
    if (wanted.arpAnnounce() != null) {
      sysctls.put("ipv4/conf/arp_announce", wanted.arpAnnounce().toString());
    }
    if (wanted.forwarding() != null) {
      String value = Boolean.TRUE.equals(wanted.forwarding()) ? "1" : "0";
      sysctls.put("ipv4/conf/forwarding", value);
      sysctls.put("ipv6/conf/forwarding", value);
    }
    return sysctls;
  }

  private List<InterfaceAddress> addresses(String podName) {
    List<InterfaceAddress> addresses = new ArrayList<>();
    List<IpPrefix> given = wanted.addresses();
    if (given != null) {
      for (IpPrefix one : given) {
        addresses.add(address(one));
      }
      return addresses;
    }
    if (wanted.asksDhcp()) {
      problem(
          "/interface/dhcp",
          "DHCP is not available here: only the driver runs it, when it prepares a claim");
    }
    for (InterfaceAddress one : host.state().addresses()) {
      if (one.scope() == Scope.UNIVERSE) {
        InterfaceAddress kept = carried(one);
        addresses.add(
            one.label().startsWith(host.link().name()) ? relabelled(kept, podName) : kept);
      }
    }
    return addresses;
  }

  /**
   * Returns an address of the host as the pod gets it. Its lifetime is unlimited, because the
   * program that renews its lease stays on the host; the pod receives router advertisements itself.
   * The kernel adds the route to its network, which on the host NetworkManager adds itself.
   */
  private static InterfaceAddress carried(InterfaceAddress address) {
    InterfaceAddress kept = address.withFlags(address.flags() & ~NO_PREFIX_ROUTE);
    return address.protocol().orElse(0) == ROUTER_ADVERTISEMENT
        ? kept
        : kept.withLifetime(OptionalLong.empty(), OptionalLong.empty());
  }

  /** Returns the address with the label of the new name: labels begin with the link's name. */
  private InterfaceAddress relabelled(InterfaceAddress address, String podName) {
    String label = podName + address.label().substring(host.link().name().length());
    boolean fits = label.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME;
    return address.withLabel(fits ? label : podName);
  }

  private InterfaceAddress address(IpPrefix prefix) {
    InterfaceAddress address = InterfaceAddress.of(host.link().index(), prefix);
    if (prefix.address().isV6() || prefix.length() > 30) {
      return address;
    }
    byte[] bytes = prefix.address().toBytes();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.max(0, Math.min(8, prefix.length() - 8 * i));
      bytes[i] |= (byte) (0xff >> kept);
    }
    return address.withBroadcast(IpAddress.of(bytes));
  }

  private Map<String, Boolean> features() {
    Map<String, Boolean> all = new TreeMap<>();
    config
        .ethtool()
        .features()
        .forEach(
            (name, on) -> {
              String place = "/ethtool/features/" + JsonTree.escaped(name);
              List<String> known = FeatureAliases.resolve(name, host.features().keySet());
              if (known.isEmpty()) {
                problem(place, host.link().name() + " does not have this feature");
                return;
              }
              List<String> switched = new ArrayList<>();
              for (String one : known) {
                Feature feature = host.features().get(one);
                if (feature != null && (feature.changeable() || feature.active() == on)) {
                  switched.add(one);
                }
              }
              if (switched.isEmpty()) {
                problem(place, host.link().name() + " cannot switch it " + (on ? "on" : "off"));
              }
              switched.forEach(
                  one -> {
                    Boolean other = all.put(one, on);
                    if (other != null && !other.equals(on)) {
                      problem(place, one + " is set both on and off");
                    }
                  });
            });
    return all;
  }

  private Map<String, Boolean> privateFlags() {
    Map<String, Boolean> flags = config.ethtool().privateFlags();
    for (String name : flags.keySet()) {
      if (!host.privateFlags().containsKey(name)) {
        problem(
            "/ethtool/privateFlags/" + JsonTree.escaped(name),
            "the driver of " + host.link().name() + " does not have this flag");
      }
    }
    return flags;
  }

  private List<Rule> rules(CarriedRoutes routes, String podName) {
    List<Rule> rules = new ArrayList<>();
    if (config.rules() != null) {
      config.rules().forEach(one -> rules.add(Rules.of(one)));
    }
    if (wanted.vrf() == null) {
      for (Rule one : host.rules()) {
        if (routes.carriedTables().contains(one.table().orElse(0))) {
          Rules.carried(one, host.link().name(), podName, notices).ifPresent(rules::add);
        }
      }
    }
    return rules;
  }

  private List<Neighbour> neighbours() {
    int index = host.link().index();
    int length = host.link().address().length();
    List<Neighbour> all = new ArrayList<>();
    List<NeighbourConfig> given = config.neighbours() == null ? List.of() : config.neighbours();
    for (int i = 0; i < given.size(); i++) {
      NeighbourConfig one = given.get(i);
      if (one.hardwareAddress().length() != length) {
        problem(
            "/neighbors/" + i + "/hardwareAddr",
            one.hardwareAddress()
                + " has "
                + one.hardwareAddress().length()
                + " bytes, but addresses of "
                + host.link().name()
                + " have "
                + length);
      }
      all.add(Neighbour.permanent(index, one.destination(), one.hardwareAddress()));
    }
    for (Neighbour one : host.state().neighbours()) {
      boolean known =
          given.stream().anyMatch(other -> other.destination().equals(one.destination()));
      if (!known && one.isPermanent() && !one.address().isEmpty()) {
        all.add(one);
      }
    }
    return all;
  }

  /** Creates a route from a configured one. */
  static Route route(io.dra4j.dranet.config.RouteConfig one, long table) {
    Route route =
        Route.to(io.dra4j.dranet.config.Prefixes.network(one.destination()))
            .withScope(one.effectiveScope())
            .withTable((int) table);
    if (one.gateway() != null) {
      route = route.withGateway(one.gateway());
    }
    return one.source() == null ? route : route.withPreferredSource(one.source());
  }
}
