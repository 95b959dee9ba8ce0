package io.dra4j.kubelet;

import java.util.List;

/**
 * Reports the health of the devices of a driver. While a kubelet watches, a {@link KubeletPlugin}
 * calls it every 10 s and whenever it is {@linkplain KubeletPlugin#healthChanged notified}.
 */
@FunctionalInterface
public interface HealthSource {

  /**
   * {@return the health of all devices of the driver} If the call fails or takes longer than the
   * timeouts of the devices, the kubelet sets their health to unknown.
   *
   * @throws Exception if the health cannot be read
   */
  List<DeviceHealth> read() throws Exception;
}
