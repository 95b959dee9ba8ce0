package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A condition of an object, like {@code metav1.Condition}.
 *
 * @param type the name of the condition, for example {@code Ready}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param observedGeneration the generation of the object for which it was reported, or {@code null}
 * @param lastTransitionTime the time of the last change of the status, RFC 3339, or {@code null}
 * @param reason a word for programs
 * @param message a text for people
 */
public record Condition(
    String type,
    String status,
    @Nullable Long observedGeneration,
    @Nullable String lastTransitionTime,
    String reason,
    String message) {

  /** Only {@code observedGeneration} and {@code lastTransitionTime} may be null. {@inheritDoc} */
  public Condition {
    Checks.value("Condition.type", type);
    Checks.value("Condition.status", status);
    Checks.value("Condition.reason", reason);
    Checks.value("Condition.message", message);
  }

  /**
   * {@return a builder of a condition}
   *
   * @param type the name of the condition, for example {@code Ready}
   * @param status {@code True}, {@code False} or {@code Unknown}
   */
  public static Builder of(String type, String status) {
    Builder builder = new Builder();
    return builder.type(type).status(status);
  }

  /** {@return a builder with all fields of this condition} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.type = type;
    builder.status = status;
    builder.observedGeneration = observedGeneration;
    builder.lastTransitionTime = lastTransitionTime;
    builder.reason = reason;
    builder.message = message;
    return builder;
  }

  /** Collects the fields of a condition; what is not set stays empty. */
  public static final class Builder {

    private String type = "";
    private String status = "";
    private @Nullable Long observedGeneration;
    private @Nullable String lastTransitionTime;
    private String reason = "";
    private String message = "";

    private Builder() {}

    /**
     * Sets the name of the condition.
     *
     * @param type for example {@code Ready}
     * @return this builder
     */
    public Builder type(String type) {
      this.type = Checks.value("Condition.type", type);
      return this;
    }

    /**
     * Sets whether the condition holds.
     *
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @return this builder
     */
    public Builder status(String status) {
      this.status = Checks.value("Condition.status", status);
      return this;
    }

    /**
     * Sets the generation of the object for which the condition was reported.
     *
     * @param observedGeneration {@code metadata.generation}, or {@code null} if that is not known
     * @return this builder
     */
    public Builder observedGeneration(@Nullable Long observedGeneration) {
      this.observedGeneration = observedGeneration;
      return this;
    }

    /**
     * Sets the time of the last change of the status.
     *
     * @param lastTransitionTime RFC 3339, or {@code null} if that is not known
     * @return this builder
     */
    public Builder lastTransitionTime(@Nullable String lastTransitionTime) {
      this.lastTransitionTime = lastTransitionTime;
      return this;
    }

    /**
     * Sets the reason for the status in one word.
     *
     * @param reason for example {@code Prepared}
     * @return this builder
     */
    public Builder reason(String reason) {
      this.reason = Checks.value("Condition.reason", reason);
      return this;
    }

    /**
     * Sets the reason for the status as a text for people.
     *
     * @param message any text
     * @return this builder
     */
    public Builder message(String message) {
      this.message = Checks.value("Condition.message", message);
      return this;
    }

    /** {@return a condition with the fields set so far} */
    public Condition build() {
      return new Condition(type, status, observedGeneration, lastTransitionTime, reason, message);
    }
  }
}
