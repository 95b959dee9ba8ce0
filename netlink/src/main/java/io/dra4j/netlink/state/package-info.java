/**
 * Captures and restores the state of links: a driver that moves a NIC to a pod captures its state
 * before and restores it afterwards. Start with {@link io.dra4j.netlink.state.LinkState}.
 */
@NullMarked
package io.dra4j.netlink.state;

import org.jspecify.annotations.NullMarked;
