/**
 * What a link was, and how it becomes that again: a driver that takes a NIC out of a host captures
 * it before and restores it afterwards. Start with {@link io.dra4j.netlink.state.LinkState}.
 */
@NullMarked
package io.dra4j.netlink.state;

import org.jspecify.annotations.NullMarked;
