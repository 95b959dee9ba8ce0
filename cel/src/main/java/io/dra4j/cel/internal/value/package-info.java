/**
 * The values of CEL and Kubernetes, with their equality, order and arithmetic, and the errors of
 * evaluations.
 *
 * <p>The package depends on the texts of Go. Of messages it uses only {@link
 * io.dra4j.cel.internal.value.MessageType}, and of evaluations only {@link
 * io.dra4j.cel.internal.value.EvaluationMeter}.
 */
@NullMarked
package io.dra4j.cel.internal.value;

import org.jspecify.annotations.NullMarked;
