package io.dra4j.dranet.dhcp;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;

/**
 * An address that a DHCP server offers, with all that it takes to give it back.
 *
 * @param address the address
 * @param server how the server is known ({@code server identifier})
 * @param serverLink the hardware address that leads to it: its own, or that of a relay
 */
public record Offer(IpAddress address, IpAddress server, HardwareAddress serverLink) {}
