package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A mark that keeps claims away from a device unless they tolerate it (KEP-5055).
 *
 * @param key the taint's key
 * @param value the taint's value; empty when not given
 * @param effect what the taint does
 * @param timeAdded when the taint was added, RFC 3339, or {@code null}
 */
public record DeviceTaint(
    String key, String value, TaintEffect effect, @Nullable String timeAdded) {

  /** Refuses null but for {@code timeAdded}. {@inheritDoc} */
  public DeviceTaint {
    Checks.value("DeviceTaint.key", key);
    Checks.value("DeviceTaint.value", value);
    Checks.value("DeviceTaint.effect", effect);
  }

  /**
   * Makes a taint.
   *
   * @param key for example {@code gpu.example.com/unhealthy}
   * @param value more about it; may be empty
   * @param effect what it does to claims that do not tolerate it
   * @return the taint, without time
   */
  public static DeviceTaint of(String key, String value, TaintEffect effect) {
    return new DeviceTaint(key, value, effect, null);
  }

  /**
   * Returns whether this taint and another one are the same mark, perhaps of different times.
   *
   * @param taint the other taint
   * @return whether key, value and effect are equal
   */
  public boolean isSameMark(DeviceTaint taint) {
    return key.equals(Checks.value("taint", taint).key())
        && value.equals(taint.value())
        && effect.equals(taint.effect());
  }

  /**
   * Starts a builder with everything that this taint has, to change some of it.
   *
   * @return a builder of taints
   */
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
     * @param key for example {@code gpu.example.com/unhealthy}
     * @return this builder
     */
    public Builder key(String key) {
      this.key = Checks.value("DeviceTaint.key", key);
      return this;
    }

    /**
     * Sets the value of the taint.
     *
     * @param value more about it; may be empty
     * @return this builder
     */
    public Builder value(String value) {
      this.value = Checks.value("DeviceTaint.value", value);
      return this;
    }

    /**
     * Sets what the taint does to claims that do not tolerate it.
     *
     * @param effect the effect
     * @return this builder
     */
    public Builder effect(TaintEffect effect) {
      this.effect = Checks.value("DeviceTaint.effect", effect);
      return this;
    }

    /**
     * Sets when the taint was added.
     *
     * @param timeAdded RFC 3339, or {@code null} if that is not known
     * @return this builder
     */
    public Builder timeAdded(@Nullable String timeAdded) {
      this.timeAdded = timeAdded;
      return this;
    }

    /**
     * Makes the taint.
     *
     * @return a taint with the fields set so far
     */
    public DeviceTaint build() {
      return new DeviceTaint(key, value, effect, timeAdded);
    }
  }
}
