/**
 * Attributes of network devices from the metadata services of clouds. Optional, and queried once.
 * Start with {@link io.dra4j.dranet.cloud.CloudAttributes}.
 */
@NullMarked
package io.dra4j.dranet.cloud;

import org.jspecify.annotations.NullMarked;
