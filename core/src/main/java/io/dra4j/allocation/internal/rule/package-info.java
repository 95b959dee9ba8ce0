/**
 * The rules that refuse a device: usage, taints, counters, capacity, compatibility groups, and
 * constraints.
 *
 * <p>A constraint is checked in {@link io.dra4j.allocation.internal.rule.Constraint}. A placement
 * is undone by {@link io.dra4j.allocation.internal.rule.Placer}.
 */
@NullMarked
package io.dra4j.allocation.internal.rule;

import org.jspecify.annotations.NullMarked;
