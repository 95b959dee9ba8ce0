package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * A condition of an object, as {@code metav1.Condition}.
 *
 * @param type what is reported, for example {@code Ready}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param observedGeneration the generation of the object that it was reported for, or {@code null}
 * @param lastTransitionTime when the status last changed, RFC 3339, or {@code null}
 * @param reason a word for programs
 * @param message a text for people
 */
public record Condition(
    String type,
    String status,
    @Nullable Long observedGeneration,
    @Nullable String lastTransitionTime,
    String reason,
    String message) {}
