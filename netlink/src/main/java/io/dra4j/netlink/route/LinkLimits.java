package io.dra4j.netlink.route;

/**
 * Limits of a link, which are the same for most links of a host. Limits that the kernel does not
 * report are 0.
 *
 * @param minMtu the smallest MTU in bytes ({@code IFLA_MIN_MTU})
 * @param maxMtu the largest MTU in bytes ({@code IFLA_MAX_MTU}); 0 for no limit
 * @param sendQueueLength the maximum number of packets that wait to be sent ({@code IFLA_TXQLEN})
 * @param sendQueues the number of queues for sending ({@code IFLA_NUM_TX_QUEUES})
 * @param receiveQueues the number of queues for receiving ({@code IFLA_NUM_RX_QUEUES})
 * @param gsoMaxSegments the maximum number of segments of a GSO packet ({@code IFLA_GSO_MAX_SEGS})
 * @param gsoMaxSize the maximum size of a GSO packet, which is segmented later, in bytes ({@code
 *     IFLA_GSO_MAX_SIZE})
 * @param gsoIpv4MaxSize the maximum size of an IPv4 GSO packet, in bytes ({@code
 *     IFLA_GSO_IPV4_MAX_SIZE})
 * @param groMaxSize the maximum size of a packet that GRO combines, in bytes ({@code
 *     IFLA_GRO_MAX_SIZE})
 * @param groIpv4MaxSize the maximum size of an IPv4 packet that GRO combines, in bytes ({@code
 *     IFLA_GRO_IPV4_MAX_SIZE})
 * @param tsoMaxSize the maximum size of a packet that the hardware segments, in bytes ({@code
 *     IFLA_TSO_MAX_SIZE})
 * @param tsoMaxSegments the maximum number of segments of a packet that the hardware segments
 *     ({@code IFLA_TSO_MAX_SEGS})
 */
public record LinkLimits(
    int minMtu,
    int maxMtu,
    int sendQueueLength,
    int sendQueues,
    int receiveQueues,
    int gsoMaxSegments,
    int gsoMaxSize,
    int gsoIpv4MaxSize,
    int groMaxSize,
    int groIpv4MaxSize,
    int tsoMaxSize,
    int tsoMaxSegments) {

  /** All limits unknown. */
  static final LinkLimits NONE = new LinkLimits(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The attributes of the limits, in this order. */
  static final int[] TYPES =
      LinkTables.types(
          "MIN_MTU MAX_MTU TXQLEN NUM_TX_QUEUES NUM_RX_QUEUES GSO_MAX_SEGS GSO_MAX_SIZE "
              + "GSO_IPV4_MAX_SIZE GRO_MAX_SIZE GRO_IPV4_MAX_SIZE TSO_MAX_SIZE TSO_MAX_SEGS");

  /** Returns limits from numbers in the order of {@link #TYPES}. */
  static LinkLimits of(int[] n) {
    return new LinkLimits(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11]);
  }
}
