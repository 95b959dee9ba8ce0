package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The amount of one capacity of a device, for example memory in bytes.
 *
 * @param value the total amount
 * @param requestPolicy the rules by which requests for a share of it are rounded and limited
 *     (KEP-5075); {@code null} if any amount may be requested
 */
public record DeviceCapacity(Quantity value, @Nullable CapacityRequestPolicy requestPolicy) {

  /** Rejects null except for {@code requestPolicy}. {@inheritDoc} */
  public DeviceCapacity {
    Checks.value("DeviceCapacity.value", value);
  }

  /**
   * {@return a capacity without request policy}
   *
   * @param value the total amount
   */
  public static DeviceCapacity of(Quantity value) {
    return new DeviceCapacity(value, null);
  }

  /** The amount, then the request policy if there is one. */
  @Override
  public String toString() {
    OptionalFields extras = new OptionalFields();
    extras.add("requests", requestPolicy);
    return value + extras.toString();
  }
}
