/**
 * The search for explanations: diagnosis of each request, relaxation of claims, and the advisors
 * that suggest changes.
 */
@NullMarked
package io.dra4j.allocation.internal.explain;

import org.jspecify.annotations.NullMarked;
