package io.dra4j.manifest.validation;

import java.util.Set;

/** The rule that names in a list are unique. */
final class Unique {

  private Unique() {}

  /** Reports a name that an earlier object has, and adds it. */
  static void check(ValidationRule rule, FieldCursor object, String field, Set<String> names) {
    String name = object.text(field);
    if (name != null && !names.add(name)) {
      object.problem(rule, field, FieldCursor.shown(name) + " is a duplicate");
    }
  }
}
