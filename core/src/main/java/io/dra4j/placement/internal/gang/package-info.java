/** Plans for all pods and servers of a gang at once: which rails, how many pods, which devices. */
@NullMarked
package io.dra4j.placement.internal.gang;

import org.jspecify.annotations.NullMarked;
