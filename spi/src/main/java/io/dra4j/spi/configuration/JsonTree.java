package io.dra4j.spi.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.dra4j.internal.json.StrictParser;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads parameters as a tree of JSON, with the same strict rules for every driver: bounded in
 * bytes, depth and digits, nothing after the value, no field twice. Most drivers use {@link
 * JsonRecords}, which converts the tree to records. A driver whose fields need checks that a
 * record's type cannot express reads the tree itself:
 *
 * <pre>{@code
 * List<ConfigurationProblem> problems = new ArrayList<>();
 * JsonNode tree = JsonTree.parse(json, JsonTree.MAX_BYTES, problems);
 * ...
 * if (!problems.isEmpty()) {
 *   throw new ConfigurationException(problems);
 * }
 * }</pre>
 */
public final class JsonTree {

  /** The maximum length of parameters, in bytes (resource.k8s.io/v1, OpaqueParametersMaxLength). */
  public static final int MAX_BYTES = 10 * 1024;

  private static final StrictParser PARSER = new StrictParser(32, 64);

  private JsonTree() {}

  /**
   * {@return the JSON value of a string, with whole numbers as {@link java.math.BigInteger} and
   * others as {@link java.math.BigDecimal}; the null of JSON for an empty string}
   *
   * @param json the string
   * @param maxBytes the maximum length, in bytes of UTF-8
   * @param problems receives the fields that occur twice in their object, with their JSON pointers
   * @throws ConfigurationException if the string is longer, or is not JSON of at most 32 levels
   */
  public static JsonNode parse(String json, int maxBytes, List<ConfigurationProblem> problems)
      throws ConfigurationException {
    int bytes = json.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      throw broken("has %d bytes; expected at most %d".formatted(bytes, maxBytes));
    }
    try {
      JsonNode tree =
          PARSER.parse(json, at -> problems.add(new ConfigurationProblem(at, "occurs twice")));
      return tree.isMissingNode() ? NullNode.instance : tree;
    } catch (StrictParser.FaultException e) {
      throw broken(
          e.fault() == StrictParser.Fault.REST
              ? "has more content after the JSON value, at " + e.place()
              : "is not valid JSON at %s: %s"
                  .formatted(e.place(), e.problem().replaceAll("\\s+", " ")));
    }
  }

  /**
   * {@return a name with tildes and slashes escaped for a JSON pointer (RFC 6901, section 3)}
   *
   * @param name the name of a field
   */
  public static String escaped(String name) {
    return StrictParser.step(name);
  }

  private static ConfigurationException broken(String problem) {
    return new ConfigurationException(List.of(new ConfigurationProblem("", problem)));
  }
}
