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
   * {@return a policy with fields that only a DeviceClass may set}
   *
   * @param pointers JSON pointers, for example {@code /interface/vrf}, including all fields below
   * @throws IllegalArgumentException if a pointer names a list entry or no field of a configuration
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

  /** {@return the fields that only a DeviceClass may set, as JSON pointers, in the given order} */
  public List<String> classOnly() {
    return classOnly;
  }

  /**
   * Returns a problem for each field that a claim sets, even to null, but may not set; empty if its
   * {@code parameters} are not valid JSON, which the reader reports itself.
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
