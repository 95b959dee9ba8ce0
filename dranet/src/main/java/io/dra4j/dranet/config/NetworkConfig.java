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
   * @throws ConfigurationException if it is not valid JSON, has unknown or duplicate fields, values
   *     with wrong types or out of range, or fields that contradict each other; it has all
   *     problems, but only the first syntax error
   */
  public static NetworkConfig parse(String json) throws ConfigurationException {
    return new ConfigReader().read(json, JsonTree.MAX_BYTES);
  }

  /**
   * Reads a merged configuration that was written with {@link #toJson}, which may be longer than
   * the limit of Kubernetes.
   *
   * @param json the result of {@link #toJson}, at most 1 MiB
   * @return the configuration
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

  /**
   * Checks combinations of fields, which merging can make invalid.
   *
   * @return the problems; empty if there are none
   */
  public List<ConfigurationProblem> problems() {
    return ConfigRules.of(this);
  }

  /**
   * Checks the configuration for a device that has no network interface, only an RDMA device.
   *
   * @return a problem for each field that is set but needs a network interface; empty if there is
   *     none
   */
  public List<ConfigurationProblem> problemsWithoutInterface() {
    return ConfigRules.withoutInterface(this);
  }

  /**
   * Returns the configuration with all defaults filled in that do not depend on the device.
   *
   * @return the configuration with defaults
   */
  public NetworkConfig withDefaults() {
    return ConfigDefaults.of(this);
  }

  /**
   * Returns this configuration with other settings of the interface.
   *
   * @param newLink the settings
   * @return the configuration with these settings
   */
  public NetworkConfig withLink(InterfaceConfig newLink) {
    return new NetworkConfig(profile, newLink, routes, rules, neighbours, ethtool);
  }

  /**
   * Writes the configuration as JSON, without fields that are not set.
   *
   * @return JSON with several lines, for {@link #parse}
   */
  public String toJson() {
    return ConfigWriter.write(this);
  }
}
