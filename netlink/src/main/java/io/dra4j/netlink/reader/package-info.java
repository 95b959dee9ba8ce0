/**
 * The reader and the watcher of the kernel's links for the inventory of a host; needs {@code
 * dra4j-spi}.
 */
@NullMarked
package io.dra4j.netlink.reader;

import org.jspecify.annotations.NullMarked;
