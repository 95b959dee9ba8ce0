/**
 * The search for devices: depth first, in the order of Kubernetes, with pruning that never changes
 * the answer.
 */
@NullMarked
package io.dra4j.allocation.internal.search;

import org.jspecify.annotations.NullMarked;
