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

  /** {@return the ID of the device in its cluster: driver, pool and name of the device} */
  public DeviceId id() {
    return result.deviceId();
  }

  /** {@return the name that the driver gave the device, unique in its pool} */
  public String name() {
    return result.device();
  }

  /** {@return the name of the request that the device satisfies, or {@code request/alternative}} */
  public String request() {
    return result.request();
  }

  /**
   * {@return the string value of an attribute; empty if it is absent or has another type}
   *
   * @param attribute its published name, without domain for the driver's own attributes
   */
  public String text(String attribute) {
    return device.attributes().get(attribute) instanceof DeviceAttribute.StringValue text
        ? text.value()
        : "";
  }
}
