/**
 * Why claims do not fit: reasons, the smallest set of requirements that conflict, and suggestions.
 *
 * <p>Start at {@link io.dra4j.allocation.explanation.Explanation}, which {@link
 * io.dra4j.allocation.Allocator} returns for one node, and {@link
 * io.dra4j.allocation.ClusterExplanation} for all nodes.
 */
@NullMarked
package io.dra4j.allocation.explanation;

import org.jspecify.annotations.NullMarked;
