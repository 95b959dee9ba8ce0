/** Kernel events of devices that are added, removed or changed. */
@NullMarked
package io.dra4j.netlink.uevent;

import org.jspecify.annotations.NullMarked;
