/**
 * Devices that many threads reserve for pods at once, before the objects of the cluster have the
 * allocations.
 */
@NullMarked
package io.dra4j.scheduling.reservation;

import org.jspecify.annotations.NullMarked;
