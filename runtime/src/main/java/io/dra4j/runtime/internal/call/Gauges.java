package io.dra4j.runtime.internal.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * The gauges of a runtime. Closing it removes them from their registry. The registry may live
 * longer and keeps the first gauge of each name, so it would otherwise report numbers of this
 * runtime for the next one.
 */
public final class Gauges implements AutoCloseable {

  private final MeterRegistry registry;
  private final List<Gauge> gauges = new CopyOnWriteArrayList<>();

  public Gauges(MeterRegistry registry) {
    this.registry = registry;
  }

  public MeterRegistry registry() {
    return registry;
  }

  /** Adds a gauge of an object, which the caller must keep reachable. */
  public <T> void add(String name, Tags tags, T of, ToDoubleFunction<T> number) {
    gauges.add(Gauge.builder(name, of, number).tags(tags).register(registry));
  }

  @Override
  public void close() {
    gauges.forEach(registry::remove);
  }
}
