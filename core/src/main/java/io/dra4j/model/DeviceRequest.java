package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request of a claim: for certain devices, or for the first of several alternatives that can be
 * allocated (KEP-4816). The API server requires exactly one of the two; if both are given, the
 * alternatives count.
 *
 * @param name unique in the claim
 * @param exactly the requested devices, or {@code null} if there are alternatives
 * @param firstAvailable the alternatives, best first; empty when there are none
 */
public record DeviceRequest(
    String name, @Nullable ExactDeviceRequest exactly, List<DeviceSubRequest> firstAvailable) {

  /** Copies the list. {@inheritDoc} */
  public DeviceRequest {
    Checks.value("DeviceRequest.name", name);
    firstAvailable = Checks.list("DeviceRequest.firstAvailable", firstAvailable);
  }

  /**
   * {@return a request without alternatives}
   *
   * @param name its name
   * @param request the requested devices
   */
  public static DeviceRequest exactly(String name, ExactDeviceRequest request) {
    return new DeviceRequest(name, Checks.value("request", request), List.of());
  }

  /**
   * {@return a request without alternatives}
   *
   * @param name its name, unique in the claim
   * @param request sets the requested devices, for example {@code r ->
   *     r.deviceClass("gpu.example.com").count(2)}
   */
  public static DeviceRequest exactly(String name, Consumer<ExactDeviceRequest.Builder> request) {
    Checks.value("DeviceRequest.name", name);
    Checks.value("request", request);
    ExactDeviceRequest.Builder builder = new ExactDeviceRequest.Builder();
    request.accept(builder);
    return exactly(name, builder.build());
  }

  /** {@return whether this request has two alternatives or more} */
  public boolean hasChoice() {
    return firstAvailable.size() > 1;
  }

  /**
   * {@return this request under another name}
   *
   * @param newName the name, unique in the claim
   */
  public DeviceRequest withName(String newName) {
    return new DeviceRequest(newName, exactly, firstAvailable);
  }

  /**
   * {@return a request with alternatives}
   *
   * @param name its name
   * @param alternatives the alternatives, best first
   */
  public static DeviceRequest firstAvailable(String name, List<DeviceSubRequest> alternatives) {
    return new DeviceRequest(name, null, alternatives);
  }
}
