package io.dra4j.spi;

import java.util.Arrays;

/** Finds the methods of {@link PreparingDriver} that a driver overrides. */
final class Overrides {

  private Overrides() {}

  /** Returns whether a driver attaches devices: the defaults of the interface attach nothing. */
  static boolean hasAttach(Class<?> driver) {
    return Arrays.stream(driver.getMethods())
        .anyMatch(
            one ->
                !one.isBridge()
                    && one.getDeclaringClass() != PreparingDriver.class
                    && (one.getName().equals("attach") || one.getName().equals("attachDevices"))
                    && one.getParameterCount() == 3);
  }
}
