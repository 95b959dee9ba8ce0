package io.dra4j.runtime;

import io.dra4j.spi.publish.DevicePool;
import java.util.Map;

/** Hears of what drivers offer. A publisher plans the slices of a cluster from it. */
@FunctionalInterface
public interface PoolListener {

  /**
   * The offer of a driver has changed. Called on the driver's thread of discovery, never twice at a
   * time for one driver, and not at all if nothing changed. A listener returns soon; what it throws
   * is logged.
   *
   * @param driver the name of the driver
   * @param pools everything that the driver offers now, by the name of the pool, which is never
   *     empty; a pool that is not there any more is withdrawn
   */
  void changed(String driver, Map<String, DevicePool> pools);
}
