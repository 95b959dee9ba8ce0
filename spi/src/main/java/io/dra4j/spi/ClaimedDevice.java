package io.dra4j.spi;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import java.util.List;

/**
 * A device, or a share of one, that a claim got from a driver.
 *
 * @param result what the allocation says of it: request, pool, admin access, share and consumed
 *     capacity
 * @param device the device as it was published when the claim was first prepared
 * @param index which of the devices of its request it is, from 0, in the order of the allocation
 * @param configurations the parameters that apply to it, those that are to win last: first those of
 *     the class, then those of the claim, each in the order in which they were written
 */
public record ClaimedDevice(
    DeviceRequestAllocationResult result,
    Device device,
    int index,
    List<OpaqueConfiguration> configurations) {

  /** Copies the list. {@inheritDoc} */
  public ClaimedDevice {
    configurations = List.copyOf(configurations);
  }

  /**
   * Identifies the device in its cluster.
   *
   * @return driver, pool and name of the device
   */
  public DeviceId id() {
    return result.deviceId();
  }

  /**
   * Names the device as its driver does.
   *
   * @return the name of the device, unique in its pool
   */
  public String name() {
    return result.device();
  }

  /**
   * Names the request that the device is for.
   *
   * @return the name of the request, or {@code request/alternative}
   */
  public String request() {
    return result.request();
  }

  /**
   * Reads an attribute of the device.
   *
   * @param attribute its name as it is published; without domain for one of the driver's own
   * @return the text; empty if the device has no such attribute, or one of another type
   */
  public String text(String attribute) {
    return device.attributes().get(attribute) instanceof DeviceAttribute.StringValue text
        ? text.value()
        : "";
  }
}
