package io.dra4j.netlink.route;

/**
 * Limits of a link, which most links of a host have in common. What the kernel does not tell is 0.
 *
 * @param minMtu the smallest MTU in bytes
 * @param maxMtu the largest MTU in bytes; 0 for no limit
 * @param sendQueueLength how many packets may wait to be sent ({@code txqueuelen})
 * @param sendQueues how many queues there are for sending
 * @param receiveQueues how many queues there are for receiving
 * @param gsoMaxSegments how many segments a large packet may have
 * @param gsoMaxSize the largest packet to be cut later, in bytes
 * @param gsoIpv4MaxSize the same for IPv4
 * @param groMaxSize the largest packet to be put together, in bytes
 * @param groIpv4MaxSize the same for IPv4
 * @param tsoMaxSize the largest packet that the hardware cuts, in bytes
 * @param tsoMaxSegments how many segments it cuts it into
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
    int tsoMaxSegments) {}
