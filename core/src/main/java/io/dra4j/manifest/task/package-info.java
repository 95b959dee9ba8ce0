/**
 * Tasks of other tools that can be converted to jobs of a cluster: {@link
 * io.dra4j.manifest.task.SkyPilotTask}.
 */
@NullMarked
package io.dra4j.manifest.task;

import org.jspecify.annotations.NullMarked;
