/**
 * Explanations why claims do not fit: reasons, a minimal set of conflicting requirements, and
 * suggestions.
 *
 * <p>Start at {@link io.dra4j.allocation.explanation.Explanation}, which {@link
 * io.dra4j.allocation.Allocator} returns for one node, and {@link
 * io.dra4j.allocation.ClusterExplanation} for all nodes.
 */
@NullMarked
package io.dra4j.allocation.explanation;

import org.jspecify.annotations.NullMarked;
