package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.dra4j.manifest.Json;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Values as trees of Jackson's, for users. */
public final class JacksonTree {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");

  private JacksonTree() {}

  public static ObjectNode of(Json.Fields object) {
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
      return NODES.booleanNode(flag == Json.Flag.TRUE);
    }
    return NODES.nullNode();
  }

  private static JsonNode number(String text) {
    try {
      BigDecimal number = new BigDecimal(text);
      boolean isLong = WHOLE.matcher(text).matches() && number.toBigInteger().bitLength() < 64;
      return isLong ? NODES.numberNode(number.longValue()) : DecimalNode.valueOf(number);
    } catch (NumberFormatException e) {
      return NODES.rawValueNode(new RawValue(text)); // an exponent of more than 32 bits
    }
  }
}
