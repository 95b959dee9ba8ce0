/** The parts of the allocator for other packages of this module, hidden from users. */
@NullMarked
package io.dra4j.allocation.internal.access;

import org.jspecify.annotations.NullMarked;
