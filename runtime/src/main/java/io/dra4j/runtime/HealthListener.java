package io.dra4j.runtime;

import io.dra4j.spi.DeviceHealth;
import java.util.List;

/** Hears of the health of devices, as long as it is known. */
@FunctionalInterface
public interface HealthListener {

  /**
   * The health of the devices of a driver is this. Called when something in it has changed, and
   * again at least every 20 seconds with newer times for as long as the driver answers, since the
   * kubelet forgets what it has not heard for 30 seconds. Called on the driver's thread of
   * discovery, never twice at a time for one driver. A listener returns soon; what it throws is
   * logged.
   *
   * @param driver the name of the driver
   * @param health what is known of each device, with the name of its pool and the time; devices
   *     that are missing are of unknown health
   */
  void changed(String driver, List<DeviceHealth> health);
}
