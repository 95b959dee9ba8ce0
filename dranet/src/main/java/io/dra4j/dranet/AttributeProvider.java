package io.dra4j.dranet;

import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import java.util.Map;

/**
 * Knows more of devices than the host does, for example where in a cloud they are. It is asked at
 * each discovery, so it answers at once, from what it remembers. Thread-safe.
 */
@FunctionalInterface
public interface AttributeProvider {

  /**
   * Describes a device.
   *
   * @param device the device
   * @return attributes by name, each with the domain of the provider ({@code gce.dra.net/block})
   */
  Map<String, DeviceAttribute> attributesOf(NetworkDevice device);
}
