package io.dra4j.spi.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.dra4j.internal.json.StrictParser;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Parameters as a tree of JSON, read as strictly by every driver: bounded in bytes, depth and
 * digits, nothing behind the value, no field twice. {@link JsonRecords} makes records of it, which
 * is what most drivers want; one whose fields take more explaining than a record's type does asks
 * the tree itself:
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

  /** The most bytes that parameters can have (resource.k8s.io/v1, OpaqueParametersMaxLength). */
  public static final int MAX_BYTES = 10 * 1024;

  private static final StrictParser PARSER = new StrictParser(32, 64);

  private JsonTree() {}

  /**
   * Reads a text.
   *
   * @param json the text
   * @param maxBytes how many bytes of UTF-8 it may have
   * @param problems takes the fields that stand twice in their object, with their JSON pointers
   * @return the value, with whole numbers as {@link java.math.BigInteger} and others as {@link
   *     java.math.BigDecimal}; null, as JSON has it, for an empty text
   * @throws ConfigurationException if it is longer, or no JSON of at most 32 levels
   */
  public static JsonNode parse(String json, int maxBytes, List<ConfigurationProblem> problems)
      throws ConfigurationException {
    int bytes = json.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      throw broken("has %d bytes, want at most %d".formatted(bytes, maxBytes));
    }
    try {
      JsonNode tree =
          PARSER.parse(json, at -> problems.add(new ConfigurationProblem(at, "is there twice")));
      return tree.isMissingNode() ? NullNode.instance : tree;
    } catch (StrictParser.FaultException e) {
      throw broken(
          e.fault() == StrictParser.Fault.REST
              ? "goes on after the JSON value, at " + e.place()
              : "is no JSON at %s: %s".formatted(e.place(), e.problem().replaceAll("\\s+", " ")));
    }
  }

  /**
   * Makes a step of a JSON pointer (RFC 6901, section 3), such as {@code a~1b} of {@code a/b}.
   *
   * @param name the name of a field
   * @return the name with its tildes and slashes escaped
   */
  public static String escaped(String name) {
    return StrictParser.step(name);
  }

  private static ConfigurationException broken(String problem) {
    return new ConfigurationException(List.of(new ConfigurationProblem("", problem)));
  }
}
