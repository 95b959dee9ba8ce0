/** Measurements of dra4j, made to be read beside those of the Go program in {@code go/}. */
@NullMarked
package io.dra4j.benchmarks;

import org.jspecify.annotations.NullMarked;
