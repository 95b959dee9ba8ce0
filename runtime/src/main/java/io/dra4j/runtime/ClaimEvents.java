package io.dra4j.runtime;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listeners of a runtime with the outcomes of claims. Thread-safe. */
final class ClaimEvents {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimEvents.class);

  private final List<ClaimListener> listeners = new CopyOnWriteArrayList<>();

  void add(ClaimListener listener) {
    listeners.add(listener);
  }

  void remove(ClaimListener listener) {
    listeners.remove(listener);
  }

  void publish(Consumer<ClaimListener> event) {
    for (ClaimListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable e) { // a defect of a listener does not affect the claim
        LOG.atError().setCause(e).log("a listener threw an exception");
      }
    }
  }
}
