package io.dra4j.netlink.route;

import org.jspecify.annotations.Nullable;

/** Collects the limits of a link, and gives equal ones the object of the link before. */
final class LimitsDecoder {

  int minMtu;
  int maxMtu;
  int sendQueueLength;
  int sendQueues;
  int receiveQueues;
  int gsoMaxSegments;
  int gsoMaxSize;
  int gsoIpv4MaxSize;
  int groMaxSize;
  int groIpv4MaxSize;
  int tsoMaxSize;
  int tsoMaxSegments;
  private @Nullable LinkLimits last;

  void clear() {
    minMtu = 0;
    maxMtu = 0;
    sendQueueLength = 0;
    sendQueues = 0;
    receiveQueues = 0;
    gsoMaxSegments = 0;
    gsoMaxSize = 0;
    gsoIpv4MaxSize = 0;
    groMaxSize = 0;
    groIpv4MaxSize = 0;
    tsoMaxSize = 0;
    tsoMaxSegments = 0;
  }

  LinkLimits limits() {
    LinkLimits known = last;
    if (known != null && same(known)) {
      return known;
    }
    LinkLimits limits =
        new LinkLimits(
            minMtu,
            maxMtu,
            sendQueueLength,
            sendQueues,
            receiveQueues,
            gsoMaxSegments,
            gsoMaxSize,
            gsoIpv4MaxSize,
            groMaxSize,
            groIpv4MaxSize,
            tsoMaxSize,
            tsoMaxSegments);
    last = limits;
    return limits;
  }

  private boolean same(LinkLimits known) {
    return known.minMtu() == minMtu
        && known.maxMtu() == maxMtu
        && known.sendQueueLength() == sendQueueLength
        && known.sendQueues() == sendQueues
        && known.receiveQueues() == receiveQueues
        && known.gsoMaxSegments() == gsoMaxSegments
        && known.gsoMaxSize() == gsoMaxSize
        && known.gsoIpv4MaxSize() == gsoIpv4MaxSize
        && known.groMaxSize() == groMaxSize
        && known.groIpv4MaxSize() == groIpv4MaxSize
        && known.tsoMaxSize() == tsoMaxSize
        && known.tsoMaxSegments() == tsoMaxSegments;
  }
}
