/** Whether single devices can be allocated, and if not, why. */
@NullMarked
package io.dra4j.allocation.status;

import org.jspecify.annotations.NullMarked;
