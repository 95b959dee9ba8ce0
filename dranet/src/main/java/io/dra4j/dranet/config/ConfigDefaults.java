package io.dra4j.dranet.config;

import java.util.List;

/** Fills in the defaults of a configuration that do not depend on the device. */
final class ConfigDefaults {

  private ConfigDefaults() {}

  static NetworkConfig of(NetworkConfig config) {
    InterfaceConfig link = config.link();
    VrfConfig vrf =
        link.vrf() == null ? null : new VrfConfig(link.vrf().name(), link.vrf().effectiveTable());
    InterfaceConfig full =
        new InterfaceConfig(
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
    List<RouteConfig> routes =
        config.routes() == null
            ? null
            : config.routes().stream()
                .map(
                    route ->
                        new RouteConfig(
                            Prefixes.network(route.destination()),
                            route.gateway(),
                            route.source(),
                            route.effectiveScope(),
                            vrf == null ? route.effectiveTable() : vrf.effectiveTable()))
                .toList();
    List<RuleConfig> rules =
        config.rules() == null
            ? null
            : config.rules().stream()
                .map(
                    rule ->
                        new RuleConfig(
                            rule.priority(),
                            rule.source() == null ? null : Prefixes.network(rule.source()),
                            rule.destination() == null
                                ? null
                                : Prefixes.network(rule.destination()),
                            rule.effectiveTable()))
                .toList();
    return new NetworkConfig(
        config.profile(), full, routes, rules, config.neighbours(), config.ethtool());
  }
}
