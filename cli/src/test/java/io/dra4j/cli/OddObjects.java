package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes some objects of a snapshot nonsensical, so that no API server would accept them: fields
 * left out, emptied, duplicated or in another order, values from other places, quantities at the
 * ends of their range, contradicting fields. Known differences are not produced
 * (docs/design/strict.md): negative counts and empty binding conditions.
 */
final class OddObjects {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_CHANGES = 4;

  private static final List<String> QUANTITIES =
      List.of(
          "0",
          "1",
          "-1",
          "-0",
          "0.5",
          "1m",
          "1u",
          "1n",
          "0.1n",
          "1e3",
          "1e-3",
          "1k",
          "1Ki",
          "1.5Gi",
          "5000m",
          "2",
          "4",
          "8",
          "10",
          "16Ei",
          "100E",
          "1e30",
          "9223372036854775807",
          "9223372036854775808");
  private static final List<Long> NUMBERS =
      List.of(0L, 1L, 2L, 3L, 16L, 32L, 33L, 1L << 31, Long.MAX_VALUE);
  private static final String DRIVER = "gpu.example.com";

  /** What may be added to a device: a field and its values, as JSON. */
  private static final List<List<String>> OF_DEVICES =
      List.of(
          List.of("bindingConditions", "['c']", "['c', 'd']"),
          List.of("bindsToNode", "true", "false"),
          List.of("allowMultipleAllocations", "true", "false"),
          List.of("allNodes", "true", "false"),
          List.of("nodeName", "''", "'node-0'", "'elsewhere'"),
          List.of(
              "taints",
              "[{'key': 'k', 'effect': 'NoSchedule'}]",
              "[{'key': '', 'value': 'v', 'effect': 'NoExecute'}]",
              "[{'key': 'k', 'effect': 'Odd'}, {'key': 'l', 'effect': 'None'}]"),
          List.of(
              "consumesCounters",
              "[{'counterSet': 'set-0', 'counters': {'c': {'value': '1'}}}]",
              "[{'counterSet': 'set-0', 'counters': {}}]"),
          List.of(
              "attributes",
              "{}",
              "{'a': {'string': ''}}",
              "{'gpu.example.com/a': {'ints': [1, 1]}, 'a': {'int': 1}}",
              "{'a': {'version': 'v1'}}",
              "{'a': {}}"),
          List.of(
              "capacity",
              "{'mem': {'value': '-1'}}",
              "{'mem': {'value': '10', 'requestPolicy': {'validValues': ['4', '2']}}}",
              "{'mem': {'value': '10', 'requestPolicy': {'default': '20'}}}",
              "{'mem': {'value': '10', 'requestPolicy': {'validRange': {'min': '3', 'step':"
                  + " '0'}}}}",
              "{'mem': {'value': '10', 'requestPolicy': {'validRange': {'max': '1', 'min': '3',"
                  + " 'step': '500m'}}}}"));

  /** What may be added to a request. */
  private static final List<List<String>> OF_REQUESTS =
      List.of(
          List.of("allocationMode", "'All'", "'Odd'"),
          List.of("count", "0", "2", "32", "33"),
          List.of("capacity", "{'requests': {'mem': '3'}}", "{'requests': {'mem': '-1'}}", "{}"),
          List.of(
              "tolerations",
              "[{'operator': 'Exists'}]",
              "[{'key': 'k', 'operator': 'Odd'}]",
              "[{'key': '', 'operator': 'Equal', 'value': 'v'}]"));

  private final SplittableRandom random;

  OddObjects(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Changes some of the objects. */
  void change(List<JsonNode> objects) {
    for (int i = 1 + random.nextInt(MAX_CHANGES); i > 0; i--) {
      JsonNode object = any(objects);
      if (object.path("spec").isObject()) {
        if (random.nextBoolean()) {
          changeAnywhere(object, objects);
        } else {
          add(object);
        }
      }
    }
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private JsonNode value(String json) {
    try {
      return JSON.readTree(json.replace('\'', '"'));
    } catch (java.io.IOException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private void add(JsonNode object) {
    JsonNode devices = object.path("spec").path("devices");
    List<JsonNode> targets = new ArrayList<>();
    List<List<String>> fields = OF_DEVICES;
    if (devices.isArray()) {
      devices.forEach(targets::add);
    } else {
      fields = OF_REQUESTS;
      for (JsonNode request : devices.path("requests")) {
        if (request.has("exactly")) {
          targets.add(request.get("exactly"));
        }
        request.path("firstAvailable").forEach(targets::add);
      }
    }
    if (!targets.isEmpty() && any(targets) instanceof ObjectNode target) {
      List<String> field = any(fields);
      target.set(field.get(0), value(any(field.subList(1, field.size()))));
    }
    if (devices.isArray() && random.nextInt(6) == 0) {
      ((ObjectNode) object.get("spec")).put("perDeviceNodeSelection", random.nextBoolean());
    }
  }

  /** A value and where it is: of an object by name, of a list by index. */
  private record Place(JsonNode parent, String name, int index, JsonNode value) {
    void set(JsonNode other) {
      if (parent instanceof ObjectNode object) {
        object.set(name, other);
      } else {
        ((ArrayNode) parent).set(index, other);
      }
    }

    void remove() {
      if (parent instanceof ObjectNode object) {
        object.remove(name);
      } else {
        ((ArrayNode) parent).remove(index);
      }
    }
  }

  private static void collect(JsonNode parent, List<Place> places) {
    if (parent.isObject()) {
      parent
          .properties()
          .forEach(it -> places.add(new Place(parent, it.getKey(), 0, it.getValue())));
      parent.forEach(child -> collect(child, places));
    } else if (parent.isArray()) {
      for (int i = 0; i < parent.size(); i++) {
        places.add(new Place(parent, "", i, parent.get(i)));
        collect(parent.get(i), places);
      }
    }
  }

  private void changeAnywhere(JsonNode object, List<JsonNode> objects) {
    List<Place> places = new ArrayList<>();
    collect(object.get("spec"), places);
    collect(object.path("status"), places);
    if (places.isEmpty()) {
      return;
    }
    Place place = any(places);
    JsonNode value = place.value();
    if (value.isTextual()) {
      place.set(text(place, objects));
    } else if (value.isNumber()) {
      place.set(JSON.getNodeFactory().numberNode(any(NUMBERS)));
    } else if (value.isBoolean()) {
      place.set(JSON.getNodeFactory().booleanNode(!value.booleanValue()));
    } else if (random.nextInt(4) == 0) {
      place.remove();
    } else if (value instanceof ArrayNode list && !list.isEmpty()) {
      changeList(list, place.name().startsWith("binding"));
    } else if (place.parent() instanceof ArrayNode list) {
      list.add(value.deepCopy());
    }
  }

  private JsonNode text(Place place, List<JsonNode> objects) {
    if (!place.value().textValue().isEmpty()
        && Character.isDigit(place.value().textValue().charAt(0))) {
      return JSON.getNodeFactory().textNode(any(QUANTITIES));
    }
    List<Place> others = new ArrayList<>();
    objects.forEach(object -> collect(object.path("spec"), others));
    others.removeIf(other -> !other.value().isTextual() || !other.name().equals(place.name()));
    return others.isEmpty() || random.nextInt(8) == 0
        ? JSON.getNodeFactory().textNode(random.nextBoolean() ? "" : DRIVER + "/a")
        : any(others).value();
  }

  private void changeList(ArrayNode list, boolean mustStay) {
    switch (random.nextInt(mustStay ? 2 : 4)) {
      case 0 -> list.add(list.get(random.nextInt(list.size())).deepCopy());
      case 1 -> list.insert(0, list.remove(list.size() - 1));
      case 2 -> list.remove(random.nextInt(list.size()));
      default -> list.removeAll();
    }
  }
}
