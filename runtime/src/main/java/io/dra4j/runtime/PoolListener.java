package io.dra4j.runtime;

import io.dra4j.spi.publish.DevicePool;
import java.util.Map;

/** Receives the offers of drivers, from which a publisher plans the slices of a cluster. */
@FunctionalInterface
public interface PoolListener {

  /**
   * Receives the changed offer of a driver. It is called on the driver's discovery thread, never
   * concurrently for one driver, and only after changes. A listener must not take long; its
   * exceptions are logged.
   *
   * @param driver the name of the driver
   * @param pools all pools that the driver offers now, by name, which is never empty; the slices of
   *     a pool that is missing must be deleted
   */
  void changed(String driver, Map<String, DevicePool> pools);
}
