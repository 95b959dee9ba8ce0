package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.TAINT_EFFECT;
import static io.dra4j.manifest.validation.ValidationRule.TAINT_KEY;
import static io.dra4j.manifest.validation.ValidationRule.TAINT_VALUE;
import static io.dra4j.manifest.validation.ValidationRule.TOLERATION_EFFECT;
import static io.dra4j.manifest.validation.ValidationRule.TOLERATION_KEY;
import static io.dra4j.manifest.validation.ValidationRule.TOLERATION_OPERATOR;
import static io.dra4j.manifest.validation.ValidationRule.TOLERATION_VALUE;

import java.util.List;

/** The rules of taints and tolerations. */
final class TaintRules {

  private static final List<String> EFFECTS = List.of("None", "NoSchedule", "NoExecute");

  void checkTaint(FieldCursor taint) {
    taint.requireName(TAINT_KEY, "key", NameFormat.LABEL_NAME);
    taint.checkName(TAINT_VALUE, "value", NameFormat.LABEL_VALUE);
    String effect = taint.required(TAINT_EFFECT, "effect", String.join(" or ", EFFECTS));
    if (effect != null) {
      taint.checkWord(TAINT_EFFECT, "effect", effect, EFFECTS);
    }
  }

  /** Checks a toleration; no operator means Equal. */
  void checkToleration(FieldCursor toleration) {
    String key = toleration.text("key");
    if (key != null && !key.isEmpty()) {
      toleration.checkName(TOLERATION_KEY, "key", key, NameFormat.LABEL_NAME);
    }
    String operator = toleration.text("operator");
    String value = toleration.text("value");
    if (operator == null || operator.isEmpty() || operator.equals("Equal")) {
      toleration.checkName(TOLERATION_VALUE, "value", NameFormat.LABEL_VALUE);
    } else if (operator.equals("Exists")) {
      if (value != null && !value.isEmpty()) {
        toleration.problem(TOLERATION_VALUE, "value", "expected none with operator Exists");
      }
    } else {
      toleration.checkWord(TOLERATION_OPERATOR, "operator", operator, List.of("Exists", "Equal"));
    }
    String effect = toleration.text("effect");
    if (effect != null && !effect.isEmpty()) {
      toleration.checkWord(TOLERATION_EFFECT, "effect", effect, EFFECTS);
    }
  }
}
