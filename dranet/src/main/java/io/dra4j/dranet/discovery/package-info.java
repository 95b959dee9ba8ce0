/** Which network devices a host offers, and what is published of them. */
@NullMarked
package io.dra4j.dranet.discovery;

import org.jspecify.annotations.NullMarked;
