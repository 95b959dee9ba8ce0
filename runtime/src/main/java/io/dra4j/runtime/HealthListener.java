package io.dra4j.runtime;

import io.dra4j.spi.DeviceHealth;
import java.util.List;

/** Receives the health of devices, for as long as it is known. */
@FunctionalInterface
public interface HealthListener {

  /**
   * Receives the health of the devices of a driver. It is called after changes, and at least every
   * 20 seconds with newer times for as long as the driver answers. The kubelet discards health that
   * is older than 30 seconds. It is called on the driver's discovery thread, never concurrently for
   * one driver. A listener must not take long; its exceptions are logged.
   *
   * @param driver the name of the driver
   * @param health the health of each device, with the name of its pool and the time; the health of
   *     missing devices is unknown
   */
  void changed(String driver, List<DeviceHealth> health);
}
