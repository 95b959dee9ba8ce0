/**
 * What a driver makes of its devices before others can claim them: {@link
 * io.dra4j.spi.publish.AttributeBuilder} keeps attributes within the limits of the API, {@link
 * io.dra4j.spi.publish.SlicePlanner} puts devices into slices.
 */
@NullMarked
package io.dra4j.spi.publish;

import org.jspecify.annotations.NullMarked;
