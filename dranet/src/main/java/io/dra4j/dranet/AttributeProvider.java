package io.dra4j.dranet;

import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import java.util.List;
import java.util.Map;

/**
 * Provides attributes of devices that the host itself cannot report, for example their place in a
 * cloud. Each discovery calls it, so {@link #attributesOf} must return at once, from memory. Only
 * {@link #expect} may wait. Thread-safe.
 */
@FunctionalInterface
public interface AttributeProvider {

  /**
   * Announces the devices whose attributes a discovery is about to request, so that a provider can
   * query all of them at the same time. Discovery waits for this call: it should return within a
   * second.
   *
   * @param devices the devices that may be offered
   */
  default void expect(List<NetworkDevice> devices) {}

  /**
   * {@return attributes of a device by name, with the provider's domain: {@code gce.dra.net/block}}
   *
   * @param device the device
   */
  Map<String, DeviceAttribute> attributesOf(NetworkDevice device);
}
