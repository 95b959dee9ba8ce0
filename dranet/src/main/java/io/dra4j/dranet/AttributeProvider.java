package io.dra4j.dranet;

import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import java.util.List;
import java.util.Map;

/**
 * Knows more of devices than the host does, for example where in a cloud they are. It is asked at
 * each discovery, so it answers at once, from what it remembers. Only {@link #expect} may wait.
 * Thread-safe.
 */
@FunctionalInterface
public interface AttributeProvider {

  /**
   * Names the devices whose attributes a discovery is about to ask for, so that a provider can look
   * for all of them at the same time. Discovery waits for it: a second is much.
   *
   * @param devices the devices that may be offered
   */
  default void expect(List<NetworkDevice> devices) {}

  /**
   * Describes a device.
   *
   * @param device the device
   * @return attributes by name, each with the domain of the provider ({@code gce.dra.net/block})
   */
  Map<String, DeviceAttribute> attributesOf(NetworkDevice device);
}
