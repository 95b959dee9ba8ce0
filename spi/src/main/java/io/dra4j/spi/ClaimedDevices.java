package io.dra4j.spi;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one driver that are allocated to one claim, each with the parameters that apply to
 * it. The devices and parameters of other drivers are not included. Created by {@link #of}.
 *
 * @param claim the claim
 * @param reservedFor the consumers that may use the claim, normally one pod
 * @param devices the devices in the order of the allocation; never empty
 */
public record ClaimedDevices(
    ClaimReference claim,
    List<ResourceClaimConsumerReference> reservedFor,
    List<ClaimedDevice> devices) {

  /**
   * Copies the lists. {@inheritDoc}
   *
   * @throws IllegalArgumentException if there are no devices
   */
  public ClaimedDevices {
    reservedFor = List.copyOf(reservedFor);
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("claim " + claim + " has no devices");
    }
  }

  /**
   * Returns the devices and parameters of one driver from an allocated claim. Parameters apply to a
   * device if they name its driver and apply to all requests, to the device's request, or to the
   * chosen alternative of that request: {@code nic} applies to {@code nic} and {@code nic/fast},
   * {@code nic/fast} applies only to itself (KEP-4816; k8s.io/dynamic-resource-allocation,
   * resourceclaim.ConfigForResult).
   *
   * @param claim a claim with a UID and an allocation
   * @param driver the name of the driver
   * @param published returns the published device of an ID; null if it is not published
   * @return the devices with their parameters
   * @throws DriverException if the claim has no UID, no allocation, no device of the driver, or a
   *     device that is not published
   */
  public static ClaimedDevices of(
      ResourceClaim claim, String driver, Function<DeviceId, @Nullable Device> published)
      throws DriverException {
    String name = claim.metadata().namespaceOrDefault() + "/" + claim.metadata().name();
    String uid = claim.metadata().uid();
    if (uid == null || uid.isEmpty()) {
      throw DriverException.invalid("claim " + name + " has no metadata.uid");
    }
    AllocationResult allocation = claim.allocation();
    if (allocation == null) {
      throw DriverException.invalid("claim " + name + " is not allocated");
    }
    List<DeviceAllocationConfiguration> parameters = new ArrayList<>(allocation.config());
    parameters.sort( // is stable
        Comparator.comparing(one -> !one.source().equals(AllocationConfigSource.FROM_CLASS)));
    Map<String, Integer> seen = new HashMap<>();
    List<ClaimedDevice> devices = new ArrayList<>();
    for (DeviceRequestAllocationResult result : allocation.results()) {
      if (!result.driver().equals(driver)) {
        continue;
      }
      Device device = published.apply(result.deviceId());
      if (device == null) {
        throw DriverException.unavailable(
                "claim %s: driver %s does not publish this device in pool %s"
                    .formatted(name, driver, result.pool()))
            .forDevice(result.device());
      }
      int index = seen.merge(result.request(), 1, Integer::sum) - 1;
      devices.add(new ClaimedDevice(result, device, index, applying(parameters, result)));
    }
    if (devices.isEmpty()) {
      throw DriverException.invalid("claim %s has no device of %s".formatted(name, driver));
    }
    return new ClaimedDevices(
        new ClaimReference(claim.metadata().namespaceOrDefault(), claim.metadata().name(), uid),
        claim.status().reservedFor(),
        devices);
  }

  private static List<OpaqueConfiguration> applying(
      List<DeviceAllocationConfiguration> parameters, DeviceRequestAllocationResult result) {
    String request = result.request();
    int slash = request.indexOf('/');
    String whole = slash < 0 ? request : request.substring(0, slash);
    List<OpaqueConfiguration> applying = new ArrayList<>();
    for (DeviceAllocationConfiguration one : parameters) {
      OpaqueDeviceConfiguration opaque = one.opaque();
      if (opaque == null || !opaque.driver().equals(result.driver())) {
        continue;
      }
      List<String> requests = one.requests();
      if (requests.isEmpty() || requests.contains(request) || requests.contains(whole)) {
        applying.add(new OpaqueConfiguration(one.source(), requests, opaque.parameters()));
      }
    }
    return applying;
  }
}
