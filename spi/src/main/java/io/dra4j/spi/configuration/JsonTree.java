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
import java.util.List;

/** Parses JSON into a tree and tells of fields that stand twice in an object. */
final class JsonTree {

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

  static JsonNode parse(String json, List<ConfigurationProblem> problems)
      throws ConfigurationException {
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() == null) {
        throw broken("is empty, want a JSON object");
      }
      JsonNode tree = new JsonTree(problems).value(parser, "");
      if (parser.nextToken() != null) {
        throw broken("goes on after the JSON object, at " + place(parser));
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw broken(
          "is no JSON at line %d, column %d: %s"
              .formatted(
                  e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                  e.getLocation() == null ? 1 : e.getLocation().getColumnNr(),
                  e.getOriginalMessage()));
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

  /** RFC 6901, section 3. */
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
