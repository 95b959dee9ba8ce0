package io.dra4j.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes JSON trees like an {@code ObjectMapper}, but does not load its calendars and locales,
 * which take a tenth of the time of a short run.
 */
public final class JsonTree {

  public static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final JsonFactory FACTORY = new JsonFactory();

  private JsonTree() {}

  /**
   * Writes a tree in one line, fields in the order of their names.
   *
   * @throws JsonProcessingException if it is nested too deeply
   */
  public static String text(JsonNode tree) throws JsonProcessingException {
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
   * Writes a tree that the program created, like {@link #text}.
   *
   * @throws IllegalStateException if it is nested too deeply, which would be a bug
   */
  public static String ofProgram(JsonNode tree) {
    try {
      return text(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a JSON tree", e);
    }
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
