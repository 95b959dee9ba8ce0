package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One device, or share of a device, that a claim got.
 *
 * @param request the request it is for: its name, or {@code name/subrequest}
 * @param driver the device's driver
 * @param pool the device's pool
 * @param device the device's name
 * @param adminAccess {@code true} for admin access; otherwise {@code null}
 * @param tolerations the request's tolerations
 * @param bindingConditions conditions that pods wait for, from the device
 * @param bindingFailureConditions conditions that give the allocation up, from the device
 * @param shareId identifies the share of a shareable device; otherwise {@code null}
 * @param consumedCapacity what a share consumes, by qualified name; empty when the device is not
 *     shareable or has no capacity
 * @param skipNodeOperations kubelet calls that the driver does without, from the slice
 */
public record DeviceRequestAllocationResult(
    String request,
    String driver,
    String pool,
    String device,
    @Nullable Boolean adminAccess,
    List<DeviceToleration> tolerations,
    List<String> bindingConditions,
    List<String> bindingFailureConditions,
    @Nullable String shareId,
    Map<String, Quantity> consumedCapacity,
    List<String> skipNodeOperations) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public DeviceRequestAllocationResult {
    tolerations = List.copyOf(tolerations);
    bindingConditions = List.copyOf(bindingConditions);
    bindingFailureConditions = List.copyOf(bindingFailureConditions);
    consumedCapacity = ImmutableMap.copyOf(consumedCapacity);
    skipNodeOperations = List.copyOf(skipNodeOperations);
  }

  /**
   * The identity of the device.
   *
   * @return driver, pool and device name
   */
  public DeviceId deviceId() {
    return new DeviceId(driver, pool, device);
  }
}
