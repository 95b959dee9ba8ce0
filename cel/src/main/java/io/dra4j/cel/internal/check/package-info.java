/**
 * From a text to a tree with types: what the API server does before it makes a program, except for
 * the cost limit. Start with {@link io.dra4j.cel.internal.check.ExpressionChecker}.
 */
@NullMarked
package io.dra4j.cel.internal.check;

import org.jspecify.annotations.NullMarked;
