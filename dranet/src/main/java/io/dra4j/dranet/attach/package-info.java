/** Moves network devices into a namespace and back as transactions. Start with {@link Attacher}. */
@NullMarked
package io.dra4j.dranet.attach;

import org.jspecify.annotations.NullMarked;
