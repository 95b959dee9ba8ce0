package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a device.
 *
 * @param expression the CEL expression, or {@code null} for an unknown kind of selector
 */
public record DeviceSelector(@Nullable String expression) {

  /**
   * {@return a CEL selector}
   *
   * @param expression for example {@code device.driver == "dra.net"}
   */
  public static DeviceSelector cel(String expression) {
    return new DeviceSelector(Checks.value("expression", expression));
  }
}
