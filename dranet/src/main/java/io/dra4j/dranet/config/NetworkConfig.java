package io.dra4j.dranet.config;

import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a network device in a pod, from a claim or device class: the opaque
 * parameters of driver {@code dra.net}. Immutable; created by {@link #parse}.
 *
 * <pre>{@code
 * NetworkConfig config = NetworkConfig.parse(
 *     "{\"interface\": {\"name\": \"gpu0rdma0\", \"addresses\": [\"192.168.1.5/32\"], \"mtu\": 8896}}");
 * }</pre>
 *
 * <p>Lists and the profile are null if they are not set.
 *
 * @param profile the name of a profile, which a profile provider resolves
 * @param link the settings of the interface ({@code interface} in JSON)
 * @param routes the routes through the interface
 * @param rules the policy routing rules of the pod; cannot be set together with a VRF
 * @param neighbours the permanent neighbours of the interface, whose JSON field has the American
 *     spelling
 * @param ethtool the hardware features and driver flags
 */
public record NetworkConfig(
    @Nullable String profile,
    InterfaceConfig link,
    @Nullable List<RouteConfig> routes,
    @Nullable List<RuleConfig> rules,
    @Nullable List<NeighbourConfig> neighbours,
    EthtoolConfig ethtool) {

  /** The configuration without any field set. */
  public static final NetworkConfig EMPTY =
      new NetworkConfig(null, InterfaceConfig.NONE, null, null, null, EthtoolConfig.NONE);

  /** Copies the lists. {@inheritDoc} */
  public NetworkConfig {
    routes = routes == null ? null : List.copyOf(routes);
    rules = rules == null ? null : List.copyOf(rules);
    neighbours = neighbours == null ? null : List.copyOf(neighbours);
  }

  /**
   * Reads a configuration, and checks everything that does not depend on the device.
   *
   * @param json a JSON object; JSON null or an empty string for {@link #EMPTY}; at most 10,240
   *     bytes, the limit of Kubernetes
   * @return the configuration as written, without defaults
   * @throws ConfigurationException if it is not valid JSON, has unknown, duplicate or conflicting
   *     fields, or values of wrong types or ranges; with all problems, but one syntax error at most
   */
  public static NetworkConfig parse(String json) throws ConfigurationException {
    return new ConfigReader().read(json, JsonTree.MAX_BYTES);
  }

  /**
   * {@return a merged configuration, which may be longer than the limit of Kubernetes}
   *
   * @param json the result of {@link #toJson}, at most 1 MiB
   * @throws ConfigurationException as {@link #parse}
   */
  public static NetworkConfig parseMerged(String json) throws ConfigurationException {
    return new ConfigReader().read(json, 1 << 20);
  }

  /**
   * Merges this configuration with one of higher precedence. A value of the other configuration
   * wins, even if it is 0, false or empty. Lists of addresses, routes, rules and neighbours are
   * joined, the entries of the other configuration last. An entry of the other configuration
   * replaces an entry with the same key: address, destination and table of a route, or destination
   * of a neighbour. An empty list of the other configuration removes all entries of this one.
   *
   * @param higher the configuration that wins
   * @return the merged configuration, whose fields may contradict each other: see {@link #problems}
   */
  public NetworkConfig under(NetworkConfig higher) {
    return new NetworkConfig(
        higher.profile == null ? profile : higher.profile,
        link.under(higher.link),
        ConfigMerge.lists(
            routes,
            higher.routes,
            route -> List.of(Prefixes.network(route.destination()), route.effectiveTable())),
        ConfigMerge.lists(rules, higher.rules, Function.identity()),
        ConfigMerge.lists(neighbours, higher.neighbours, NeighbourConfig::destination),
        ethtool.under(higher.ethtool));
  }

  /** {@return problems of field combinations, which merging can cause; empty if there are none} */
  public List<ConfigurationProblem> problems() {
    return ConfigRules.of(this);
  }

  /** {@return a problem for each set field that needs an interface, for a device with RDMA only} */
  public List<ConfigurationProblem> problemsWithoutInterface() {
    return ConfigRules.withoutInterface(this);
  }

  /** {@return the configuration with all defaults that do not depend on the device} */
  public NetworkConfig withDefaults() {
    return ConfigDefaults.of(this);
  }

  /**
   * {@return this configuration with other settings of the interface}
   *
   * @param newLink the settings
   */
  public NetworkConfig withLink(InterfaceConfig newLink) {
    return new NetworkConfig(profile, newLink, routes, rules, neighbours, ethtool);
  }

  /** {@return the configuration as multi-line JSON without unset fields, for {@link #parse}} */
  public String toJson() {
    return ConfigWriter.write(this);
  }
}
