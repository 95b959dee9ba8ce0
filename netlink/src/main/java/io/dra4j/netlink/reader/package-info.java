/**
 * What the kernel's list of links contributes to the inventory of a host; needs {@code dra4j-spi}.
 */
@NullMarked
package io.dra4j.netlink.reader;

import org.jspecify.annotations.NullMarked;
