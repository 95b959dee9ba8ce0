package io.dra4j.dranet.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The fields of a configuration that only a DeviceClass may set. A claim that sets one of them is
 * refused. This gives administrators control, because otherwise claims win over classes. Immutable
 * and thread-safe.
 *
 * <pre>{@code
 * NetworkDriver.builder().policy(ConfigPolicy.classOnly(List.of("/interface/vrf", "/rules")));
 * }</pre>
 */
public final class ConfigPolicy {

  /** The policy that lets claims set all fields. */
  public static final ConfigPolicy NONE = new ConfigPolicy(List.of());

  private final List<String> classOnly;

  private ConfigPolicy(List<String> classOnly) {
    this.classOnly = classOnly;
  }

  /**
   * Creates a policy.
   *
   * @param pointers the fields as JSON pointers, for example {@code /interface/vrf}; a pointer
   *     includes all fields below it
   * @return the policy
   * @throws IllegalArgumentException if a pointer does not name a field of a configuration, or
   *     names an entry of a list
   */
  public static ConfigPolicy classOnly(List<String> pointers) {
    Set<String> fields = ConfigReader.pointers();
    for (String one : pointers) {
      if (!fields.contains(one)) {
        throw new IllegalArgumentException(
            "'%s' is not a field of a configuration; expected a JSON pointer such as /interface/vrf"
                .formatted(one));
      }
    }
    return new ConfigPolicy(List.copyOf(pointers));
  }

  /**
   * Lists the fields that only a DeviceClass may set.
   *
   * @return JSON pointers, in the order of the call of {@link #classOnly(List)}
   */
  public List<String> classOnly() {
    return classOnly;
  }

  /**
   * Finds fields that the claim sets but may not set. A field that is set to null counts as well.
   *
   * @param parameters the configuration of a claim, as JSON
   * @return one problem for each field; empty if the configuration is not valid JSON, which the
   *     reader reports itself
   */
  List<ConfigurationProblem> check(String parameters) {
    if (classOnly.isEmpty()) {
      return List.of();
    }
    JsonNode value;
    try {
      value = JsonTree.parse(parameters, JsonTree.MAX_BYTES, new ArrayList<>());
    } catch (ConfigurationException e) {
      return List.of(); // ConfigReader reports this problem
    }
    List<ConfigurationProblem> problems = new ArrayList<>();
    for (String pointer : classOnly) {
      if (!value.at(JsonPointer.compile(pointer)).isMissingNode()) {
        problems.add(
            new ConfigurationProblem(
                pointer, "only a DeviceClass may set this field (policy of the driver)"));
      }
    }
    return problems;
  }
}
