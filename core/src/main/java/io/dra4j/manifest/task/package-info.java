/** Tasks of other tools that can become jobs: {@link io.dra4j.manifest.task.SkyPilotTask}. */
@NullMarked
package io.dra4j.manifest.task;

import org.jspecify.annotations.NullMarked;
