/** The requests of a claim for one node: selector matches, attribute values, capacity demand. */
@NullMarked
package io.dra4j.allocation.internal.request;

import org.jspecify.annotations.NullMarked;
