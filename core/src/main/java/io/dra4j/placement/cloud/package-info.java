/** Cloud machines, their network tiers, and published measurements to calibrate the link model. */
@NullMarked
package io.dra4j.placement.cloud;

import org.jspecify.annotations.NullMarked;
