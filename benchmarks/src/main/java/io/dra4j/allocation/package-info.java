/** Benchmarks of what the allocator does not show to others. */
@NullMarked
package io.dra4j.allocation;

import org.jspecify.annotations.NullMarked;
