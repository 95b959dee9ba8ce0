package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a pool that are relevant for some claims: its devices without their names, in
 * order. Pools with equal signatures can fulfil the same claims as long as the same devices are in
 * use.
 */
final class PoolSignature {

  /** The relevant properties of one device. */
  private record Shape(
      List<@Nullable DeviceAttribute> attributes,
      List<Map.Entry<String, DeviceAttribute>>
          allAttributes, // in order, because expressions can see the order
      List<Map.Entry<String, Quantity.Written>> capacity,
      List<DeviceCounterConsumption> draws,
      List<DeviceTaint> taints,
      boolean bindingConditions,
      boolean shared,
      List<String> skipped) {}

  /** Comparing devices with more parts takes longer than most searches among them. */
  private static final int MAX_PARTS = 256;

  private static final int VALUES_PER_PART = 16; // of lists
  private static final int MAX_COUNTERS = 4_096;

  private static final int BYTES_OF_DEVICE = 500;
  private static final int OF_UNIQUE = -1;

  /** The signature of a pool that must not be compared with others. */
  static final PoolSignature UNIQUE = new PoolSignature("", OF_UNIQUE, Map.of(), List.of());

  private final String driver;
  private final int kind; // of the pool: usable, incomplete or invalid
  private final Map<String, ?> counterSets;
  private final List<Shape> devices;
  private final int hash;

  private PoolSignature(String driver, int kind, Map<String, ?> counterSets, List<Shape> devices) {
    this.driver = driver;
    this.kind = kind;
    this.counterSets = counterSets;
    this.devices = devices;
    this.hash = 31 * (31 * driver.hashCode() + kind) + devices.hashCode();
  }

  /** {@return a pool's signature; {@link #UNIQUE} if more than devices decides which claims fit} */
  static PoolSignature of(PoolView pool, RelevantAttributes traits, Budget budget)
      throws BudgetExceededException {
    List<Shape> devices = new ArrayList<>(pool.size());
    for (int number = 0; number < pool.slices(); number++) {
      PublishedSlice slice = pool.slice(number);
      if (slice.perDeviceNodeSelection()) {
        return UNIQUE; // the devices depend on the node
      }
      for (int i = 0; i < slice.size(); i++) {
        budget.spend(1);
        Shape shape = slice.peculiarities.isBroken(i, budget) ? null : shapeOf(slice, i, traits);
        if (shape == null) {
          return UNIQUE;
        }
        devices.add(shape);
      }
    }
    if (countersOf(pool) > MAX_COUNTERS) {
      return UNIQUE;
    }
    int kind = pool.usable() ? 0 : pool.incomplete() ? 1 : 2;
    return new PoolSignature(pool.id().driver(), kind, pool.counterSets(), devices);
  }

  private static long countersOf(PoolView pool) {
    long counters = 0;
    for (CounterSet set : pool.counterSets().values()) {
      counters += 1 + set.counters().size();
    }
    return counters;
  }

  private static @Nullable Shape shapeOf(
      PublishedSlice slice, int position, RelevantAttributes traits) {
    Device device = slice.slice.devices().get(position);
    long parts = partsOf(device, traits);
    if (parts > MAX_PARTS) {
      return null;
    }
    String driver = slice.slice.driver();
    List<@Nullable DeviceAttribute> values = new ArrayList<>(traits.attributes.size());
    for (QualifiedName name : traits.attributes) {
      if (name.isTwiceIn(driver, device.attributes())) {
        return null;
      }
      values.add(name.in(driver, device.attributes()));
    }
    if (parts + partsOf(traits.everything ? device.attributes().values() : values) > MAX_PARTS) {
      return null;
    }
    List<Map.Entry<String, Quantity.Written>> capacities = new ArrayList<>(0);
    for (Map.Entry<String, DeviceCapacity> capacity : device.capacity().entrySet()) {
      if (capacity.getValue().requestPolicy() != null) {
        return null; // policies see the notation of amounts, which equality ignores
      }
      capacities.add(
          Map.entry(capacity.getKey(), new Quantity.Written(capacity.getValue().value())));
    }
    return new Shape(
        values,
        traits.everything ? List.copyOf(device.attributes().entrySet()) : List.of(),
        capacities,
        device.consumesCounters(),
        device.taints(),
        !device.bindingConditions().isEmpty(),
        device.allowMultipleAllocations(),
        slice.slice.skipNodeOperations());
  }

  /** The number of compared parts of a device. */
  private static long partsOf(Device device, RelevantAttributes traits) {
    long parts = traits.attributes.size();
    parts += device.capacity().size();
    parts += device.taints().size();
    for (DeviceCounterConsumption draw : device.consumesCounters()) {
      parts += 1 + draw.counters().size();
      parts += draw.compatibilityGroups().size();
    }
    return traits.everything ? parts + device.attributes().size() : parts;
  }

  private static long partsOf(Collection<? extends @Nullable DeviceAttribute> values) {
    long parts = 0;
    for (DeviceAttribute value : values) {
      parts += lengthOf(value) / VALUES_PER_PART;
    }
    return parts;
  }

  private static int lengthOf(@Nullable DeviceAttribute value) {
    if (value instanceof DeviceAttribute.IntValues list) {
      return list.values().size();
    } else if (value instanceof DeviceAttribute.BoolValues list) {
      return list.values().size();
    } else if (value instanceof DeviceAttribute.StringValues list) {
      return list.values().size();
    } else if (value instanceof DeviceAttribute.VersionValues list) {
      return list.values().size();
    }
    return 0;
  }

  /** Whether the pool must not be compared with others. */
  boolean isUnique() {
    return kind == OF_UNIQUE;
  }

  /** The approximate memory in bytes, without the values that the signature shares with devices. */
  int bytes() {
    return (int) Math.min(Integer.MAX_VALUE, 64 + (long) devices.size() * BYTES_OF_DEVICE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof PoolSignature shape
            && hash == shape.hash
            && !isUnique()
            && !shape.isUnique()
            && driver.equals(shape.driver)
            && kind == shape.kind
            && counterSets.equals(shape.counterSets)
            && devices.equals(shape.devices));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
