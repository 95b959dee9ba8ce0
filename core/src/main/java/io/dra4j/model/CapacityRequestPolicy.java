package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of a shareable device's capacity that may be consumed (KEP-5075). The API server
 * allows either {@code validValues} or {@code validRange}.
 *
 * @param defaultValue the amount for a claim that requests none; {@code null} means the whole
 *     capacity
 * @param validValues the only amounts that can be consumed, ascending; empty when not given
 * @param validRange the range that consumed amounts must lie in, or {@code null}
 */
public record CapacityRequestPolicy(
    @Nullable Quantity defaultValue,
    List<Quantity> validValues,
    @Nullable CapacityRequestPolicyRange validRange) {

  /** Copies the list. {@inheritDoc} */
  public CapacityRequestPolicy {
    validValues = Checks.list("CapacityRequestPolicy.validValues", validValues);
  }

  /**
   * Starts a policy that allows any amount up to all of the capacity.
   *
   * <pre>{@code
   * CapacityRequestPolicy.builder().defaultValue("1Gi").validRange("1Gi", "40Gi", "1Gi").build()
   * }</pre>
   *
   * @return a builder of policies
   */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder with all fields of this policy} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.defaultValue = defaultValue;
    builder.validValues.set(validValues);
    builder.validRange = validRange;
    return builder;
  }

  /** Collects the fields of a policy; what is not set is not restricted. */
  public static final class Builder {

    private @Nullable Quantity defaultValue;
    private final ListField<Quantity> validValues =
        new ListField<>("CapacityRequestPolicy.validValues");
    private @Nullable CapacityRequestPolicyRange validRange;

    private Builder() {}

    /**
     * Sets the amount for a claim that requests none.
     *
     * @param value the amount, {@code 1Gi} for example
     * @return this builder
     * @throws IllegalArgumentException if it is not a quantity
     */
    public Builder defaultValue(String value) {
      return defaultValue(
          Quantity.parse(Checks.value("CapacityRequestPolicy.defaultValue", value)));
    }

    /**
     * Sets the amount for a claim that requests none.
     *
     * @param defaultValue the amount, or {@code null} for all of the capacity
     * @return this builder
     */
    public Builder defaultValue(@Nullable Quantity defaultValue) {
      this.defaultValue = defaultValue;
      return this;
    }

    /**
     * Replaces the list of the only amounts that can be consumed.
     *
     * @param values the amounts, ascending
     * @return this builder
     */
    public Builder validValues(List<Quantity> values) {
      validValues.set(values);
      return this;
    }

    /**
     * Sets the range that consumed amounts must lie in.
     *
     * @param min the smallest amount; smaller requests are rounded up to it
     * @param max the largest amount, or {@code null} for no limit but the capacity
     * @param step requests are rounded up to {@code min} plus a multiple of this, or {@code null}
     * @return this builder
     * @throws IllegalArgumentException if one of them is not a quantity
     */
    public Builder validRange(String min, @Nullable String max, @Nullable String step) {
      return validRange(
          new CapacityRequestPolicyRange(
              Quantity.parse(Checks.value("CapacityRequestPolicyRange.min", min)),
              max == null ? null : Quantity.parse(max),
              step == null ? null : Quantity.parse(step)));
    }

    /**
     * Sets the range that consumed amounts must lie in.
     *
     * @param validRange the range, or {@code null} for none
     * @return this builder
     */
    public Builder validRange(@Nullable CapacityRequestPolicyRange validRange) {
      this.validRange = validRange;
      return this;
    }

    /** {@return a policy with the fields set so far} */
    public CapacityRequestPolicy build() {
      return new CapacityRequestPolicy(defaultValue, validValues.get(), validRange);
    }
  }
}
