package io.dra4j.netlink.route;

import java.util.OptionalLong;

/**
 * A virtual function as its physical function tells of it.
 *
 * @param number its number, from 0
 * @param address the hardware address that it is given; all zero if it may choose
 * @param vlan the VLAN that it is put into; 0 for none
 * @param vlanPriority the priority in that VLAN
 * @param minRate the bandwidth that it is sure of, in Mbit/s; 0 for none
 * @param maxRate the bandwidth that it is limited to, in Mbit/s; 0 for no limit
 * @param spoofCheck whether packets from other addresses are dropped
 * @param trusted whether it may change what only trusted functions may
 * @param linkState whether its link follows that of the physical function
 * @param nodeGuid the GUID of the InfiniBand node, if it has one
 * @param portGuid the GUID of the InfiniBand port, if it has one
 */
public record VirtualFunction(
    int number,
    HardwareAddress address,
    int vlan,
    int vlanPriority,
    int minRate,
    int maxRate,
    boolean spoofCheck,
    boolean trusted,
    LinkState linkState,
    OptionalLong nodeGuid,
    OptionalLong portGuid) {

  /** How the link of a virtual function behaves; in the kernel's order. */
  public enum LinkState {
    /** It follows the physical function. */
    AUTO,
    /** It is always up. */
    ENABLE,
    /** It is always down. */
    DISABLE
  }
}
