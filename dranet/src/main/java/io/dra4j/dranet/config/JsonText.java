package io.dra4j.dranet.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Text to a tree of JSON: bounded, nothing behind the value, no field twice. */
final class JsonText {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(32).build())
          .build();

  private final List<ConfigurationProblem> problems;

  JsonText(List<ConfigurationProblem> problems) {
    this.problems = problems;
  }

  /** The value of a text; null, as JSON has it, for nothing, and if it is no JSON. */
  JsonNode read(String text, int maxBytes) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length > maxBytes) {
      problems.add(
          new ConfigurationProblem(
              "", length + " bytes, at most " + maxBytes + " (resource.k8s.io/v1)"));
      return NullNode.instance;
    }
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        return NullNode.instance;
      }
      JsonNode value = value(parser, "");
      if (parser.nextToken() != null) {
        problems.add(new ConfigurationProblem("", "something stands behind the JSON value"));
      }
      return value;
    } catch (JsonProcessingException e) {
      problems.add(
          new ConfigurationProblem(
              "",
              "not JSON, line %d, column %d: %s"
                  .formatted(
                      e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                      e.getLocation() == null ? 1 : e.getLocation().getColumnNr(),
                      e.getOriginalMessage().replaceAll("\\s+", " "))));
      return NullNode.instance;
    } catch (IOException e) {
      throw new IllegalStateException("a text cannot be read", e);
    }
  }

  private JsonNode value(JsonParser parser, String pointer) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, pointer);
      case START_ARRAY -> array(parser, pointer);
      case VALUE_STRING -> TextNode.valueOf(parser.getText());
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      default -> NullNode.instance;
    };
  }

  private static NumericNode integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? (NumericNode) NODES.numberNode(parser.getBigIntegerValue())
        : NODES.numberNode(parser.getLongValue());
  }

  private ObjectNode object(JsonParser parser, String pointer) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String place = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
      parser.nextToken();
      JsonNode value = value(parser, place);
      if (object.has(name)) {
        problems.add(new ConfigurationProblem(place, "the field is there twice"));
      } else {
        object.set(name, value);
      }
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
}
