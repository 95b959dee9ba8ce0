package io.dra4j.netlink.rdma;

import java.util.OptionalInt;

/**
 * A port of an RDMA device. Numbers of states are those of {@code enum ib_port_state} and {@code
 * enum ib_port_phys_state}.
 *
 * @param deviceIndex the number of its device
 * @param deviceName the name of its device
 * @param port its number, from 1
 * @param state 1 down, 2 initializing, 3 armed, 4 active
 * @param physicalState 3 disabled, 5 link up
 * @param lid the local identifier that an InfiniBand subnet gave it, if it has one
 * @param subnetManagerLid the local identifier of the subnet manager, if known
 * @param lidMaskCount the number of low bits of the local identifier that the port can choose
 *     (LMC), if it has one
 * @param subnetPrefix the subnet; 0 if there is none
 * @param netdevIndex the index of its network device in this namespace, if it has one
 * @param netdevName the name of its network device; empty if it has none
 */
public record RdmaLink(
    int deviceIndex,
    String deviceName,
    int port,
    int state,
    int physicalState,
    OptionalInt lid,
    OptionalInt subnetManagerLid,
    OptionalInt lidMaskCount,
    long subnetPrefix,
    OptionalInt netdevIndex,
    String netdevName) {}
