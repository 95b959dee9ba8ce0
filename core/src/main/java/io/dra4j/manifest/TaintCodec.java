package io.dra4j.manifest;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.model.TolerationOperator;

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
    return new FieldWriter()
        .required("key", taint.key())
        .text("value", taint.value())
        .required("effect", taint.effect().value())
        .optionalText("timeAdded", taint.timeAdded())
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
    return new FieldWriter()
        .text("key", toleration.key())
        .text("operator", toleration.operator().value())
        .text("value", toleration.value())
        .text("effect", toleration.effect().value())
        .optionalInteger("tolerationSeconds", toleration.tolerationSeconds())
        .done();
  }

  static Taint readNodeTaint(FieldReader in) {
    return new Taint(
        in.text("key"), in.text("value"), new TaintEffect(in.text("effect")), in.time("timeAdded"));
  }

  static Json.Fields writeNodeTaint(Taint taint) {
    return new FieldWriter()
        .required("key", taint.key())
        .text("value", taint.value())
        .required("effect", taint.effect().value())
        .optionalText("timeAdded", taint.timeAdded())
        .done();
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
    return new FieldWriter()
        .text("key", toleration.key())
        .text("operator", toleration.operator().value())
        .text("value", toleration.value())
        .text("effect", toleration.effect().value())
        .optionalInteger("tolerationSeconds", toleration.tolerationSeconds())
        .done();
  }

  static DeviceTaintRule readRule(FieldReader in) {
    // The status is told by others and not kept, but what cannot be read is a problem of the
    // object.
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
