package io.dra4j.cel.internal.value;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.model.Quantity;
import org.jspecify.annotations.Nullable;

/** A {@link Quantity} inside CEL, where its type is {@code kubernetes.Quantity}. */
@SuppressWarnings("Immutable") // Quantity is immutable, but not annotated
public final class QuantityValue extends OpaqueValue {

  /** The type in CEL. */
  public static final OpaqueType TYPE = OpaqueType.create("kubernetes.Quantity");

  private final Quantity quantity;
  private final boolean calculated;
  private final @Nullable String capacity;

  private QuantityValue(Quantity quantity, boolean calculated, @Nullable String capacity) {
    this.quantity = quantity;
    this.calculated = calculated;
    this.capacity = capacity;
  }

  /** Creates the value of a quantity in an expression. */
  public QuantityValue(Quantity quantity) {
    this(quantity, false, null);
  }

  /**
   * Creates the value of a capacity of the device.
   *
   * @param name the name of the capacity, with its domain
   */
  public static QuantityValue ofDevice(Quantity quantity, String name) {
    return new QuantityValue(quantity, false, name);
  }

  /** Creates the value of a sum or difference. */
  public static QuantityValue calculated(Quantity quantity) {
    return new QuantityValue(quantity, true, null);
  }

  /** Returns whether it is a sum or difference, which {@link Equality} must know. */
  boolean isCalculated() {
    return calculated;
  }

  /**
   * Returns what it is as the key of a map, where it is equal to itself only: a capacity of the
   * device, however often it was read, its name, and else this object.
   */
  Object self() {
    return capacity == null ? this : capacity;
  }

  /** Returns the quantity. */
  public Quantity quantity() {
    return quantity;
  }

  @Override
  public OpaqueType celType() {
    return TYPE;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuantityValue value && quantity.equals(value.quantity);
  }

  @Override
  public int hashCode() {
    return quantity.hashCode();
  }

  @Override
  public String toString() {
    return quantity.toString();
  }
}
