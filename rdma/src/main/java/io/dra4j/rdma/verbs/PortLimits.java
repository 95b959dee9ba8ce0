package io.dra4j.rdma.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The limits and addresses of a port of an RDMA device, as libibverbs reports them.
 *
 * @param number the number of the port, from 1
 * @param values the numbers of {@code struct ibv_port_attr}
 * @param gids the addresses of the port that are in use, by index in the table
 * @param pkeys the partition keys of the port that are in use, by index in the table
 */
public record PortLimits(
    int number, Map<PortField, Long> values, List<VerbsGid> gids, List<Integer> pkeys) {

  private static final int SMALLEST_MTU = 128; // of enum ibv_mtu: 1 is 256

  /** Copies the collections. {@inheritDoc} */
  public PortLimits {
    Map<PortField, Long> copy = new EnumMap<>(PortField.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
    gids = List.copyOf(gids);
    pkeys = List.copyOf(pkeys);
  }

  /** {@return the largest packet that the port can send, in payload bytes; absent if unknown} */
  public OptionalInt maxMtu() {
    return mtu(PortField.MAX_MTU);
  }

  /** {@return the largest packet that the port now sends, in payload bytes; absent if unknown} */
  public OptionalInt activeMtu() {
    return mtu(PortField.ACTIVE_MTU);
  }

  private OptionalInt mtu(PortField field) {
    long number = values.getOrDefault(field, 0L);
    return number < 1 || number > 5
        ? OptionalInt.empty()
        : OptionalInt.of(SMALLEST_MTU << (int) number);
  }
}
