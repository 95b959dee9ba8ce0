/**
 * The choice of the best of several valid allocations: the bandwidth of paths between devices, the
 * fastest sets of GPUs and NICs of a server, the usefulness of the remaining devices, and policies
 * that choose by them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.placement.PlacementPolicy}: chooses devices; an option of {@link
 *       io.dra4j.allocation.Allocator}.
 *   <li>{@link io.dra4j.placement.PlacementScore}: the quality of a choice.
 *   <li>{@link io.dra4j.placement.bandwidth.LinkModel}: the rates of links.
 *   <li>{@link io.dra4j.placement.gang.GangPlacement}: places pods that work together.
 *   <li>{@link io.dra4j.placement.gang.GangMember}: one of these pods.
 *   <li>{@link io.dra4j.placement.gang.GangOutcome}: the answer for all of them, of four kinds.
 *   <li>{@link io.dra4j.placement.gang.GangScore}: the quality of a plan for them.
 *   <li>{@link io.dra4j.placement.gang.Rails}: the way to determine the rail of a NIC.
 * </ol>
 *
 * <p>Only the allocator decides which allocations are valid; this package does not.
 */
@NullMarked
package io.dra4j.placement;

import org.jspecify.annotations.NullMarked;
