package io.dra4j.cel.internal.eval;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The views of the devices that were asked about last, for as long as the devices are there.
 * Thread-safe.
 *
 * <p>Views are kept in two generations: when the younger one takes half of the limit, the older one
 * is forgotten and the younger one becomes the older. Finding a view so makes no objects, which a
 * queue of what was used last would.
 *
 * <p>A table of our own, since most devices are asked about a few times only: Guava's cache with
 * weak keys takes five times as long to remember one (FirstEvaluations in {@code benchmarks}).
 */
public final class DeviceViews {

  /** A device, distinguished by identity, and its view, which goes once the device is gone. */
  private static final class Entry extends WeakReference<Device> {

    private final int hash;
    private @Nullable DeviceView view;

    Entry(Device device, int hash, DeviceView view, ReferenceQueue<Device> gone) {
      super(device, gone);
      this.hash = hash;
      this.view = view;
    }
  }

  /** One generation. Threads may overwrite each other's entries, who then make a view again. */
  private static final class Generation {

    private static final int FIRST_LENGTH = 64;
    private static final int GROWTH = 4;
    private static final int PLACES = 8; // behind each other that a device may have

    // Measured with JOL.
    private static final long BYTES_PER_ENTRY = 40;
    private static final long BYTES_PER_PLACE = 4;

    private final LongAdder bytes = new LongAdder();
    private final ReferenceQueue<Device> gone = new ReferenceQueue<>();
    private volatile AtomicReferenceArray<Entry> table = new AtomicReferenceArray<>(FIRST_LENGTH);

    @Nullable DeviceView find(Device device, int hash) {
      AtomicReferenceArray<Entry> entries = table;
      for (int i = 0; i < PLACES; i++) {
        Entry entry = entries.getAcquire(hash + i & entries.length() - 1);
        if (entry == null) {
          return null;
        } else if (entry.refersTo(device)) {
          return entry.view;
        }
      }
      return null;
    }

    /** Stores a view, within the limits of memory and of places. */
    void put(Device device, int hash, DeviceView view, long limit) {
      forgetGone();
      Entry entry = new Entry(device, hash, view, gone);
      AtomicReferenceArray<Entry> entries = table;
      while (!put(entries, entry, device)) {
        long longer = (long) GROWTH * entries.length();
        if (longer * BYTES_PER_PLACE > limit / 8) {
          entries.setRelease(hash & entries.length() - 1, entry);
          break;
        }
        entries = grow(entries, (int) longer);
      }
      view.countIn(bytes, BYTES_PER_ENTRY);
    }

    private static boolean put(
        AtomicReferenceArray<Entry> entries, Entry entry, @Nullable Device device) {
      for (int i = 0; i < PLACES; i++) {
        int place = entry.hash + i & entries.length() - 1;
        Entry known = entries.getAcquire(place);
        if (known == null || known.refersTo(null) || (device != null && known.refersTo(device))) {
          entries.setRelease(place, entry);
          return true;
        }
      }
      return false;
    }

    @SuppressWarnings("ReferenceEquality") // whether another thread was first
    private synchronized AtomicReferenceArray<Entry> grow(
        AtomicReferenceArray<Entry> full, int length) {
      if (table != full) {
        return table;
      }
      AtomicReferenceArray<Entry> longer = new AtomicReferenceArray<>(length);
      for (int i = 0; i < full.length(); i++) {
        Entry entry = full.getAcquire(i);
        if (entry != null && !entry.refersTo(null)) {
          put(longer, entry, null);
        }
      }
      bytes.add(BYTES_PER_PLACE * (length - full.length()));
      table = longer;
      return longer;
    }

    private void forgetGone() {
      for (Object entry = gone.poll(); entry != null; entry = gone.poll()) {
        ((Entry) entry).view = null;
      }
    }
  }

  private final long limit;
  private final boolean lazy;
  private final ValidVersions versions = new ValidVersions();
  private volatile Generation young = new Generation();
  private volatile Generation old = new Generation();

  /**
   * Creates an empty cache.
   *
   * @param limit how many bytes the views may take, about
   */
  public DeviceViews(long limit) {
    this(limit, false);
  }

  /**
   * Creates an empty cache.
   *
   * @param limit how many bytes the views may take, about
   * @param lazy whether attributes are looked at only when they are read
   */
  DeviceViews(long limit, boolean lazy) {
    this.limit = limit;
    this.lazy = lazy;
  }

  /**
   * Returns the view of a device.
   *
   * @throws SelectorException if it has an attribute without value or with an invalid version
   * @throws BudgetExceededException if it has very many attributes, and the budget of the caller
   *     does not allow it
   */
  public DeviceView of(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    Generation generation = young;
    int hash = System.identityHashCode(device);
    DeviceView view = generation.find(device, hash);
    if (view != null && view.driver().equals(driver)) {
      return view;
    }
    view = old.find(device, hash);
    if (view == null || !view.driver().equals(driver)) {
      view =
          lazy
              ? DeviceView.unchecked(driver, device)
              : DeviceView.of(driver, device, versions, budget);
    }
    generation.put(device, hash, view, limit);
    if (generation.bytes.sum() > limit / 2) {
      turn(generation);
    }
    return view;
  }

  @SuppressWarnings("ReferenceEquality") // whether another thread was first
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
