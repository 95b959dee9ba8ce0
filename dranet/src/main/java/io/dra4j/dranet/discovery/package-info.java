/** Which network devices a host offers, and what is informed of them. */
@NullMarked
package io.dra4j.dranet.discovery;

import org.jspecify.annotations.NullMarked;
