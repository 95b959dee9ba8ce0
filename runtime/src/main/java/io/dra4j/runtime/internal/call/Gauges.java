package io.dra4j.runtime.internal.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * The gauges of a runtime, which are taken out of their registry again: it may live longer, keeps
 * the first gauge of a name, and would report the next runtime's numbers from this one.
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

  /** A gauge of an object, which the caller must keep reachable. */
  public <T> void add(String name, Tags tags, T of, ToDoubleFunction<T> number) {
    gauges.add(Gauge.builder(name, of, number).tags(tags).register(registry));
  }

  @Override
  public void close() {
    gauges.forEach(registry::remove);
  }
}
