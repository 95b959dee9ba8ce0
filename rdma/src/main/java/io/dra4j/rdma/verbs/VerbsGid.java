package io.dra4j.rdma.verbs;

import java.util.OptionalInt;

/**
 * An entry of the GID table of an RDMA port, as libibverbs reports it.
 *
 * @param index the index in the table, from 0
 * @param value the GID as Linux writes it, eight groups of four digits, for example {@code
 *     fe80:0000:0000:0000:0002:c903:00f9:bfa1}
 * @param type the type as Linux writes it: {@code IB/RoCE v1} or {@code RoCE v2}; empty if the
 *     library is too old to report it or the type too new
 * @param netdevIndex the index of the network device that has this address; absent if there is none
 */
public record VerbsGid(int index, String value, String type, OptionalInt netdevIndex) {}
