/**
 * From a tree with types to an answer: {@link io.dra4j.cel.internal.eval.Planner} makes nodes of
 * the tree, which are evaluated on a {@link io.dra4j.cel.internal.eval.DeviceView} with the state
 * of a {@link io.dra4j.cel.internal.eval.Frame}, within cost and time.
 */
@NullMarked
package io.dra4j.cel.internal.eval;

import org.jspecify.annotations.NullMarked;
