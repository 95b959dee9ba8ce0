package io.dra4j.cli.cel;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * An expression and a device to evaluate it on.
 *
 * @param expression the expression
 * @param driver the driver of the device
 * @param device the device as in a ResourceSlice
 */
record CelPair(CelExpression expression, String driver, ObjectNode device) {

  /** The line of input of {@code dra4j cel} and of the reference. */
  String line() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("expression", expression.text()).put("driver", driver).set("device", device);
    return line.toString();
  }

  /** Whether the expression equals the literal, as a pair. */
  CelPair equalTo(String literal) {
    CelExpression equation =
        new CelExpression(
            List.of(new CelPart.Text("("), expression, new CelPart.Text(" == " + literal + ")")));
    return new CelPair(equation, driver, device);
  }

  int size() {
    return line().length();
  }

  /** Pairs that are smaller by one step, in no order. */
  List<CelPair> smaller() {
    List<CelPair> smaller = new ArrayList<>();
    for (CelExpression candidate : expression.smaller()) {
      smaller.add(new CelPair(candidate, driver, device));
    }
    for (String map : List.of("attributes", "capacity")) {
      if (device.path(map).size() > 1) {
        smaller.add(without(map, List.copyOf(names(device, map))));
      }
      for (String name : names(device, map)) {
        smaller.add(without(map, List.of(name)));
      }
    }
    if (device.has("allowMultipleAllocations")) {
      ObjectNode changed = device.deepCopy();
      changed.remove("allowMultipleAllocations");
      smaller.add(new CelPair(expression, driver, changed));
    }
    return smaller;
  }

  /** Pairs with some characters of the expression left out. */
  List<CelPair> shorter() {
    return CelExpression.shorter(expression.text()).stream()
        .map(text -> new CelPair(text, driver, device))
        .toList();
  }

  private CelPair without(String map, List<String> names) {
    ObjectNode changed = device.deepCopy();
    ((ObjectNode) changed.path(map)).remove(names);
    if (changed.path(map).isEmpty()) {
      changed.remove(map);
    }
    return new CelPair(expression, driver, changed);
  }

  private static List<String> names(ObjectNode device, String map) {
    List<String> names = new ArrayList<>();
    device.path(map).fieldNames().forEachRemaining(names::add);
    return names;
  }
}
