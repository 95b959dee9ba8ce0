/** Kernel events of devices that come and go. */
@NullMarked
package io.dra4j.netlink.uevent;

import org.jspecify.annotations.NullMarked;
