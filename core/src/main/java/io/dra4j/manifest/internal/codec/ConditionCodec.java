package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.Condition;

/** An entry of {@code conditions} in the status of an object. */
final class ConditionCodec {

  private ConditionCodec() {}

  static Condition read(FieldReader in) {
    return Condition.of(in.text("type"), in.text("status"))
        .observedGeneration(in.optionalInteger("observedGeneration"))
        .lastTransitionTime(in.time("lastTransitionTime"))
        .reason(in.text("reason"))
        .message(in.text("message"))
        .build();
  }

  static Json.Fields write(Condition condition) {
    return new FieldWriter()
        .required("type", condition.type())
        .required("status", condition.status())
        .optionalInteger("observedGeneration", condition.observedGeneration())
        .optionalText("lastTransitionTime", condition.lastTransitionTime())
        .required("reason", condition.reason())
        .required("message", condition.message())
        .done();
  }
}
