package io.dra4j.runtime;

import io.dra4j.spi.DeviceHealth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a runtime. An exception of one does not affect the others. Thread-safe. */
final class ChangeListeners {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeListeners.class);

  final List<SliceListener> slices = new CopyOnWriteArrayList<>();
  final List<PoolListener> pools = new CopyOnWriteArrayList<>();
  final List<HealthListener> health = new CopyOnWriteArrayList<>();

  void offerChanged(DriverSlot slot) {
    each(slices, slot, one -> one.changed(slot.name(), slot.slices()));
    slot.lockOffer(() -> each(pools, slot, one -> one.changed(slot.name(), slot.pools())));
  }

  void healthChanged(DriverSlot slot) {
    List<DeviceHealth> now = slot.health().devices();
    each(health, slot, one -> one.changed(slot.name(), now));
  }

  /** Adds a listener and calls it immediately with the offer of each driver. */
  void add(PoolListener listener, List<DriverSlot> slots) {
    pools.add(listener); // first, so that no change is missed
    for (DriverSlot slot : slots) {
      slot.lockOffer(
          () -> {
            if (slot.hasDiscovered()) {
              each(List.of(listener), slot, one -> one.changed(slot.name(), slot.pools()));
            }
          });
    }
  }

  private static <T> void each(List<T> listeners, DriverSlot slot, Consumer<T> call) {
    for (T listener : listeners) {
      try {
        call.accept(listener);
      } catch (Throwable e) {
        LOG.atError()
            .addKeyValue("driver", slot.name())
            .setCause(e)
            .log("a listener threw an exception");
      }
    }
  }
}
