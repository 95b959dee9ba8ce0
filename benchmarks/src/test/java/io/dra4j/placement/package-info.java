/** Tests of the benchmark that users run on their own hosts and slices. */
@NullMarked
package io.dra4j.placement;

import org.jspecify.annotations.NullMarked;
