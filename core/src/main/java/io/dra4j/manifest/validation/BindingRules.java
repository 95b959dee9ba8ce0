package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.BINDING_CONDITIONS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.BINDING_CONDITIONS_PAIR;
import static io.dra4j.manifest.validation.ValidationRule.BINDING_CONDITION_NAME;
import static io.dra4j.manifest.validation.ValidationRule.BINDING_CONDITION_UNIQUE;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of binding conditions of devices and of allocated devices. */
final class BindingRules {

  private static final List<String> FIELDS =
      List.of("bindingConditions", "bindingFailureConditions");

  void check(FieldCursor device) {
    Set<String> names = new HashSet<>();
    for (String field : FIELDS) {
      device.atMost(BINDING_CONDITIONS_MAX, field, ApiLimits.BINDING_CONDITIONS);
      device.texts(
          field,
          (path, name) -> {
            device.checkName(BINDING_CONDITION_NAME, path, name, NameFormat.LABEL_NAME);
            if (!names.add(name)) {
              device.problem(
                  BINDING_CONDITION_UNIQUE, path, FieldCursor.shown(name) + " is a duplicate");
            }
          });
    }
    boolean has = device.size(FIELDS.get(0)) > 0;
    if (has != device.size(FIELDS.get(1)) > 0) {
      device.problem(
          BINDING_CONDITIONS_PAIR,
          FIELDS.get(has ? 0 : 1),
          "also expected " + FIELDS.get(has ? 1 : 0));
    }
  }
}
