/**
 * What expressions compute with: the values of CEL and Kubernetes, when they are equal, in which
 * order they stand, what arithmetic makes of them, and how an evaluation fails.
 *
 * <p>Knows the texts of Go. Of messages it knows no more than {@link
 * io.dra4j.cel.internal.value.MessageType}, and of evaluations no more than {@link
 * io.dra4j.cel.internal.value.EvaluationMeter}.
 */
@NullMarked
package io.dra4j.cel.internal.value;

import org.jspecify.annotations.NullMarked;
