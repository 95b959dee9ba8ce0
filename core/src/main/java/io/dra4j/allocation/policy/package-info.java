/**
 * Policies: which of several valid allocations of a claim is taken.
 *
 * <p>Implement {@link io.dra4j.allocation.policy.AllocationPolicy}. The allocator asks it for each
 * node and passes what it needs to choose.
 */
@NullMarked
package io.dra4j.allocation.policy;

import org.jspecify.annotations.NullMarked;
