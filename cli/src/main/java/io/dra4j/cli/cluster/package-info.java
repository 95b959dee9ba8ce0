/** Cluster commands: allocate, place, headroom, explain, audit, snapshot, validate and examples. */
@NullMarked
package io.dra4j.cli.cluster;

import org.jspecify.annotations.NullMarked;
