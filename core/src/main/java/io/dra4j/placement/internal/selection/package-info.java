/** The choice of devices of one server: sets of GPUs and NICs, pairs, rings, and their score. */
@NullMarked
package io.dra4j.placement.internal.selection;

import org.jspecify.annotations.NullMarked;
