/**
 * What clouds report of their machines, as attributes of network devices: optional, and asked for
 * once. Begin with {@link io.dra4j.dranet.cloud.CloudAttributes}.
 */
@NullMarked
package io.dra4j.dranet.cloud;

import org.jspecify.annotations.NullMarked;
