/**
 * Moves network devices into a network namespace and back, as transactions. Start with {@link
 * io.dra4j.dranet.attach.Attacher}.
 */
@NullMarked
package io.dra4j.dranet.attach;

import org.jspecify.annotations.NullMarked;
