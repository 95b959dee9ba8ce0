/**
 * The functions that expressions may call. Each function is defined in one place: its class, such
 * as {@link io.dra4j.cel.internal.library.StringFunctions}, has its declaration, its
 * implementation, its estimate and its cost. {@link io.dra4j.cel.internal.library.Functions} reads
 * the declarations for the checker, {@link io.dra4j.cel.internal.library.FunctionLibrary} has
 * bodies and costs.
 *
 * <p>The package depends on values, but neither on checked trees nor on evaluations.
 */
@NullMarked
package io.dra4j.cel.internal.library;

import org.jspecify.annotations.NullMarked;
