/**
 * Plans for all pods and servers of a gang at once: the rails, the numbers of pods, and the
 * devices.
 */
@NullMarked
package io.dra4j.placement.internal.gang;

import org.jspecify.annotations.NullMarked;
