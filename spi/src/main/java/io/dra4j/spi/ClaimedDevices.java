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
 * What one claim got from one driver: its devices, each with the parameters that apply to it. Of
 * other drivers' devices and parameters nothing is said. Made by {@link #of}.
 *
 * @param claim the claim
 * @param reservedFor who may use the claim, normally one pod
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
   * Takes from an allocated claim what concerns one driver. Parameters apply to a device if they
   * are for its driver, and for all requests, for the device's request, or for the alternative of
   * the request that was chosen: {@code nic} is for {@code nic} and {@code nic/fast}, {@code
   * nic/fast} for nothing else (KEP-4816; k8s.io/dynamic-resource-allocation,
   * resourceclaim.ConfigForResult).
   *
   * @param claim a claim with unique id and allocation
   * @param driver the name of the driver
   * @param published finds a device as it is published; null for one that is not
   * @return the devices with their parameters
   * @throws DriverException if the claim has no unique id, no allocation, no device of the driver,
   *     or a device that is not published
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
        throw DriverException.unavailable("claim %s got a device that is not there".formatted(name))
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
