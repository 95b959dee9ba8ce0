/** Generic netlink: families that have names instead of protocol numbers. */
@NullMarked
package io.dra4j.netlink.generic;

import org.jspecify.annotations.NullMarked;
