/** Discovery of the network devices of a host, and their published attributes. */
@NullMarked
package io.dra4j.dranet.discovery;

import org.jspecify.annotations.NullMarked;
