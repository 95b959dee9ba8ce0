/**
 * Answers about whole jobs and clusters: the effects of added or removed nodes, and
 * inconsistencies.
 */
@NullMarked
package io.dra4j.scheduling.planning;

import org.jspecify.annotations.NullMarked;
