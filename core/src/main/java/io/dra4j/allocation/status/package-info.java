/** The status of single devices: whether they can be allocated, and the reason if not. */
@NullMarked
package io.dra4j.allocation.status;

import org.jspecify.annotations.NullMarked;
