package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.CONDITION;
import static io.dra4j.manifest.validation.ValidationRule.CONDITIONS_MAX;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules of conditions in a status. */
final class ConditionRules {

  private static final Pattern REASON =
      Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?");
  private static final int MAX_REASON = 1024;
  private static final int MAX_MESSAGE = 32768;

  void check(FieldCursor status) {
    status.atMost(CONDITIONS_MAX, "conditions", ApiLimits.CONDITIONS);
    Set<String> types = new HashSet<>();
    for (FieldCursor condition : status.objects("conditions")) {
      condition.requireName(CONDITION, "type", NameFormat.LABEL_NAME);
      Unique.check(CONDITION, condition, "type", types);
      String value = condition.required(CONDITION, "status", "True, False or Unknown");
      if (value != null) {
        condition.checkWord(CONDITION, "status", value, List.of("True", "False", "Unknown"));
      }
      condition.required(CONDITION, "lastTransitionTime", "a time");
      checkReason(condition);
      String message = condition.text("message");
      if (message != null && NameFormat.bytes(message) > MAX_MESSAGE) {
        condition.problem(CONDITION, "message", "expected at most " + MAX_MESSAGE + " bytes");
      }
      Long generation = condition.integer("observedGeneration");
      if (generation != null && generation < 0) {
        condition.problem(
            CONDITION, "observedGeneration", "expected at least 0, found " + generation);
      }
    }
  }

  private static void checkReason(FieldCursor condition) {
    String reason = condition.required(CONDITION, "reason", "one word");
    if (reason != null && (reason.length() > MAX_REASON || !REASON.matcher(reason).matches())) {
      condition.problem(
          CONDITION, "reason", "expected one word, found " + FieldCursor.shown(reason));
    }
  }
}
