/**
 * Placement of pods that run together: all of a gang, or none.
 *
 * <p>Start at {@link io.dra4j.placement.gang.GangPlacement}.
 */
@NullMarked
package io.dra4j.placement.gang;

import org.jspecify.annotations.NullMarked;
