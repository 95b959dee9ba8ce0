/** The depth-first search for devices in Kubernetes' order; pruning never changes the answer. */
@NullMarked
package io.dra4j.allocation.internal.search;

import org.jspecify.annotations.NullMarked;
