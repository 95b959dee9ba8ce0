package io.dra4j.nri;

import java.util.Collection;

/** A kind of event to which a plugin can subscribe. */
public enum NriEvent {
  /** A pod sandbox was created and its network is ready; no container runs yet. */
  RUN_POD_SANDBOX(1),

  /** A pod sandbox is about to be stopped. */
  STOP_POD_SANDBOX(2),

  /** A pod sandbox is about to be removed. */
  REMOVE_POD_SANDBOX(3),

  /** A container is about to be created and can still be adjusted. */
  CREATE_CONTAINER(4);

  private final int number;

  NriEvent(int number) {
    this.number = number;
  }

  /** Returns the number of the event in messages of NRI. */
  int number() {
    return number;
  }

  /** Returns the events as a bit mask: event n is bit n - 1. */
  static int mask(Collection<NriEvent> events) {
    int mask = 0;
    for (NriEvent event : events) {
      mask |= 1 << (event.number - 1);
    }
    return mask;
  }
}
