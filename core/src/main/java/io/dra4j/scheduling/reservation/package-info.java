/** Devices that many threads reserve for pods before the cluster's objects have the allocations. */
@NullMarked
package io.dra4j.scheduling.reservation;

import org.jspecify.annotations.NullMarked;
