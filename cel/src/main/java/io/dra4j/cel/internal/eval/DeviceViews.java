package io.dra4j.cel.internal.eval;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.dra4j.model.Device;
import io.dra4j.model.SelectorException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The views of the devices that were asked about last, for as long as the devices are there.
 * Thread-safe.
 *
 * <p>Views are kept in two generations: when the younger one takes half of the limit, the older one
 * is forgotten and the younger one becomes the older. Finding a view so makes no objects, which a
 * queue of what was used last would.
 */
public final class DeviceViews {

  /** One generation; keys are compared by identity, and values do not refer to them. */
  private record Generation(Cache<Device, DeviceView> views, LongAdder bytes) {

    Generation() {
      this(CacheBuilder.newBuilder().weakKeys().build(), new LongAdder());
    }
  }

  private final long limit;
  private volatile Generation young = new Generation();
  private volatile Generation old = new Generation();

  /**
   * Makes an empty memory.
   *
   * @param limit how many bytes the views may take, about
   */
  public DeviceViews(long limit) {
    this.limit = limit;
  }

  /**
   * Returns the view of a device.
   *
   * @throws SelectorException if it has an attribute without value or with a broken version
   */
  public DeviceView of(String driver, Device device) throws SelectorException {
    Generation generation = young;
    DeviceView view = generation.views.getIfPresent(device);
    if (view != null && view.driver().equals(driver)) {
      return view;
    }
    view = old.views.getIfPresent(device);
    if (view == null || !view.driver().equals(driver)) {
      view = DeviceView.of(driver, device);
    }
    view.countIn(generation.bytes);
    generation.views.put(device, view);
    if (generation.bytes.sum() > limit / 2) {
      turn(generation);
    }
    return view;
  }

  @SuppressWarnings("ReferenceEquality") // whether somebody else was first
  private synchronized void turn(Generation full) {
    if (young == full) {
      old = full;
      young = new Generation();
    }
  }

  /** Returns about how many bytes the views take, those of devices that are gone included. */
  public long bytes() {
    return young.bytes.sum() + old.bytes.sum();
  }
}
