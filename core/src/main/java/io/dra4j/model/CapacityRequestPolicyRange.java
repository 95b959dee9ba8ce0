package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * A range of amounts, optionally in steps counted from the minimum (KEP-5075).
 *
 * @param min the smallest amount; smaller requests are rounded up to it
 * @param max the largest amount, or {@code null} for no limit but the capacity
 * @param step requests are rounded up to {@code min} plus a multiple of this, or {@code null}
 */
public record CapacityRequestPolicyRange(
    @Nullable Quantity min, @Nullable Quantity max, @Nullable Quantity step) {}
