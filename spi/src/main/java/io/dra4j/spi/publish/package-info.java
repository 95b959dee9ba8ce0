/**
 * The publication of a driver's devices: {@link io.dra4j.spi.publish.AttributeBuilder} keeps
 * attributes within the limits of the API, {@link io.dra4j.spi.publish.SlicePlanner} distributes
 * devices over slices.
 */
@NullMarked
package io.dra4j.spi.publish;

import org.jspecify.annotations.NullMarked;
