package io.dra4j.cel;

/**
 * A device prepared for evaluations, so that many selectors can be held against it fast. Immutable
 * and thread-safe. See {@link CelSelectors#prepare}.
 */
public final class CelDevice {

  private final DeviceView view;

  CelDevice(DeviceView view) {
    this.view = view;
  }

  DeviceView view() {
    return view;
  }
}
