/**
 * The CEL environment of Kubernetes Dynamic Resource Allocation. Start at {@link
 * io.dra4j.cel.CelSelectors}.
 *
 * <p>An expression goes through four stages: <a href="https://github.com/google/cel-java">cel-java
 * </a> parses it, {@code Checker} finds types and overloads in an environment that is kept, {@code
 * CostEstimator} says what it may cost at most, and {@code Planner} makes a tree of {@code Node}s
 * of it, which is evaluated. All four give the answers of the API server and the scheduler: the
 * same expressions are refused, the same devices match, and the same costs are counted.
 *
 * <p>What happens in them is below {@code io.dra4j.cel.internal}, in rooms of which each knows only
 * those before it: {@code text}, {@code value}, {@code message}, {@code library}, {@code check},
 * {@code cost}, {@code eval}, {@code explain}. It is public to this module alone.
 */
@NullMarked
package io.dra4j.cel;

import org.jspecify.annotations.NullMarked;
