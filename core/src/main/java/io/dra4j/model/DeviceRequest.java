package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a claim: for exactly some devices, or for the first of several alternatives that
 * can be had (KEP-4816). The API server demands exactly one of the two; where both are given the
 * alternatives count.
 *
 * @param name unique in the claim
 * @param exactly what devices it asks for, or {@code null}
 * @param firstAvailable the alternatives, best first; empty when there are none
 */
public record DeviceRequest(
    String name, @Nullable ExactDeviceRequest exactly, List<DeviceSubRequest> firstAvailable) {

  /** Copies the list. {@inheritDoc} */
  public DeviceRequest {
    firstAvailable = List.copyOf(firstAvailable);
  }

  /**
   * A request without alternatives.
   *
   * @param name its name
   * @param request what devices it asks for
   * @return the request
   */
  public static DeviceRequest exactly(String name, ExactDeviceRequest request) {
    return new DeviceRequest(name, request, List.of());
  }

  /**
   * A request with alternatives.
   *
   * @param name its name
   * @param alternatives best first
   * @return the request
   */
  public static DeviceRequest firstAvailable(String name, List<DeviceSubRequest> alternatives) {
    return new DeviceRequest(name, null, alternatives);
  }
}
