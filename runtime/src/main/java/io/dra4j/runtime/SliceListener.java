package io.dra4j.runtime;

import io.dra4j.model.ResourceSlice;
import java.util.List;

/** Receives the slices of drivers. */
@FunctionalInterface
public interface SliceListener {

  /**
   * Receives the changed slices of a driver. It is called on the driver's discovery thread, never
   * concurrently, and only after changes. A listener must not take long; its exceptions are logged.
   *
   * @param driver the name of the driver
   * @param slices all current slices of the driver; {@link
   *     io.dra4j.spi.publish.SlicePlanner#plan(List, List, List)} finds the ones that must be
   *     written
   */
  void changed(String driver, List<ResourceSlice> slices);
}
