package io.dra4j.kubelet;

import java.util.List;

/**
 * Says how the devices of a driver are. A {@link KubeletPlugin} asks every 10 s, and when it is
 * {@linkplain KubeletPlugin#healthChanged notified}, for as long as a kubelet watches.
 */
@FunctionalInterface
public interface HealthSource {

  /**
   * Returns the health of all devices of the driver. When this fails or takes longer than the
   * timeouts of the devices, the kubelet takes them for unknown.
   *
   * @return the health of all devices
   * @throws Exception if it cannot be read
   */
  List<DeviceHealth> read() throws Exception;
}
