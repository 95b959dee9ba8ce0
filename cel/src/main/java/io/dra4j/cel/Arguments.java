package io.dra4j.cel;

import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import java.util.Objects;

/** What callers give is named where it is null. */
final class Arguments {

  private Arguments() {}

  static String expression(String expression) {
    return Objects.requireNonNull(expression, "expression: want a selector, got null");
  }

  static String driver(String driver) {
    return Objects.requireNonNull(driver, "driver: want the name of a driver, got null");
  }

  static Device device(Device device) {
    return Objects.requireNonNull(device, "device: want one, got null");
  }

  static Budget budget(Budget budget) {
    return Objects.requireNonNull(budget, "budget: want Budget.unlimited() or another, got null");
  }
}
