package io.dra4j.spi;

import io.dra4j.topology.PciAddress;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A network device of a host.
 *
 * @param name its name, for example {@code eth0}
 * @param index its interface index, if known
 * @param address the PCI function it is on; null if it is on none
 * @param virtual whether it has no hardware of its own, such as a bridge or one end of a veth pair
 * @param hardwareAddress as Linux writes it, for example {@code 52:54:00:0d:a0:00}; empty if it has
 *     none
 * @param mtu in bytes, if known
 * @param operationalState as Linux writes it (RFC 2863), for example {@code up}; empty if not known
 * @param megabitsPerSecond the speed of its link; absent while it is down or has no speed
 */
public record Netdev(
    String name,
    OptionalInt index,
    @Nullable PciAddress address,
    boolean virtual,
    String hardwareAddress,
    OptionalInt mtu,
    String operationalState,
    OptionalLong megabitsPerSecond) {}
