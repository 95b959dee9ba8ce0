/** Moves of running pods that make room for a pending pod or a gang. */
@NullMarked
package io.dra4j.scheduling.defragmentation;

import org.jspecify.annotations.NullMarked;
