package io.dra4j.netlink.uevent;

import java.util.Map;

/**
 * A device was added, removed or changed.
 *
 * @param action {@code add}, {@code remove}, {@code change}, {@code move}, {@code online}, {@code
 *     offline}, {@code bind} or {@code unbind}
 * @param path its path below {@code /sys}, for example {@code /devices/virtual/net/veth0}
 * @param subsystem its subsystem, for example {@code net}; empty if there is none
 * @param properties all properties that the kernel reports, for example {@code INTERFACE}
 */
public record DeviceEvent(
    String action, String path, String subsystem, Map<String, String> properties) {

  /** Copies the properties. {@inheritDoc} */
  public DeviceEvent {
    properties = Map.copyOf(properties);
  }
}
