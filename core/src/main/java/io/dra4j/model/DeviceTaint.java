package io.dra4j.model;

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
    String key, String value, TaintEffect effect, @Nullable String timeAdded) {}
