/**
 * Machine types of clouds, their network tiers, and the published measurements that calibrate the
 * link model.
 */
@NullMarked
package io.dra4j.placement.cloud;

import org.jspecify.annotations.NullMarked;
