package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counters that the devices of a pool share (KEP-4815), for example the memory slices of one
 * partitionable GPU:
 *
 * <pre>{@code
 * CounterSet gpu = CounterSet.named("gpu-0").counter("slices", 8).counter("memory", "80Gi").build();
 * }</pre>
 *
 * @param name unique in the pool
 * @param counters the total amounts, by counter name
 */
public record CounterSet(String name, Map<String, Quantity> counters) {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public CounterSet {
    Checks.value("CounterSet.name", name);
    counters = Checks.map("CounterSet.counters", counters);
  }

  /** {@code gpu-0-counters {memory=80Gi}}: the name, and the amounts. */
  @Override
  public String toString() {
    return PrintableText.of(name + " " + counters);
  }

  /**
   * {@return a builder of a counter set, without counters so far}
   *
   * @param name a DNS label, unique in the pool
   */
  public static Builder named(String name) {
    return new Builder(Checks.value("CounterSet.name", name));
  }

  /** Collects the counters of a set. */
  public static final class Builder {

    private final String name;
    private final Map<String, Quantity> counters = new LinkedHashMap<>();

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Adds a counter, or replaces the counter with this name.
     *
     * @param counter a DNS label, unique in the set
     * @param amount the total amount
     * @return this builder
     */
    public Builder counter(String counter, Quantity amount) {
      counters.put(
          Checks.value("CounterSet.counter", counter), Checks.value("CounterSet.amount", amount));
      return this;
    }

    /**
     * Adds a counter, or replaces the counter with this name.
     *
     * @param counter a DNS label, unique in the set
     * @param amount the total amount
     * @return this builder
     */
    public Builder counter(String counter, long amount) {
      return counter(counter, Quantity.of(amount));
    }

    /**
     * Adds a counter, or replaces the counter with this name.
     *
     * @param counter a DNS label, unique in the set
     * @param amount the total amount, a quantity such as {@code 80Gi}
     * @return this builder
     * @throws IllegalArgumentException if the amount is not a quantity
     */
    public Builder counter(String counter, String amount) {
      return counter(counter, Quantity.parse(Checks.value("CounterSet.amount", amount)));
    }

    /** {@return the set with the counters added so far} */
    public CounterSet build() {
      return new CounterSet(name, counters);
    }
  }
}
