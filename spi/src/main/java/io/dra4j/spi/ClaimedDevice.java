package io.dra4j.spi;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import java.util.List;

/**
 * A device, or a share of a device, that was allocated to a claim.
 *
 * @param result the entry of the allocation: request, pool, admin access, share and consumed
 *     capacity
 * @param device the device as it was published when the claim was first prepared
 * @param index the position of the device among the devices of its request, from 0, in the order of
 *     the allocation
 * @param configurations the parameters that apply to the device; later ones override earlier ones.
 *     The parameters of the class come first, then the parameters of the claim, each in the order
 *     in which they were written
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
   * Returns the ID of the device in its cluster.
   *
   * @return driver, pool and name of the device
   */
  public DeviceId id() {
    return result.deviceId();
  }

  /**
   * Returns the name that the driver gave the device.
   *
   * @return the name of the device, unique in its pool
   */
  public String name() {
    return result.device();
  }

  /**
   * Returns the name of the request that the device satisfies.
   *
   * @return the name of the request, or {@code request/alternative}
   */
  public String request() {
    return result.request();
  }

  /**
   * Returns the string value of an attribute of the device.
   *
   * @param attribute the published name of the attribute, without domain for the driver's own
   *     attributes
   * @return the string; empty if the device has no such attribute, or the attribute has another
   *     type
   */
  public String text(String attribute) {
    return device.attributes().get(attribute) instanceof DeviceAttribute.StringValue text
        ? text.value()
        : "";
  }
}
