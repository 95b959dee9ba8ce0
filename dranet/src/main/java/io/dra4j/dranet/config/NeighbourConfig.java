package io.dra4j.dranet.config;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;

/**
 * A permanent neighbour of the interface: the kernel sends no ARP or neighbour request for its
 * hardware address.
 *
 * @param destination the IP address
 * @param hardwareAddress the hardware address, of 6, 8 or 20 bytes
 */
public record NeighbourConfig(IpAddress destination, HardwareAddress hardwareAddress) {}
