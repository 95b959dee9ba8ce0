package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A taint of a device, which excludes claims that do not tolerate it (KEP-5055).
 *
 * @param key the taint's key
 * @param value the taint's value; empty when not given
 * @param effect the effect of the taint
 * @param timeAdded the time at which the taint was added, RFC 3339, or {@code null}
 */
public record DeviceTaint(
    String key, String value, TaintEffect effect, @Nullable String timeAdded) {

  /** Rejects null except for {@code timeAdded}. {@inheritDoc} */
  public DeviceTaint {
    Checks.value("DeviceTaint.key", key);
    Checks.value("DeviceTaint.value", value);
    Checks.value("DeviceTaint.effect", effect);
  }

  /** The taint in the form of kubectl, such as {@code gpu.example.com/unhealthy=ecc:NoExecute}. */
  @Override
  public String toString() {
    return PrintableText.of(key + (value.isEmpty() ? "" : "=" + value) + ":" + effect);
  }

  /**
   * {@return a taint without time}
   *
   * @param key for example {@code gpu.example.com/unhealthy}
   * @param value the value; may be empty
   * @param effect the effect on claims that do not tolerate the taint
   */
  public static DeviceTaint of(String key, String value, TaintEffect effect) {
    return new DeviceTaint(key, value, effect, null);
  }

  /**
   * {@return whether this taint has the key, value and effect of another one, at any time}
   *
   * @param taint the other taint
   */
  public boolean isSameMark(DeviceTaint taint) {
    return key.equals(Checks.value("taint", taint).key())
        && value.equals(taint.value())
        && effect.equals(taint.effect());
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
     * @param value the value; may be empty
     * @return this builder
     */
    public Builder value(String value) {
      this.value = Checks.value("DeviceTaint.value", value);
      return this;
    }

    /**
     * Sets the effect on claims that do not tolerate the taint.
     *
     * @param effect the effect
     * @return this builder
     */
    public Builder effect(TaintEffect effect) {
      this.effect = Checks.value("DeviceTaint.effect", effect);
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
    public DeviceTaint build() {
      return new DeviceTaint(key, value, effect, timeAdded);
    }
  }
}
