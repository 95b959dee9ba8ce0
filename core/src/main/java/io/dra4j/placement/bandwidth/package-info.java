/**
 * How many bytes a path between two devices carries each second: link classes, NIC rates, and the
 * profile of constants that {@link io.dra4j.placement.bandwidth.LinkModel} reads.
 */
@NullMarked
package io.dra4j.placement.bandwidth;

import org.jspecify.annotations.NullMarked;
