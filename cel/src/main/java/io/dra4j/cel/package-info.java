/**
 * The CEL environment of Kubernetes Dynamic Resource Allocation on <a
 * href="https://github.com/google/cel-java">cel-java</a>, which parses, checks and evaluates.
 *
 * <p>What is added here is what Kubernetes adds to CEL: the variable {@code device}, the types and
 * functions of the API server's libraries, and the rules about the results of selectors and derived
 * attributes. Start at {@link io.dra4j.cel.CelSelectors}.
 */
@NullMarked
package io.dra4j.cel;

import org.jspecify.annotations.NullMarked;
