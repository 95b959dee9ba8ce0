package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * How much of something a device has, for example memory in bytes.
 *
 * @param value the total amount
 * @param requestPolicy how requests for a share of it are rounded and limited (KEP-5075), or {@code
 *     null} when any amount may be asked for
 */
public record DeviceCapacity(Quantity value, @Nullable CapacityRequestPolicy requestPolicy) {

  /** Refuses null but for {@code requestPolicy}. {@inheritDoc} */
  public DeviceCapacity {
    Checks.value("DeviceCapacity.value", value);
  }

  /**
   * A capacity without request policy.
   *
   * @param value the total amount
   * @return the capacity
   */
  public static DeviceCapacity of(Quantity value) {
    return new DeviceCapacity(value, null);
  }
}
