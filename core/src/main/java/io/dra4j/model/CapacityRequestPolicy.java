package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which amounts of a shareable device's capacity may be consumed (KEP-5075). The API server allows
 * either {@code validValues} or {@code validRange}.
 *
 * @param defaultValue consumed where a claim asks for nothing; {@code null} means all of the
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
    validValues = NoNulls.list("CapacityRequestPolicy.validValues", validValues);
  }
}
