package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.dra4j.model.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.SelectorException;
import org.jspecify.annotations.Nullable;

/** What the evaluations of all expressions of one compiler share. Thread-safe. */
final class Evaluations {

  private final ThreadLocal<Frame> frames;

  /** That of one of the threads, which finds it faster here; if others see it, they leave it. */
  private @Nullable Frame usual;

  // Weak keys are compared by identity; the values do not refer to them.
  private final Cache<Device, DeviceView> views = CacheBuilder.newBuilder().weakKeys().build();

  Evaluations(EvaluationLimit limit) {
    this.frames = ThreadLocal.withInitial(() -> new Frame(limit));
  }

  /** The frame of this thread, for evaluations whose caller waits for as long as they take. */
  Frame frame() {
    return frame(Budget.unlimited());
  }

  /** The frame of this thread, for evaluations that end with the budget of their caller. */
  Frame frame(Budget budget) {
    Frame known = usual;
    Frame frame = known != null && known.isOf(Thread.currentThread()) ? known : frameBeside(known);
    return frame.within(budget);
  }

  private Frame frameBeside(@Nullable Frame ofOther) {
    Frame frame = frames.get();
    if (ofOther == null || ofOther.isOf(null)) {
      usual = frame;
    }
    return frame;
  }

  /**
   * The view of a device.
   *
   * @throws SelectorException if it has an attribute without value or with a broken version
   */
  DeviceView view(String driver, Device device) throws SelectorException {
    DeviceView view = views.getIfPresent(device);
    if (view == null || !view.driver().equals(driver)) {
      view = DeviceView.of(driver, device);
      views.put(device, view);
    }
    return view;
  }
}
