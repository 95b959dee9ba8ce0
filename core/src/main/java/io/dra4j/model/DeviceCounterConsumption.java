package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * What an allocated device draws from one counter set of its pool (KEP-4815).
 *
 * @param counterSet name of the counter set
 * @param counters amounts drawn, by counter name
 * @param compatibilityGroups devices on one counter set can be allocated together only if they have
 *     one of these groups in common, or if none of them names any
 */
public record DeviceCounterConsumption(
    String counterSet, Map<String, Quantity> counters, List<String> compatibilityGroups) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public DeviceCounterConsumption {
    Checks.value("DeviceCounterConsumption.counterSet", counterSet);
    counters = Checks.map("DeviceCounterConsumption.counters", counters);
    compatibilityGroups =
        Checks.list("DeviceCounterConsumption.compatibilityGroups", compatibilityGroups);
  }
}
