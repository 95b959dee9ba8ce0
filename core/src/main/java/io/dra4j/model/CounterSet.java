package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * Counters that the devices of a pool share (KEP-4815), for example the memory slices of one
 * partitionable GPU.
 *
 * @param name unique in the pool
 * @param counters what there is to share, by counter name
 */
public record CounterSet(String name, Map<String, Quantity> counters) {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public CounterSet {
    Checks.value("CounterSet.name", name);
    counters = Checks.map("CounterSet.counters", counters);
  }
}
