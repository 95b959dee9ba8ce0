/** Commands about clusters: allocate, explain, validate, and examples. */
@NullMarked
package io.dra4j.cli.cluster;

import org.jspecify.annotations.NullMarked;
