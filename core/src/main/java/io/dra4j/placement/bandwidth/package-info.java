/** The bandwidth of paths: link classes, NIC rates, and constants that {@code LinkModel} reads. */
@NullMarked
package io.dra4j.placement.bandwidth;

import org.jspecify.annotations.NullMarked;
