/**
 * Why an expression is true, false or an error on a device: its conditions one by one, those that
 * decide, and what looks like a mistake.
 */
@NullMarked
package io.dra4j.cel.internal.explain;

import org.jspecify.annotations.NullMarked;
