/** Benchmarks of what the runtime does not show to others. */
@NullMarked
package io.dra4j.runtime;

import org.jspecify.annotations.NullMarked;
