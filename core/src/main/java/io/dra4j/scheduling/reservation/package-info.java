/** Devices reserved for pods by many threads at once, before a cluster's objects say so. */
@NullMarked
package io.dra4j.scheduling.reservation;

import org.jspecify.annotations.NullMarked;
