/** Plans for all pods and servers of a gang at once: rails, numbers of pods, and devices. */
@NullMarked
package io.dra4j.placement.internal.gang;

import org.jspecify.annotations.NullMarked;
