/** Answers about jobs and clusters: effects of added or removed nodes, and inconsistencies. */
@NullMarked
package io.dra4j.scheduling.planning;

import org.jspecify.annotations.NullMarked;
