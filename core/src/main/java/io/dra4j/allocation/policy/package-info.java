/**
 * Policies, which choose among several valid allocations of claims.
 *
 * <p>Implement {@link io.dra4j.allocation.policy.AllocationPolicy}. The allocator calls it for each
 * node.
 */
@NullMarked
package io.dra4j.allocation.policy;

import org.jspecify.annotations.NullMarked;
