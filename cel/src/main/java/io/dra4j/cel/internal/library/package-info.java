/**
 * The functions that expressions may call. One function is one place: its class, such as {@link
 * io.dra4j.cel.internal.library.StringFunctions}, declares it, says what it does, what it is
 * estimated to cost and what a call costs. {@link io.dra4j.cel.internal.library.Functions} reads
 * the declarations for the checker, {@link io.dra4j.cel.internal.library.FunctionLibrary} has
 * bodies and costs.
 *
 * <p>Knows values, but neither trees that were checked nor evaluations.
 */
@NullMarked
package io.dra4j.cel.internal.library;

import org.jspecify.annotations.NullMarked;
