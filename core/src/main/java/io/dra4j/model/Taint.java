package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A taint of a node, which excludes pods that do not tolerate it ({@code Taint} of {@code
 * k8s.io/api/core/v1}).
 *
 * @param key the taint's key
 * @param value the taint's value; empty when not given
 * @param effect the effect of the taint
 * @param timeAdded the time at which the taint was added, RFC 3339, or {@code null}
 */
public record Taint(String key, String value, TaintEffect effect, @Nullable String timeAdded) {

  /** Rejects null except for the time. {@inheritDoc} */
  public Taint {
    Checks.value("Taint.key", key);
    Checks.value("Taint.value", value);
    Checks.value("Taint.effect", effect);
  }

  /**
   * {@return a taint without time}
   *
   * @param key for example {@code nvidia.com/gpu}
   * @param value the value; may be empty
   * @param effect the effect on pods that do not tolerate the taint
   */
  public static Taint of(String key, String value, TaintEffect effect) {
    return new Taint(key, value, effect, null);
  }

  /**
   * {@return whether the effect, {@code NoSchedule} or {@code NoExecute}, excludes pods that do not
   * tolerate the taint} A taint with effect {@code PreferNoSchedule} does not: such a node is only
   * the last choice (kube-scheduler, {@code DoNotScheduleTaintsFilterFunc}).
   */
  public boolean keepsAway() {
    return effect.equals(TaintEffect.NO_SCHEDULE) || effect.equals(TaintEffect.NO_EXECUTE);
  }

  /** For people, as kubectl writes it: {@code nvidia.com/gpu=present:NoSchedule}. */
  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }

  /** {@return a builder with all fields of this taint} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.key = key;
    builder.value = value;
    builder.effect = effect;
    builder.timeAdded = timeAdded;
    return builder;
  }

  /** Collects the fields of a taint; what is not set stays empty. */
  public static final class Builder {

    private String key = "";
    private String value = "";
    private TaintEffect effect = TaintEffect.UNSET;
    private @Nullable String timeAdded;

    private Builder() {}

    /**
     * Sets the key of the taint.
     *
     * @param key for example {@code nvidia.com/gpu}
     * @return this builder
     */
    public Builder key(String key) {
      this.key = Checks.value("Taint.key", key);
      return this;
    }

    /**
     * Sets the value of the taint.
     *
     * @param value the value; may be empty
     * @return this builder
     */
    public Builder value(String value) {
      this.value = Checks.value("Taint.value", value);
      return this;
    }

    /**
     * Sets the effect on pods that do not tolerate the taint.
     *
     * @param effect the effect
     * @return this builder
     */
    public Builder effect(TaintEffect effect) {
      this.effect = Checks.value("Taint.effect", effect);
      return this;
    }

    /**
     * Sets the time at which the taint was added.
     *
     * @param timeAdded RFC 3339, or {@code null} if that is not known
     * @return this builder
     */
    public Builder timeAdded(@Nullable String timeAdded) {
      this.timeAdded = timeAdded;
      return this;
    }

    /** {@return a taint with the fields set so far} */
    public Taint build() {
      return new Taint(key, value, effect, timeAdded);
    }
  }
}
