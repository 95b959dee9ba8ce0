package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.model.TolerationOperator;
import org.jspecify.annotations.Nullable;

/** Taints and tolerations, of devices and of nodes, and taint rules. */
final class TaintCodec {

  private TaintCodec() {}

  static DeviceTaint readTaint(FieldReader in) {
    return DeviceTaint.of(in.text("key"), in.text("value"), new TaintEffect(in.text("effect")))
        .toBuilder()
        .timeAdded(in.time("timeAdded"))
        .build();
  }

  static Json.Fields writeTaint(DeviceTaint taint) {
    return writeTaint(taint.key(), taint.value(), taint.effect(), taint.timeAdded());
  }

  private static Json.Fields writeTaint(
      String key, String value, TaintEffect effect, @Nullable String timeAdded) {
    return new FieldWriter()
        .required("key", key)
        .text("value", value)
        .required("effect", effect.value())
        .optionalText("timeAdded", timeAdded)
        .done();
  }

  static DeviceToleration readToleration(FieldReader in) {
    return DeviceToleration.equal(in.text("key"), in.text("value")).toBuilder()
        .operator(new TolerationOperator(in.text("operator")))
        .effect(new TaintEffect(in.text("effect")))
        .tolerationSeconds(in.optionalInteger("tolerationSeconds"))
        .build();
  }

  static Json.Fields writeToleration(DeviceToleration toleration) {
    return writeToleration(
        toleration.key(),
        toleration.operator(),
        toleration.value(),
        toleration.effect(),
        toleration.tolerationSeconds());
  }

  private static Json.Fields writeToleration(
      String key,
      TolerationOperator operator,
      String value,
      TaintEffect effect,
      @Nullable Long seconds) {
    return new FieldWriter()
        .text("key", key)
        .text("operator", operator.value())
        .text("value", value)
        .text("effect", effect.value())
        .optionalInteger("tolerationSeconds", seconds)
        .done();
  }

  static Taint readNodeTaint(FieldReader in) {
    return new Taint(
        in.text("key"), in.text("value"), new TaintEffect(in.text("effect")), in.time("timeAdded"));
  }

  static Json.Fields writeNodeTaint(Taint taint) {
    return writeTaint(taint.key(), taint.value(), taint.effect(), taint.timeAdded());
  }

  static Toleration readPodToleration(FieldReader in) {
    return new Toleration(
        in.text("key"),
        new TolerationOperator(in.text("operator")),
        in.text("value"),
        new TaintEffect(in.text("effect")),
        in.optionalInteger("tolerationSeconds"));
  }

  static Json.Fields writePodToleration(Toleration toleration) {
    return writeToleration(
        toleration.key(),
        toleration.operator(),
        toleration.value(),
        toleration.effect(),
        toleration.tolerationSeconds());
  }

  static DeviceTaintRule readRule(FieldReader in) {
    // The status is written by others and not kept, but a status that cannot be read is a problem
    // of the object.
    in.optionalObject("status", status -> status.objects("conditions", ConditionCodec::read));
    return in.object(
        "spec",
        spec ->
            new DeviceTaintRule(
                MetadataCodec.read(in),
                spec.optionalObject("deviceSelector", TaintCodec::readSelector),
                spec.object("taint", TaintCodec::readTaint)));
  }

  static Json.Fields writeRule(DeviceTaintRule rule) {
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(rule.metadata()))
        .required(
            "spec",
            new FieldWriter()
                .optional("deviceSelector", rule.deviceSelector(), TaintCodec::writeSelector)
                .required("taint", writeTaint(rule.taint()))
                .done())
        .done();
  }

  private static DeviceTaintSelector readSelector(FieldReader in) {
    return new DeviceTaintSelector(
        in.optionalText("driver"), in.optionalText("pool"), in.optionalText("device"));
  }

  private static Json.Fields writeSelector(DeviceTaintSelector selector) {
    return new FieldWriter()
        .optionalText("driver", selector.driver())
        .optionalText("pool", selector.pool())
        .optionalText("device", selector.device())
        .done();
  }
}
