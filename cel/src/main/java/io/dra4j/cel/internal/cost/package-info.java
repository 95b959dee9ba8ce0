/** Estimates of the maximum cost of an expression, before it is evaluated. */
@NullMarked
package io.dra4j.cel.internal.cost;

import org.jspecify.annotations.NullMarked;
