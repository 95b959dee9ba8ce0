package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Changes an object at random places, so that it may break rules of the API. */
final class RandomChanges {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "A",
          "-a",
          "a-",
          "a.b",
          "a..b",
          ".a",
          "a/b",
          "a/b/c",
          "/a",
          "a/",
          "A.b/c",
          "a_b",
          "_a",
          "0a",
          "a b",
          " a",
          "a\n",
          "ä",
          "a.example.com/b",
          "resource.kubernetes.io/pcieRoot",
          "kubernetes.io/a",
          "requests.a/b",
          "gpu",
          "nic",
          "nic/fast",
          "gpu/fast",
          "fast",
          "true",
          "Exists",
          "Equal",
          "All",
          "ExactCount",
          "NoSchedule",
          "NoExecute",
          "None",
          "In",
          "Gt",
          "DoesNotExist",
          "FromClass",
          "True",
          "1.2.3",
          "1.2.3-a.01",
          "01.2.3",
          "1.2.3+a..b",
          "1",
          "-1",
          "0",
          "1.5",
          "1e3",
          "1Ki",
          "1k",
          "1K",
          "0.1m",
          "1n",
          "9223372036854775808",
          "1E",
          "10Ei",
          "-0",
          "+1",
          "1.",
          ".5",
          "80Gi",
          "81Gi",
          "10Gi",
          "metadata.name",
          "10.0.0.1/8",
          "10.0.0.1/33",
          "::1/64",
          "::ffff:1.2.3.4/96",
          "010.0.0.1/8",
          "10.0.0.1/08",
          "fe80::1%a/64",
          "2026-01-01T00:00:00Z",
          "2026-01-01",
          "0bb62e1a-5b2c-4a3e-9d8c-1f2e3d4c5b6a",
          "{0bb62e1a-5b2c-4a3e-9d8c-1f2e3d4c5b6a}",
          "memory",
          "hugepages-2Mi",
          "cpu",
          "device.driver",
          "device.driver == 'a'",
          "has(device.attributes['a'].b)",
          "1",
          "[",
          "device.nope",
          "example.com/ready",
          "example.com/failed",
          "set-0",
          "node-0",
          "gpu-0",
          "NodePrepareResources");

  private static final List<JsonNode> TIMES =
      Stream.of(
              "2026-01-01T00:00:00Z",
              "2026-01-01T00:00:00+01:00",
              "2026-01-01T00:00:00.123456Z",
              "2026-01-01t00:00:00z",
              "2026-01-01 00:00:00Z",
              "2026-13-01T00:00:00Z",
              "2026-01-01",
              "0000-01-01T00:00:00Z",
              "2026-01-01T24:00:00Z",
              "2026-01-01T00:00:60Z",
              "")
          .<JsonNode>map(NODES::textNode)
          .toList();

  private static final List<Integer> LENGTHS =
      List.of(31, 32, 33, 63, 64, 65, 128, 129, 253, 254, 256, 257);

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "-1",
          "2",
          "10",
          "1.5",
          "1.0",
          "1e2",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e400",
          "0.1",
          "-0");

  private static final List<Integer> SIZES = List.of(0, 2, 3, 4, 5, 8, 9, 10, 11, 16, 17, 32, 33);

  private final SplittableRandom random;
  private final List<ObjectNode> others;
  private final ApiTypes types;
  private final Set<String> unwanted;
  private final List<String> made = new ArrayList<>();

  /** A place in an object: what holds it, its name or number there, and the type it should have. */
  private record Spot(JsonNode parent, String field, int index, String path, JsonNode type) {
    JsonNode get() {
      return parent.isObject() ? parent.get(field) : parent.get(index);
    }

    void set(JsonNode value) {
      if (parent instanceof ObjectNode object) {
        object.set(field, value);
      } else {
        ((ArrayNode) parent).set(index, value);
      }
    }

    void remove() {
      if (parent instanceof ObjectNode object) {
        object.remove(field);
      } else {
        ((ArrayNode) parent).remove(index);
      }
    }
  }

  /**
   * Changes at random.
   *
   * @param others objects from which parts are taken
   * @param types the fields that are added
   * @param unwanted the fields that are not added
   */
  RandomChanges(
      SplittableRandom random, List<ObjectNode> others, ApiTypes types, Set<String> unwanted) {
    this.random = random;
    this.others = others;
    this.types = types;
    this.unwanted = unwanted;
  }

  /** Changes an object in one to three places. */
  void change(ObjectNode object) {
    made.add(
        object.get("apiVersion").asText()
            + " "
            + object.get("kind").asText()
            + " "
            + object.get("metadata").path("name").asText());
    int changes = Math.max(1, random.nextInt(5) - 1);
    for (int i = 0; i < changes; i++) {
      if (random.nextInt(4) == 0) {
        addField(object);
        continue;
      }
      List<Spot> spots = spots(object);
      if (random.nextInt(3) > 0) { // what is written there, more often than whole objects
        spots.removeIf(spot -> !spot.get().isValueNode());
      }
      if (!spots.isEmpty()) {
        changeAt(spots.get(random.nextInt(spots.size())));
      }
    }
  }

  /** What was changed. */
  @Override
  public String toString() {
    return String.join("; ", made);
  }

  private List<Spot> spots(ObjectNode object) {
    List<Spot> spots = new ArrayList<>();
    JsonNode type = types.of(object);
    for (String part : List.of("metadata", "spec", "status")) {
      if (object.has(part)) {
        JsonNode inside = types.inside(object, type, part);
        spots.add(new Spot(object, part, 0, part, inside));
        add(object, object.get(part), part, inside, spots);
      }
    }
    return spots;
  }

  private void add(ObjectNode object, JsonNode node, String path, JsonNode type, List<Spot> spots) {
    if (node instanceof ObjectNode parent) {
      for (Map.Entry<String, JsonNode> one : parent.properties()) {
        String below = path + "." + one.getKey();
        JsonNode inside = types.inside(object, type, one.getKey());
        spots.add(new Spot(parent, one.getKey(), 0, below, inside));
        add(object, one.getValue(), below, inside, spots);
      }
    } else if (node instanceof ArrayNode list) {
      JsonNode inside = types.inside(object, type, "");
      for (int i = 0; i < list.size(); i++) {
        String below = path + "[" + i + "]";
        spots.add(new Spot(list, "", i, below, inside));
        add(object, list.get(i), below, inside, spots);
      }
    }
  }

  /** Gives an object a field of its type that it does not have. */
  private void addField(ObjectNode object) {
    List<Spot> spots = spots(object);
    spots.removeIf(spot -> !spot.get().isObject() || !spot.type().has("properties"));
    if (spots.isEmpty()) {
      return;
    }
    Spot spot = pick(spots);
    List<String> names = new ArrayList<>();
    spot.type().get("properties").fieldNames().forEachRemaining(names::add);
    names.removeIf(name -> spot.get().has(name) || unwanted.contains(name));
    if (!names.isEmpty()) {
      String name = pick(names);
      JsonNode value = ofType(object, types.inside(object, spot.type(), name), 0);
      String text = value.toString();
      made.add(spot.path() + "." + name + " = " + text.substring(0, Math.min(300, text.length())));
      ((ObjectNode) spot.get()).set(name, value);
    }
  }

  /** Returns a value of a type, from values that are partly valid for it. */
  private JsonNode ofType(ObjectNode object, JsonNode type, int depth) {
    if (type.has("properties")) {
      ObjectNode made = NODES.objectNode();
      for (Map.Entry<String, JsonNode> field : type.get("properties").properties()) {
        boolean isRequired = false;
        for (JsonNode required : type.path("required")) {
          isRequired |= required.asText().equals(field.getKey());
        }
        if (!unwanted.contains(field.getKey())
            && (random.nextInt(10) < (isRequired ? 9 : 4 - depth))) {
          JsonNode inside = types.inside(object, type, field.getKey());
          made.set(field.getKey(), ofType(object, inside, depth + 1));
        }
      }
      return made;
    }
    if (type.has("items")) {
      ArrayNode made = NODES.arrayNode();
      for (int i = random.nextInt(3); i >= 0; i--) {
        made.add(ofType(object, types.inside(object, type, ""), depth + 1));
      }
      return made;
    }
    if (type.path("additionalProperties").isObject()) {
      ObjectNode made = NODES.objectNode();
      for (int i = random.nextInt(3); i >= 0; i--) {
        made.set(pick(TEXTS), ofType(object, types.inside(object, type, ""), depth + 1));
      }
      return made;
    }
    return switch (type.path("type").asText()) {
      case "string" -> type.path("format").asText().equals("date-time") ? pick(TIMES) : text();
      case "integer" -> number();
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      default -> random.nextBoolean() ? text() : anything();
    };
  }

  private void changeAt(Spot spot) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      made.add("no " + spot.path());
      spot.remove();
    } else if (kind == 1) {
      put(spot, NODES.nullNode());
    } else if (kind == 2) {
      put(spot, anything());
    } else if (kind == 3 && spot.parent() instanceof ObjectNode parent) {
      String name = pick(TEXTS);
      made.add(spot.path() + " as " + name);
      parent.set(name, spot.get().deepCopy());
    } else if (kind == 4) {
      List<Spot> from = spots(others.get(random.nextInt(others.size())));
      put(spot, from.get(random.nextInt(from.size())).get().deepCopy());
    } else {
      put(spot, like(spot.get()));
    }
  }

  private void put(Spot spot, JsonNode value) {
    String text = value.toString();
    made.add(spot.path() + " = " + (text.length() > 120 ? text.substring(0, 120) + "…" : text));
    spot.set(value);
  }

  private JsonNode anything() {
    return switch (random.nextInt(5)) {
      case 0 -> NODES.arrayNode();
      case 1 -> NODES.objectNode();
      case 2 -> number();
      case 3 -> text();
      default -> NODES.booleanNode(random.nextBoolean());
    };
  }

  private JsonNode like(JsonNode value) {
    if (value.isTextual()) {
      return text();
    }
    if (value.isNumber()) {
      return number();
    }
    if (value.isBoolean()) {
      return NODES.booleanNode(!value.asBoolean());
    }
    if (value instanceof ArrayNode list && !list.isEmpty()) {
      return list(list);
    }
    if (value instanceof ObjectNode object && !object.isEmpty()) {
      ObjectNode copy = object.deepCopy();
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      JsonNode one = object.get(pick(names));
      copy.set(pick(TEXTS), one.deepCopy());
      return copy;
    }
    return anything();
  }

  private JsonNode list(ArrayNode list) {
    ArrayNode copy = NODES.arrayNode();
    int size = pick(SIZES);
    boolean isNamed = random.nextBoolean();
    for (int i = 0; i < size; i++) {
      JsonNode one = list.get(i % list.size()).deepCopy();
      if (isNamed && i >= list.size() && one instanceof ObjectNode object && object.has("name")) {
        object.put("name", object.get("name").asText() + i);
      }
      copy.add(
          isNamed && i >= list.size() && one.isTextual() ? NODES.textNode(one.asText() + i) : one);
    }
    return copy;
  }

  private JsonNode text() {
    return NODES.textNode(random.nextInt(6) == 0 ? "x".repeat(pick(LENGTHS)) : pick(TEXTS));
  }

  private JsonNode number() {
    String number = pick(NUMBERS);
    return number.matches("-?[0-9]{1,18}")
        ? NODES.numberNode(Long.parseLong(number))
        : NODES.numberNode(new java.math.BigDecimal(number));
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
