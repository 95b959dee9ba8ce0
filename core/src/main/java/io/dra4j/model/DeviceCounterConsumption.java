package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The amounts that an allocated device draws from one counter set of its pool (KEP-4815):
 *
 * <pre>{@code
 * Device half =
 *     Device.named("gpu-0-half-0")
 *         .consumesCounters(DeviceCounterConsumption.from("gpu-0").counter("slices", 4).build())
 *         .build();
 * }</pre>
 *
 * @param counterSet name of the counter set
 * @param counters amounts drawn, by counter name
 * @param compatibilityGroups groups of devices that can be allocated together: devices on one
 *     counter set must have a group in common, or none of them may name any
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

  /** {@code gpu-0-counters {memory=10Gi}}: the counter set, and the amounts of its counters. */
  @Override
  public String toString() {
    OptionalFields extras = new OptionalFields();
    extras.add("compatible with", compatibilityGroups);
    return PrintableText.of(counterSet + " " + counters + extras);
  }

  /**
   * {@return a builder of the consumption from a counter set, without counters so far}
   *
   * @param counterSet the name of the counter set, which is in the pool of the device
   */
  public static Builder from(String counterSet) {
    return new Builder(Checks.value("DeviceCounterConsumption.counterSet", counterSet));
  }

  /** Collects the amounts that a device draws from a counter set. */
  public static final class Builder {

    private final String counterSet;
    private final Map<String, Quantity> counters = new LinkedHashMap<>();
    private final List<String> compatibilityGroups = new ArrayList<>();

    private Builder(String counterSet) {
      this.counterSet = counterSet;
    }

    /**
     * Sets the amount that the device draws from a counter.
     *
     * @param counter the name of a counter of the set
     * @param amount the amount, 0 or more
     * @return this builder
     */
    public Builder counter(String counter, Quantity amount) {
      counters.put(
          Checks.value("DeviceCounterConsumption.counter", counter),
          Checks.value("DeviceCounterConsumption.amount", amount));
      return this;
    }

    /**
     * Sets the amount that the device draws from a counter.
     *
     * @param counter the name of a counter of the set
     * @param amount the amount, 0 or more
     * @return this builder
     */
    public Builder counter(String counter, long amount) {
      return counter(counter, Quantity.of(amount));
    }

    /**
     * Sets the amount that the device draws from a counter.
     *
     * @param counter the name of a counter of the set
     * @param amount the amount, a quantity such as {@code 40Gi}
     * @return this builder
     * @throws IllegalArgumentException if the amount is not a quantity
     */
    public Builder counter(String counter, String amount) {
      return counter(
          counter, Quantity.parse(Checks.value("DeviceCounterConsumption.amount", amount)));
    }

    /**
     * Adds a group of devices that can be allocated together on one counter set.
     *
     * @param group the name of the group
     * @return this builder
     */
    public Builder compatibilityGroup(String group) {
      compatibilityGroups.add(Checks.value("DeviceCounterConsumption.compatibilityGroup", group));
      return this;
    }

    /** {@return the consumption with the amounts added so far} */
    public DeviceCounterConsumption build() {
      return new DeviceCounterConsumption(counterSet, counters, compatibilityGroups);
    }
  }
}
