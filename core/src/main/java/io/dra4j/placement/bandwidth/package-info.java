/**
 * The bandwidth of paths between two devices: link classes, NIC rates, and the profile of constants
 * that {@link io.dra4j.placement.bandwidth.LinkModel} reads.
 */
@NullMarked
package io.dra4j.placement.bandwidth;

import org.jspecify.annotations.NullMarked;
