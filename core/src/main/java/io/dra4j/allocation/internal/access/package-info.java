/** What other rooms of this module reach of the allocator that its users do not. */
@NullMarked
package io.dra4j.allocation.internal.access;

import org.jspecify.annotations.NullMarked;
