package io.dra4j.dranet.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills in the defaults of a configuration that do not depend on the device. */
final class ConfigDefaults {

  private ConfigDefaults() {}

  static NetworkConfig of(NetworkConfig config) {
    VrfConfig given = config.link().vrf();
    VrfConfig vrf = given == null ? null : new VrfConfig(given.name(), given.effectiveTable());
    List<RouteConfig> routes =
        config.routes() == null
            ? null
            : config.routes().stream().map(route -> route(route, vrf)).toList();
    List<RuleConfig> rules =
        config.rules() == null ? null : config.rules().stream().map(ConfigDefaults::rule).toList();
    return new NetworkConfig(
        config.profile(),
        link(config.link(), vrf),
        routes,
        rules,
        config.neighbours(),
        config.ethtool());
  }

  private static InterfaceConfig link(InterfaceConfig link, @Nullable VrfConfig vrf) {
    return new InterfaceConfig(
        link.name(),
        link.addresses(),
        link.asksDhcp(),
        link.mtu(),
        link.hardwareAddress(),
        link.gsoMaxSize(),
        link.groMaxSize(),
        link.gsoIpv4MaxSize(),
        link.groIpv4MaxSize(),
        link.detachesPrograms(),
        link.forwarding(),
        link.arpIgnore(),
        link.arpAnnounce(),
        vrf);
  }

  private static RouteConfig route(RouteConfig route, @Nullable VrfConfig vrf) {
    return new RouteConfig(
        Prefixes.network(route.destination()),
        route.gateway(),
        route.source(),
        route.effectiveScope(),
        vrf == null ? route.effectiveTable() : vrf.effectiveTable());
  }

  private static RuleConfig rule(RuleConfig rule) {
    return new RuleConfig(
        rule.priority(),
        rule.source() == null ? null : Prefixes.network(rule.source()),
        rule.destination() == null ? null : Prefixes.network(rule.destination()),
        rule.effectiveTable());
  }
}
