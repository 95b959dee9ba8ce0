/** Questions about whole jobs and clusters: what if a node comes or goes, and what is amiss. */
@NullMarked
package io.dra4j.scheduling.planning;

import org.jspecify.annotations.NullMarked;
