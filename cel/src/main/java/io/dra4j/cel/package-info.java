/**
 * The CEL environment of Kubernetes Dynamic Resource Allocation. Start at {@link
 * io.dra4j.cel.CelSelectors}.
 *
 * <p>An expression goes through four stages: <a href="https://github.com/google/cel-java">cel-java
 * </a> parses it, {@code Checker} finds types and overloads in an environment that is kept, {@code
 * CostEstimator} estimates its maximum cost, and {@code Planner} converts it to a tree of {@code
 * Node}s, which is evaluated. All four give the answers of the API server and the scheduler: the
 * same expressions are rejected, the same devices match, and the same costs are counted.
 *
 * <p>The implementation is below {@code io.dra4j.cel.internal}, in packages that each depend only
 * on the packages before them: {@code text}, {@code value}, {@code message}, {@code library},
 * {@code check}, {@code cost}, {@code eval}, {@code explain}. These packages are exported to no
 * other module.
 */
@NullMarked
package io.dra4j.cel;

import org.jspecify.annotations.NullMarked;
