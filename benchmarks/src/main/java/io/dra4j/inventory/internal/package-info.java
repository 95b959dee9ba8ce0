/** Benchmarks of what the inventory does not show to others. */
@NullMarked
package io.dra4j.inventory.internal;

import org.jspecify.annotations.NullMarked;
