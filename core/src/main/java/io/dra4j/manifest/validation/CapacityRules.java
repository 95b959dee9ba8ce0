package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.POLICY_DEFAULT;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_DEFAULT_LISTED;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_ONE_OF;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_RANGE_DEFAULT;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_RANGE_MIN;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_RANGE_NUMBERS;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_RANGE_ORDER;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_SHAREABLE;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_STEP_MULTIPLE;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_STEP_POSITIVE;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_STEP_SIZE;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_VALUES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_VALUES_ORDER;
import static io.dra4j.manifest.validation.ValidationRule.POLICY_VALUE_SIZE;

import io.dra4j.manifest.Json;
import io.dra4j.model.Quantity;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rules of capacities and of their request policies. */
final class CapacityRules {

  /** Checks a capacity of a device. */
  void check(FieldCursor capacity, boolean isShareable) {
    if (!capacity.has("requestPolicy")) {
      return;
    }
    if (!isShareable) {
      capacity.problem(
          POLICY_SHAREABLE,
          "requestPolicy",
          "expected none, as the device has no allowMultipleAllocations");
      return;
    }
    FieldCursor policy = capacity.object("requestPolicy");
    Quantity size = capacity.quantity("value");
    if (policy == null || (size == null && capacity.has("value"))) {
      return; // of a wrong type
    }
    Quantity value = size == null ? Quantity.of(0) : size;
    boolean hasValues = policy.size("validValues") > 0;
    if (hasValues && policy.has("validRange")) {
      policy.problem(POLICY_ONE_OF, "", "expected validValues or validRange, found both");
    } else if (hasValues || policy.has("validRange")) {
      Quantity preset = policy.quantity("default");
      if (!policy.has("default")) {
        policy.problem(
            POLICY_DEFAULT,
            "",
            "expected default beside " + (hasValues ? "validValues" : "validRange"));
      } else if (preset != null && hasValues) {
        checkValues(policy, preset, value);
      } else if (preset != null && policy.isObject("validRange")) {
        checkRange(policy.objectOrEmpty("validRange"), preset, value);
      }
    }
  }

  private static void checkValues(FieldCursor policy, Quantity preset, Quantity size) {
    List<Json> values = policy.list("validValues");
    policy.atMost(POLICY_VALUES_MAX, "validValues", ApiLimits.VALID_VALUES);
    boolean isListed = false;
    Quantity before = null;
    for (int i = 0; i < values.size(); i++) {
      Quantity value = FieldCursor.quantityOf(values.get(i));
      if (values.get(i) == Json.Null.NULL) {
        value = Quantity.of(0);
      }
      if (value == null) {
        return; // of a wrong type
      }
      String path = "validValues[" + i + "]";
      if (before != null && before.compareTo(value) >= 0) {
        policy.problem(
            POLICY_VALUES_ORDER, path, "expected more than " + before + ", found " + value);
      }
      if (value.compareTo(size) > 0) {
        policy.problem(POLICY_VALUE_SIZE, path, tooMuch(size, value));
      }
      isListed = isListed || value.equals(preset);
      before = value;
    }
    if (!isListed) {
      policy.problem(
          POLICY_DEFAULT_LISTED, "default", "expected one of validValues, found " + preset);
    }
  }

  private static void checkRange(FieldCursor range, Quantity preset, Quantity size) {
    Quantity min = range.quantity("min");
    if (min == null) {
      if (!range.has("min")) {
        range.problem(POLICY_RANGE_MIN, "", "expected min");
      }
      return;
    }
    Quantity max = range.quantity("max");
    Quantity step = range.quantity("step");
    if (min.compareTo(size) > 0) {
      range.problem(POLICY_RANGE_ORDER, "min", tooMuch(size, min));
    }
    if (max != null && max.compareTo(size) > 0) {
      range.problem(POLICY_RANGE_ORDER, "max", tooMuch(size, max));
    }
    if (max != null && min.compareTo(max) > 0) {
      range.problem(POLICY_RANGE_ORDER, "max", "expected at least min, " + min + ", found " + max);
    }
    if (preset.compareTo(min) < 0 || (max != null && preset.compareTo(max) > 0)) {
      range.problem(
          POLICY_RANGE_DEFAULT,
          preset.compareTo(min) < 0 ? "min" : "max",
          "the default " + preset + " is not in the range");
    }
    checkNumbers(range, new Numbers(preset, min, max, step), size);
  }

  /** The numbers of a range. */
  private record Numbers(
      Quantity preset, Quantity min, @Nullable Quantity max, @Nullable Quantity step) {

    /**
     * Reports each number that is out of range for calculations; returns whether all are in range.
     */
    boolean areAll(Predicate<Quantity> fit, String expected, FieldCursor range) {
      boolean isPresetFit = is(fit, expected, range, "default", preset);
      boolean isMinFit = is(fit, expected, range, "min", min);
      boolean isMaxFit = is(fit, expected, range, "max", max);
      boolean isStepFit = is(fit, expected, range, "step", step);
      return isPresetFit && isMinFit && isMaxFit && isStepFit;
    }

    private static boolean is(
        Predicate<Quantity> fit,
        String expected,
        FieldCursor range,
        String field,
        @Nullable Quantity number) {
      boolean isFit = number == null || fit.test(number);
      if (!isFit) {
        range.problem(
            POLICY_RANGE_NUMBERS,
            field.equals("default") ? "" : field, // the default is next to the range
            "expected of %s %s, found %s".formatted(field, expected, number));
      }
      return isFit;
    }

    /**
     * Whether all numbers are whole. Kubernetes counts in thousandths if a number is not whole,
     * otherwise in whole numbers.
     */
    boolean areWhole() {
      return isWhole(preset) && isWhole(min) && isWhole(max) && isWhole(step);
    }

    /** Whether a number is whole, in any notation. */
    private static boolean isWhole(@Nullable Quantity number) {
      if (number == null || number.isInteger()) {
        return true;
      }
      OptionalLong milli = number.milliExact();
      return milli.isPresent() && milli.getAsLong() % 1_000 == 0;
    }
  }

  private static void checkNumbers(FieldCursor range, Numbers numbers, Quantity size) {
    boolean areWhole = numbers.areWhole();
    if (!areWhole
        && !numbers.areAll(
            number -> number.milliExact().isPresent(),
            "a number of 64 bits in thousandths, since not all are whole",
            range)) {
      return;
    }
    Quantity step = numbers.step();
    if (step == null) {
      return;
    }
    if (step.signum() <= 0) {
      range.problem(POLICY_STEP_POSITIVE, "step", "expected more than zero, found " + step);
      return;
    }
    Quantity first = numbers.min().add(step);
    if (first.compareTo(size) > 0) {
      range.problem(
          POLICY_STEP_SIZE,
          "step",
          "min and one step are " + first + ", more than the capacity, " + size);
    }
    if (!areWhole
        || numbers.areAll(
            number -> number.signum() >= 0 && number.fitsInt64(),
            "a number of 64 bits, not negative",
            range)) {
      checkMultiple(range, "default", numbers.preset(), numbers.min(), step, areWhole);
      if (numbers.max() != null) {
        checkMultiple(range, "max", numbers.max(), numbers.min(), step, areWhole);
      }
    }
  }

  private static void checkMultiple(
      FieldCursor range,
      String field,
      Quantity value,
      Quantity min,
      Quantity step,
      boolean areWhole) {
    boolean isMultiple =
        areWhole
            ? (value.value() - min.value()) % step.value() == 0
            : (value.milliValue() - min.milliValue()) % step.milliValue() == 0;
    if (!isMultiple) {
      range.problem(
          POLICY_STEP_MULTIPLE,
          "step",
          "the %s %s is not %s and a multiple of %s".formatted(field, value, min, step));
    }
  }

  private static String tooMuch(Quantity size, Quantity found) {
    return "expected at most the capacity, " + size + ", found " + found;
  }
}
