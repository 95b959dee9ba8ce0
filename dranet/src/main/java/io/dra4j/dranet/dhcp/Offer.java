package io.dra4j.dranet.dhcp;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;

/**
 * An address that a DHCP server offers, with all data that is necessary to release it.
 *
 * @param address the address
 * @param server the identifier of the server ({@code server identifier})
 * @param serverLink the hardware address of the server or of a relay to it
 */
public record Offer(IpAddress address, IpAddress server, HardwareAddress serverLink) {}
