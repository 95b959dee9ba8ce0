/**
 * The contracts of readers and drivers.
 *
 * <p>A {@link io.dra4j.spi.TopologyReader} contributes facts about a {@link io.dra4j.spi.Host} to a
 * {@link io.dra4j.spi.HostInventory}; a {@link io.dra4j.spi.DeviceDriver} derives devices from
 * them, and a {@link io.dra4j.spi.PreparingDriver} brings them to the pods that claimed them.
 */
@NullMarked
package io.dra4j.spi;

import org.jspecify.annotations.NullMarked;
