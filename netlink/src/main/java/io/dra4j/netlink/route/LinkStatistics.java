package io.dra4j.netlink.route;

/**
 * What a link has counted ({@code struct rtnl_link_stats64}); counters never seen by the kernel of
 * this host are 0. Values are unsigned. Immutable.
 */
public final class LinkStatistics {

  static final int COUNT = 25;

  private final long[] counters;

  /** Takes over the array. */
  LinkStatistics(long[] counters) {
    this.counters = counters;
  }

  /**
   * Packets received.
   *
   * @return how many
   */
  public long receivedPackets() {
    return counters[0];
  }

  /**
   * Packets sent.
   *
   * @return how many
   */
  public long sentPackets() {
    return counters[1];
  }

  /**
   * Bytes received.
   *
   * @return how many
   */
  public long receivedBytes() {
    return counters[2];
  }

  /**
   * Bytes sent.
   *
   * @return how many
   */
  public long sentBytes() {
    return counters[3];
  }

  /**
   * Packets that were received broken, of whatever kind.
   *
   * @return how many
   */
  public long receiveErrors() {
    return counters[4];
  }

  /**
   * Packets that could not be sent, for whatever reason.
   *
   * @return how many
   */
  public long sendErrors() {
    return counters[5];
  }

  /**
   * Packets received but dropped.
   *
   * @return how many
   */
  public long receivedDropped() {
    return counters[6];
  }

  /**
   * Packets dropped instead of being sent.
   *
   * @return how many
   */
  public long sendDropped() {
    return counters[7];
  }

  /**
   * Multicast packets received.
   *
   * @return how many
   */
  public long multicast() {
    return counters[8];
  }

  /**
   * Any counter by its place.
   *
   * @param place its place in {@code struct rtnl_link_stats64}, from 0, for example 12 for {@code
   *     rx_crc_errors}
   * @return its value
   * @throws IndexOutOfBoundsException if the structure has no such place
   */
  public long counter(int place) {
    return counters[place];
  }
}
