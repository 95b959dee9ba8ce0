/** The reader and watcher of the kernel's links for a host's inventory; needs {@code dra4j-spi}. */
@NullMarked
package io.dra4j.netlink.reader;

import org.jspecify.annotations.NullMarked;
