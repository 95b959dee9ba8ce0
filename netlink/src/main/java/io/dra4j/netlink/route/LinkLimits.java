package io.dra4j.netlink.route;

/**
 * Limits of a link, which most links of a host have in common. What the kernel does not tell is 0.
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

  private static final int MIN_MTU = LinkTables.LINK.type("MIN_MTU");
  private static final int MAX_MTU = LinkTables.LINK.type("MAX_MTU");
  private static final int TXQLEN = LinkTables.LINK.type("TXQLEN");
  private static final int NUM_TX_QUEUES = LinkTables.LINK.type("NUM_TX_QUEUES");
  private static final int NUM_RX_QUEUES = LinkTables.LINK.type("NUM_RX_QUEUES");
  private static final int GSO_MAX_SEGS = LinkTables.LINK.type("GSO_MAX_SEGS");
  private static final int GSO_MAX_SIZE = LinkTables.LINK.type("GSO_MAX_SIZE");
  private static final int GSO_IPV4_MAX_SIZE = LinkTables.LINK.type("GSO_IPV4_MAX_SIZE");
  private static final int GRO_MAX_SIZE = LinkTables.LINK.type("GRO_MAX_SIZE");
  private static final int GRO_IPV4_MAX_SIZE = LinkTables.LINK.type("GRO_IPV4_MAX_SIZE");
  private static final int TSO_MAX_SIZE = LinkTables.LINK.type("TSO_MAX_SIZE");
  private static final int TSO_MAX_SEGS = LinkTables.LINK.type("TSO_MAX_SEGS");

  /** These limits if a link's attributes, by type, are the same; otherwise those of the link. */
  LinkLimits orLike(int[] numbers) {
    boolean same =
        minMtu == numbers[MIN_MTU]
            && maxMtu == numbers[MAX_MTU]
            && sendQueueLength == numbers[TXQLEN]
            && sendQueues == numbers[NUM_TX_QUEUES]
            && receiveQueues == numbers[NUM_RX_QUEUES]
            && gsoMaxSegments == numbers[GSO_MAX_SEGS]
            && gsoMaxSize == numbers[GSO_MAX_SIZE]
            && gsoIpv4MaxSize == numbers[GSO_IPV4_MAX_SIZE]
            && groMaxSize == numbers[GRO_MAX_SIZE]
            && groIpv4MaxSize == numbers[GRO_IPV4_MAX_SIZE]
            && tsoMaxSize == numbers[TSO_MAX_SIZE]
            && tsoMaxSegments == numbers[TSO_MAX_SEGS];
    return same
        ? this
        : new LinkLimits(
            numbers[MIN_MTU],
            numbers[MAX_MTU],
            numbers[TXQLEN],
            numbers[NUM_TX_QUEUES],
            numbers[NUM_RX_QUEUES],
            numbers[GSO_MAX_SEGS],
            numbers[GSO_MAX_SIZE],
            numbers[GSO_IPV4_MAX_SIZE],
            numbers[GRO_MAX_SIZE],
            numbers[GRO_IPV4_MAX_SIZE],
            numbers[TSO_MAX_SIZE],
            numbers[TSO_MAX_SEGS]);
  }
}
