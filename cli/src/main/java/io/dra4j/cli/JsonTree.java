package io.dra4j.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads and writes trees of JSON as an {@code ObjectMapper} would. That one starts calendars and
 * locales with it, a tenth of the time of a short run.
 */
final class JsonTree {

  static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonTree() {}

  /**
   * Reads the first value of a text. Of fields with the same name, the last one counts.
   *
   * @throws JsonProcessingException if it is not JSON
   */
  static JsonNode read(String text) throws JsonProcessingException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return parser.nextToken() == null ? MissingNode.getInstance() : value(parser);
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no input but the text
    }
  }

  private static JsonNode value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          parser.nextToken();
          object.set(name, value(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  /**
   * Writes a tree in one line, fields in the order of their names.
   *
   * @throws JsonProcessingException if it is nested too deeply
   */
  static String text(JsonNode tree) throws JsonProcessingException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(tree, json);
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * Writes a tree in UTF-8, fields in the order of their names.
   *
   * @throws JsonProcessingException if it is nested too deeply
   */
  static byte[] bytes(JsonNode tree) throws JsonProcessingException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      write(tree, json);
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonNode tree, JsonGenerator json) throws IOException {
    switch (tree.getNodeType()) {
      case OBJECT -> {
        Map<String, JsonNode> sorted = new TreeMap<>();
        tree.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        json.writeStartObject();
        for (Map.Entry<String, JsonNode> field : sorted.entrySet()) {
          json.writeFieldName(field.getKey());
          write(field.getValue(), json);
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        json.writeStartArray();
        for (JsonNode element : tree) {
          write(element, json);
        }
        json.writeEndArray();
      }
      case STRING -> json.writeString(tree.textValue());
      case NUMBER -> json.writePOJO(tree.numberValue());
      case BOOLEAN -> json.writeBoolean(tree.booleanValue());
      default -> json.writeNull();
    }
  }
}
