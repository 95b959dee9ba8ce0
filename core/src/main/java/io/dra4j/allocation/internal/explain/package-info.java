/** The search for explanations: diagnosis of requests, relaxation of claims, and the advisors. */
@NullMarked
package io.dra4j.allocation.internal.explain;

import org.jspecify.annotations.NullMarked;
