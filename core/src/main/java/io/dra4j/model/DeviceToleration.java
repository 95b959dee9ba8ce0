package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request use devices with matching taints (KEP-5055).
 *
 * @param key the taint key tolerated; empty stands for every key
 * @param operator the comparison of the value
 * @param value the taint value tolerated; empty when not given
 * @param effect the effect tolerated; {@link TaintEffect#UNSET} stands for every effect
 * @param tolerationSeconds the time for which a {@code NoExecute} taint is tolerated, in seconds,
 *     or {@code null} for ever; affects eviction, not allocation
 */
public record DeviceToleration(
    String key,
    TolerationOperator operator,
    String value,
    TaintEffect effect,
    @Nullable Long tolerationSeconds) {

  /** Rejects null except for {@code tolerationSeconds}. {@inheritDoc} */
  public DeviceToleration {
    Checks.value("DeviceToleration.key", key);
    Checks.value("DeviceToleration.operator", operator);
    Checks.value("DeviceToleration.value", value);
    Checks.value("DeviceToleration.effect", effect);
  }

  /**
   * {@return whether effect, key and value are covered (documentation of {@code DeviceToleration})}
   *
   * @param taint the taint
   */
  public boolean tolerates(DeviceTaint taint) {
    Checks.value("taint", taint);
    if (!effect.equals(TaintEffect.UNSET) && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return operator.holds(value, taint.value());
  }

  /** {@code key=value:effect} with a star for every field that is not restricted. */
  @Override
  public String toString() {
    String taint = key.isEmpty() ? "*" : key;
    taint += operator.equals(TolerationOperator.EXISTS) ? "" : "=" + value;
    return taint
        + (effect.equals(TaintEffect.UNSET) ? "" : ":" + effect)
        + (tolerationSeconds == null ? "" : " for " + tolerationSeconds + " s");
  }

  /**
   * {@return a toleration of all taints with a key, with any value and effect}
   *
   * @param key the key of the taints; empty for every taint
   */
  public static DeviceToleration exists(String key) {
    return new DeviceToleration(key, TolerationOperator.EXISTS, "", TaintEffect.UNSET, null);
  }

  /**
   * {@return a toleration of the taints with a key and a value, with any effect}
   *
   * @param key the key of the taints
   * @param value the value of the taints
   */
  public static DeviceToleration equal(String key, String value) {
    return new DeviceToleration(key, TolerationOperator.EQUAL, value, TaintEffect.UNSET, null);
  }

  /** {@return a builder with all fields of this toleration} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.key = key;
    builder.operator = operator;
    builder.value = value;
    builder.effect = effect;
    builder.tolerationSeconds = tolerationSeconds;
    return builder;
  }

  /** Collects the fields of a toleration; what is not set stays empty. */
  public static final class Builder {

    private String key = "";
    private TolerationOperator operator = TolerationOperator.EQUAL;
    private String value = "";
    private TaintEffect effect = TaintEffect.UNSET;
    private @Nullable Long tolerationSeconds;

    private Builder() {}

    /**
     * Sets the key of the tolerated taints.
     *
     * @param key the key; empty for every taint
     * @return this builder
     */
    public Builder key(String key) {
      this.key = Checks.value("DeviceToleration.key", key);
      return this;
    }

    /**
     * Sets the comparison with the value of a taint.
     *
     * @param operator the operator
     * @return this builder
     */
    public Builder operator(TolerationOperator operator) {
      this.operator = Checks.value("DeviceToleration.operator", operator);
      return this;
    }

    /**
     * Sets the value that taints are compared with.
     *
     * @param value the value; empty with {@link TolerationOperator#EXISTS}
     * @return this builder
     */
    public Builder value(String value) {
      this.value = Checks.value("DeviceToleration.value", value);
      return this;
    }

    /**
     * Sets the effect of the tolerated taints.
     *
     * @param effect the effect; {@link TaintEffect#UNSET} for every effect
     * @return this builder
     */
    public Builder effect(TaintEffect effect) {
      this.effect = Checks.value("DeviceToleration.effect", effect);
      return this;
    }

    /**
     * Sets the time for which a taint with effect {@code NoExecute} is tolerated.
     *
     * @param tolerationSeconds seconds, or {@code null} for ever
     * @return this builder
     */
    public Builder tolerationSeconds(@Nullable Long tolerationSeconds) {
      this.tolerationSeconds = tolerationSeconds;
      return this;
    }

    /** {@return a toleration with the fields set so far} */
    public DeviceToleration build() {
      return new DeviceToleration(key, operator, value, effect, tolerationSeconds);
    }
  }
}
