package io.dra4j.runtime;

import io.dra4j.model.ResourceSlice;
import java.util.List;

/** Hears of what drivers offer. */
@FunctionalInterface
public interface SliceListener {

  /**
   * The slices of a driver have changed. Called on the thread of discovery, never twice at a time,
   * and not at all if nothing changed. A listener returns soon; what it throws is logged.
   *
   * @param driver the name of the driver
   * @param slices all slices of the driver now; see {@link
   *     io.dra4j.spi.publish.SlicePlanner#plan(List, List, List)} for what of them is to be written
   */
  void changed(String driver, List<ResourceSlice> slices);
}
