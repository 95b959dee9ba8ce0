package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.COMPATIBILITY_GROUPS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.COMPATIBILITY_GROUP_NAME;
import static io.dra4j.manifest.validation.ValidationRule.CONSUMED_SETS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.CONSUMED_SET_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.COUNTERS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.COUNTERS_REQUIRED;
import static io.dra4j.manifest.validation.ValidationRule.COUNTER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.COUNTER_SETS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.COUNTER_SET_NAME;
import static io.dra4j.manifest.validation.ValidationRule.COUNTER_SET_UNIQUE;

import java.util.HashSet;
import java.util.Set;

/** The rules of counters: the shared counters of a slice, and the counters that devices consume. */
final class CounterRules {

  void checkShared(FieldCursor spec) {
    if (!spec.atMost(COUNTER_SETS_MAX, "sharedCounters", ApiLimits.COUNTER_SETS)) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (FieldCursor set : spec.objects("sharedCounters")) {
      set.requireName(COUNTER_SET_NAME, "name", NameFormat.LABEL);
      Unique.check(COUNTER_SET_UNIQUE, set, "name", names);
      checkCounters(set);
    }
  }

  void checkConsumed(FieldCursor device) {
    if (!device.atMost(CONSUMED_SETS_MAX, "consumesCounters", ApiLimits.CONSUMED_SETS)) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (FieldCursor consumed : device.objects("consumesCounters")) {
      consumed.requireName(COUNTER_SET_NAME, "counterSet", NameFormat.LABEL);
      Unique.check(CONSUMED_SET_UNIQUE, consumed, "counterSet", names);
      checkCounters(consumed);
      checkGroups(consumed);
    }
  }

  private static void checkGroups(FieldCursor consumed) {
    consumed.atMost(
        COMPATIBILITY_GROUPS_MAX, "compatibilityGroups", ApiLimits.COMPATIBILITY_GROUPS);
    Set<String> groups = new HashSet<>();
    consumed.texts(
        "compatibilityGroups",
        (path, group) -> {
          consumed.checkName(COMPATIBILITY_GROUP_NAME, path, group, NameFormat.LABEL);
          if (!groups.add(group)) {
            consumed.problem(
                COMPATIBILITY_GROUP_NAME, path, FieldCursor.shown(group) + " is a duplicate");
          }
        });
  }

  private static void checkCounters(FieldCursor set) {
    if (set.size("counters") == 0) {
      if (!set.has("counters") || set.isObject("counters")) {
        set.problem(COUNTERS_REQUIRED, "", "expected counters: at least one");
      }
    } else if (set.atMost(COUNTERS_MAX, "counters", ApiLimits.COUNTERS)) {
      for (String name : set.map("counters").keySet()) {
        set.checkName(COUNTER_NAME, FieldCursor.at("counters", name), name, NameFormat.LABEL);
      }
    }
  }
}
