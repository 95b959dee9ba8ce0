package io.dra4j.netlink.route;

/**
 * The counters of a link ({@code IFLA_STATS64}, {@code struct rtnl_link_stats64}); counters that
 * the kernel does not have are 0. Values are unsigned. Immutable.
 *
 * <pre>{@code
 * route.links().get("eth0").statistics().ifPresent(s -> System.out.println(s.receivedBytes()));
 * }</pre>
 */
public final class LinkStatistics {

  static final int COUNT = 25;

  private final long[] counters;

  /** Takes over the array. */
  LinkStatistics(long[] counters) {
    this.counters = counters;
  }

  /** {@return how many packets were received ({@code rx_packets})} */
  public long receivedPackets() {
    return counters[0];
  }

  /** {@return how many packets were sent ({@code tx_packets})} */
  public long sentPackets() {
    return counters[1];
  }

  /** {@return how many bytes were received ({@code rx_bytes})} */
  public long receivedBytes() {
    return counters[2];
  }

  /** {@return how many bytes were sent ({@code tx_bytes})} */
  public long sentBytes() {
    return counters[3];
  }

  /** {@return how many received packets had errors of any kind ({@code rx_errors})} */
  public long receiveErrors() {
    return counters[4];
  }

  /** {@return how many packets could not be sent for any reason ({@code tx_errors})} */
  public long sendErrors() {
    return counters[5];
  }

  /** {@return how many packets were received and dropped ({@code rx_dropped})} */
  public long receivedDropped() {
    return counters[6];
  }

  /** {@return how many packets were dropped instead of being sent ({@code tx_dropped})} */
  public long sendDropped() {
    return counters[7];
  }

  /** {@return how many multicast packets were received ({@code multicast})} */
  public long multicast() {
    return counters[8];
  }

  /**
   * {@return the value of the counter at a place}
   *
   * @param place its place in {@code struct rtnl_link_stats64}, from 0, for example 12 for {@code
   *     rx_crc_errors}
   * @throws IndexOutOfBoundsException if the structure has no such place
   */
  public long counter(int place) {
    return counters[place];
  }
}
