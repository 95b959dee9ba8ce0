/** Offers network devices to pods, attaches and returns them. Start with {@link NetworkDriver}. */
@NullMarked
package io.dra4j.dranet;

import org.jspecify.annotations.NullMarked;
