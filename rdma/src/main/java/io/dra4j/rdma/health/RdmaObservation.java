package io.dra4j.rdma.health;

import io.dra4j.spi.RdmaDevice;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The RDMA devices of a host at one moment.
 *
 * @param at the moment
 * @param devices all devices of the host, with the states of their ports
 * @param counters the counters of ports, where they were read
 */
public record RdmaObservation(Instant at, List<RdmaDevice> devices, List<PortCounters> counters) {

  /** Copies the lists. {@inheritDoc} */
  public RdmaObservation {
    devices = List.copyOf(devices);
    counters = List.copyOf(counters);
  }

  /**
   * Counters of a port.
   *
   * @param device the name of the RDMA device
   * @param port the number of the port, from 1
   * @param values the counters by their names in {@code /sys}, as unsigned 64-bit numbers ({@link
   *     Long#toUnsignedString(long)})
   */
  public record PortCounters(String device, int port, Map<String, Long> values) {

    /** Copies the counters. {@inheritDoc} */
    public PortCounters {
      values = Map.copyOf(values);
    }
  }
}
