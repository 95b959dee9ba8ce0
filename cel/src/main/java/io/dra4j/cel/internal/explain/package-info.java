/**
 * Explains why an expression is true, false or an error on a device: its conditions one by one, the
 * deciding ones, and probable mistakes.
 */
@NullMarked
package io.dra4j.cel.internal.explain;

import org.jspecify.annotations.NullMarked;
