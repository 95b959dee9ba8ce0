/** Benchmarks of what placement does not show to others. */
@NullMarked
package io.dra4j.placement;

import org.jspecify.annotations.NullMarked;
