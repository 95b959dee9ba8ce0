/**
 * Which of several valid allocations is the best: what a path between two devices carries, which
 * set of GPUs and NICs of a server is the fastest, what it leaves for others, and policies that
 * choose so.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.placement.PlacementPolicy}: the way to choose, an option of {@link
 *       io.dra4j.allocation.Allocator}.
 *   <li>{@link io.dra4j.placement.PlacementScore}: how good a choice is.
 *   <li>{@link io.dra4j.placement.bandwidth.LinkModel}: the rates of links.
 *   <li>{@link io.dra4j.placement.gang.GangPlacement}: places pods that work together.
 *   <li>{@link io.dra4j.placement.gang.GangMember}: one of these pods.
 *   <li>{@link io.dra4j.placement.gang.GangOutcome}: the answer for all of them, of four kinds.
 *   <li>{@link io.dra4j.placement.gang.GangScore}: how good a plan for them is.
 *   <li>{@link io.dra4j.placement.gang.Rails}: how the rail of a NIC is known.
 * </ol>
 *
 * <p>Nothing here decides what is valid: that is the allocator's work.
 */
@NullMarked
package io.dra4j.placement;

import org.jspecify.annotations.NullMarked;
