package io.dra4j.spi;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the GID table of an RDMA port: an address of the port. Unused entries of the table
 * are not represented.
 *
 * @param index the index in the table, from 0
 * @param value eight groups of four digits as Linux writes them, for example {@code
 *     fe80:0000:0000:0000:0002:c903:00f9:bfa1}
 * @param type as Linux writes it: {@code IB/RoCE v1} or {@code RoCE v2}; empty if not known
 * @param netdev the network device that has this address, which can be a VLAN on the network device
 *     of the port; null if there is none or it is in another network namespace
 */
public record RdmaGid(int index, String value, String type, @Nullable String netdev) {}
