package io.dra4j.spi.configuration;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private static final int MAX_DEPTH = 32;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final List<ConfigurationProblem> problems;

  private JsonTree(List<ConfigurationProblem> problems) {
    this.problems = problems;
  }

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
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() == null) {
        return NODES.nullNode();
      }
      JsonNode tree = new JsonTree(problems).value(parser, "");
      if (parser.nextToken() != null) {
        throw broken("goes on after the JSON value, at " + place(parser));
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw broken(
          "is no JSON at line %d, column %d: %s"
              .formatted(
                  e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                  e.getLocation() == null ? 1 : e.getLocation().getColumnNr(),
                  e.getOriginalMessage().replaceAll("\\s+", " ")));
    } catch (IOException e) { // reading a string cannot fail otherwise
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode value(JsonParser parser, String pointer) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, pointer);
      case START_ARRAY -> array(parser, pointer);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  private ObjectNode object(JsonParser parser, String pointer) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      String at = pointer + "/" + escaped(name);
      boolean twice = object.has(name);
      JsonNode value = value(parser, at);
      if (twice) {
        problems.add(new ConfigurationProblem(at, "is there twice"));
      }
      object.set(name, value);
    }
    return object;
  }

  private ArrayNode array(JsonParser parser, String pointer) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, pointer + "/" + array.size()));
    }
    return array;
  }

  /** A name as a part of a JSON pointer (RFC 6901, section 3). */
  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static String place(JsonParser parser) {
    return "line %d, column %d"
        .formatted(
            parser.currentTokenLocation().getLineNr(), parser.currentTokenLocation().getColumnNr());
  }

  private static ConfigurationException broken(String problem) {
    return new ConfigurationException(List.of(new ConfigurationProblem("", problem)));
  }
}
