package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;

/** Values as trees of Jackson's, for users. */
final class JacksonTree {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JacksonTree() {}

  static ObjectNode of(Json.Fields object) {
    ObjectNode node = NODES.objectNode();
    object.map().forEach((name, value) -> node.set(name, of(value)));
    return node;
  }

  private static JsonNode of(Json value) {
    if (value instanceof Json.Fields object) {
      return of(object);
    } else if (value instanceof Json.Items items) {
      ArrayNode node = NODES.arrayNode(items.list().size());
      items.list().forEach(item -> node.add(of(item)));
      return node;
    } else if (value instanceof Json.Text text) {
      return NODES.textNode(text.value());
    } else if (value instanceof Json.Num number) {
      return number(number.text());
    } else if (value instanceof Json.Flag flag) {
      return NODES.booleanNode(flag.isTrue());
    }
    return NODES.nullNode();
  }

  private static JsonNode number(String text) {
    try {
      return NODES.numberNode(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return DecimalNode.valueOf(new BigDecimal(text));
    }
  }
}
