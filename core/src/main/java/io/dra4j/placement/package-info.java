/**
 * Which of several valid allocations is the best: what a path between two devices carries, which
 * set of GPUs and NICs of a server is the fastest, what it leaves for others, and policies that
 * choose so.
 *
 * <p>Start with {@link io.dra4j.placement.PlacementPolicy}, which goes into an {@link
 * io.dra4j.allocation.Allocator.Builder}; {@link io.dra4j.placement.bandwidth.LinkModel} has the
 * numbers. Nothing here decides what is valid: that is the allocator's work.
 */
@NullMarked
package io.dra4j.placement;

import org.jspecify.annotations.NullMarked;
