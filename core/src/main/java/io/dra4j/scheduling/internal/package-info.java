/** Helpers of the packages of scheduling. */
@NullMarked
package io.dra4j.scheduling.internal;

import org.jspecify.annotations.NullMarked;
