/**
 * From a text to a tree with types: what the API server does before it makes a program, save for
 * the limit of the cost. {@link io.dra4j.cel.internal.check.ExpressionChecker} is the way in.
 */
@NullMarked
package io.dra4j.cel.internal.check;

import org.jspecify.annotations.NullMarked;
