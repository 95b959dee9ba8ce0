package io.dra4j.netlink.route;

/**
 * Limits of a link, which most links of a host have in common. What the kernel does not report is
 * 0.
 *
 * @param minMtu the smallest MTU in bytes ({@code IFLA_MIN_MTU})
 * @param maxMtu the largest MTU in bytes ({@code IFLA_MAX_MTU}); 0 for no limit
 * @param sendQueueLength how many packets may wait to be sent ({@code IFLA_TXQLEN})
 * @param sendQueues how many queues there are for sending ({@code IFLA_NUM_TX_QUEUES})
 * @param receiveQueues how many queues there are for receiving ({@code IFLA_NUM_RX_QUEUES})
 * @param gsoMaxSegments how many segments a large packet may have ({@code IFLA_GSO_MAX_SEGS})
 * @param gsoMaxSize the largest packet to be cut later, in bytes ({@code IFLA_GSO_MAX_SIZE})
 * @param gsoIpv4MaxSize the largest IPv4 packet to be cut later, in bytes ({@code
 *     IFLA_GSO_IPV4_MAX_SIZE})
 * @param groMaxSize the largest packet to be put together, in bytes ({@code IFLA_GRO_MAX_SIZE})
 * @param groIpv4MaxSize the largest IPv4 packet to be put together, in bytes ({@code
 *     IFLA_GRO_IPV4_MAX_SIZE})
 * @param tsoMaxSize the largest packet that the hardware cuts, in bytes ({@code IFLA_TSO_MAX_SIZE})
 * @param tsoMaxSegments how many segments the hardware cuts a packet into ({@code
 *     IFLA_TSO_MAX_SEGS})
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

  /** Nothing is known. */
  static final LinkLimits NONE = new LinkLimits(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The attributes that hold them, in this order. */
  static final int[] TYPES =
      LinkTables.types(
          "MIN_MTU MAX_MTU TXQLEN NUM_TX_QUEUES NUM_RX_QUEUES GSO_MAX_SEGS GSO_MAX_SIZE "
              + "GSO_IPV4_MAX_SIZE GRO_MAX_SIZE GRO_IPV4_MAX_SIZE TSO_MAX_SIZE TSO_MAX_SEGS");

  /** Of numbers in the order of {@link #TYPES}. */
  static LinkLimits of(int[] n) {
    return new LinkLimits(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11]);
  }
}
