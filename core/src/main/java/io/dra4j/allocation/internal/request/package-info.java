/**
 * The requests of a claim, resolved for one node: planned requests, selector matches, attribute
 * values, and the demand for capacity.
 */
@NullMarked
package io.dra4j.allocation.internal.request;

import org.jspecify.annotations.NullMarked;
