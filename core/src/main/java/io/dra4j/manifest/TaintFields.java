package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.TolerationOperator;

/** Reads and writes taints, tolerations and taint rules. */
final class TaintFields {

  private TaintFields() {}

  static DeviceTaint readTaint(Fields taint) {
    return new DeviceTaint(
        taint.text("key"),
        taint.text("value"),
        new TaintEffect(taint.text("effect")),
        taint.nonEmptyText("timeAdded"));
  }

  static void writeTaint(DeviceTaint taint, ObjectNode json) {
    json.put("key", taint.key());
    Json.text(json, "value", taint.value());
    json.put("effect", taint.effect().value());
    Json.text(json, "timeAdded", taint.timeAdded());
  }

  static DeviceToleration readToleration(Fields toleration) {
    String operator = toleration.text("operator");
    return new DeviceToleration(
        toleration.text("key"),
        // The API server's default.
        operator.isEmpty() ? TolerationOperator.EQUAL : new TolerationOperator(operator),
        toleration.text("value"),
        new TaintEffect(toleration.text("effect")),
        toleration.optionalInteger("tolerationSeconds"));
  }

  static void writeToleration(DeviceToleration toleration, ObjectNode json) {
    Json.text(json, "key", toleration.key());
    Json.text(json, "operator", toleration.operator().value());
    Json.text(json, "value", toleration.value());
    Json.text(json, "effect", toleration.effect().value());
    if (toleration.tolerationSeconds() != null) {
      json.put("tolerationSeconds", toleration.tolerationSeconds());
    }
  }

  static DeviceTaintRule readRule(Fields rule) {
    Fields spec = rule.at("spec");
    return new DeviceTaintRule(
        MetaFields.read(rule),
        spec.object(
            "deviceSelector",
            selector ->
                new DeviceTaintSelector(
                    selector.optionalText("driver"),
                    selector.optionalText("pool"),
                    selector.optionalText("device"))),
        readTaint(spec.at("taint")));
  }

  static void writeRule(DeviceTaintRule rule, ObjectNode json) {
    MetaFields.write(rule.metadata(), json);
    ObjectNode spec = json.putObject("spec");
    Json.object(
        spec,
        "deviceSelector",
        rule.deviceSelector(),
        (selector, object) -> {
          Json.pointer(object, "driver", selector.driver());
          Json.pointer(object, "pool", selector.pool());
          Json.pointer(object, "device", selector.device());
        });
    Json.object(spec, "taint", rule.taint(), TaintFields::writeTaint);
  }
}
