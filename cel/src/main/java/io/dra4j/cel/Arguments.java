package io.dra4j.cel;

import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import java.util.Objects;

/** Checks arguments for null, with the name of the argument in the error. */
final class Arguments {

  private Arguments() {}

  static String expression(String expression) {
    return Objects.requireNonNull(expression, "expression");
  }

  static String driver(String driver) {
    return Objects.requireNonNull(driver, "driver");
  }

  static Device device(Device device) {
    return Objects.requireNonNull(device, "device");
  }

  static Budget budget(Budget budget) {
    return Objects.requireNonNull(budget, "budget");
  }
}
