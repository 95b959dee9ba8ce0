package io.dra4j.dranet.config;

import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a claim or device class wants of a network device in a pod: the opaque parameters of driver
 * {@code dra.net}. Immutable; made by {@link #parse}.
 *
 * <pre>{@code
 * NetworkConfig config = NetworkConfig.parse(
 *     "{\"interface\": {\"name\": \"gpu0rdma0\", \"addresses\": [\"192.168.1.5/32\"], \"mtu\": 8896}}");
 * }</pre>
 *
 * <p>Lists and the profile are null if they are not given.
 *
 * @param profile the name that a profile provider is asked for
 * @param link what the interface is like ({@code interface} in JSON)
 * @param routes the routes through the interface
 * @param rules the rules of policy routing of the pod, which a VRF excludes
 * @param neighbours the permanent neighbours of the interface, whose JSON field has the American
 *     spelling
 * @param ethtool what the hardware does
 */
public record NetworkConfig(
    @Nullable String profile,
    InterfaceConfig link,
    @Nullable List<RouteConfig> routes,
    @Nullable List<RuleConfig> rules,
    @Nullable List<NeighbourConfig> neighbours,
    EthtoolConfig ethtool) {

  /** The configuration that says nothing. */
  public static final NetworkConfig EMPTY =
      new NetworkConfig(null, InterfaceConfig.NONE, null, null, null, EthtoolConfig.NONE);

  /** Copies the lists. {@inheritDoc} */
  public NetworkConfig {
    routes = routes == null ? null : List.copyOf(routes);
    rules = rules == null ? null : List.copyOf(rules);
    neighbours = neighbours == null ? null : List.copyOf(neighbours);
  }

  /**
   * Reads a configuration and checks all that can be checked without knowing the device.
   *
   * @param json a JSON object, or null or nothing for {@link #EMPTY}; at most 10,240 bytes, which
   *     is what Kubernetes lets through
   * @return the configuration as it is written, without defaults
   * @throws ConfigurationException if it is not JSON, has unknown or duplicate fields, values of
   *     wrong types or out of range, or fields that contradict each other; all but the first of a
   *     document that is not JSON are reported together
   */
  public static NetworkConfig parse(String json) throws ConfigurationException {
    return new ConfigReader().read(json, JsonTree.MAX_BYTES);
  }

  /**
   * Reads a configuration that was written down after several were merged, which may be longer than
   * what Kubernetes lets through.
   *
   * @param json what {@link #toJson} gave, at most 1 MiB
   * @return the configuration
   * @throws ConfigurationException as {@link #parse}
   */
  public static NetworkConfig parseMerged(String json) throws ConfigurationException {
    return new ConfigReader().read(json, 1 << 20);
  }

  /**
   * Returns this configuration with what another one, of higher precedence, says: a value that the
   * other gives wins, also if it is 0, false or empty. Addresses, routes, rules and neighbours of
   * both are kept, the other's behind, where they are not the same (addresses; destination and
   * table of routes; destination of neighbours); an empty list of the other takes this one's away.
   *
   * @param higher the configuration that wins
   * @return both as one, in which fields may contradict each other: see {@link #problems}
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
   * Checks what several fields say together, which merging can break.
   *
   * @return what is wrong; empty if nothing is
   */
  public List<ConfigurationProblem> problems() {
    return ConfigRules.of(this);
  }

  /**
   * Checks the configuration for a device that has no network interface, only an RDMA device.
   *
   * @return a problem for each field that is given and means nothing there; empty if there is none
   */
  public List<ConfigurationProblem> problemsWithoutInterface() {
    return ConfigRules.withoutInterface(this);
  }

  /**
   * Returns the configuration with each default written out that does not depend on the device.
   *
   * @return the same configuration in full
   */
  public NetworkConfig withDefaults() {
    return ConfigDefaults.of(this);
  }

  /**
   * Returns the same with other properties of the interface.
   *
   * @param newLink the properties
   * @return the configuration with them
   */
  public NetworkConfig withLink(InterfaceConfig newLink) {
    return new NetworkConfig(profile, newLink, routes, rules, neighbours, ethtool);
  }

  /**
   * Writes the configuration down, fields that are not given left out.
   *
   * @return JSON of several lines, for {@link #parse}
   */
  public String toJson() {
    return ConfigWriter.write(this);
  }
}
