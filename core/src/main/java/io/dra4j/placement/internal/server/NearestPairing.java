package io.dra4j.placement.internal.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the pairs of a set with the most bandwidth, so that a caller that divides the set gives
 * both devices of a pair to one claim or pod. On a tree, pairing in the lowest nodes first gives
 * the best pairs for every number of pairs.
 */
public final class NearestPairing {

  /**
   * A GPU and its NIC.
   *
   * @param gpu a mask of one bit
   * @param nic a mask of one bit
   * @param worth the value that the pair adds to a set
   */
  public record Pair(long gpu, long nic, long worth) {}

  private NearestPairing() {}

  /**
   * {@return the best pairs in the order of their GPUs; pairs of one NUMA node, and of one cell
   * there, are adjacent}
   *
   * @param count the most pairs to find
   */
  public static List<Pair> of(ServerTree shape, long gpus, long nics, int count) {
    List<Pair> pairs = new ArrayList<>();
    long leftGpus = gpus;
    long leftNics = nics;
    for (int v = 0; v < shape.nodes; v++) {
      long ofGpus = leftGpus & shape.gpus[v];
      long ofNics = leftNics & shape.nics[v];
      while (ofGpus != 0 && ofNics != 0) {
        long gpu = Long.highestOneBit(ofGpus);
        long nic = Long.highestOneBit(ofNics);
        pairs.add(new Pair(gpu, nic, worth(shape, v)));
        ofGpus &= ~gpu;
        ofNics &= ~nic;
        leftGpus &= ~gpu;
        leftNics &= ~nic;
      }
    }
    if (pairs.size() > count) {
      pairs.sort(Comparator.comparingLong(Pair::worth).reversed());
      pairs.subList(count, pairs.size()).clear();
    }
    pairs.sort(
        Comparator.comparingInt((Pair pair) -> first(shape, pair.gpu, gpus, true))
            .thenComparingInt(pair -> first(shape, pair.gpu, gpus, false))
            .thenComparingInt(pair -> Long.numberOfLeadingZeros(pair.gpu)));
    return pairs;
  }

  private static long worth(ServerTree shape, int node) {
    long sum = 0;
    for (int v = node; v >= 0; v = shape.parent[v]) {
      sum += shape.gain[v];
    }
    return sum;
  }

  /** The first of some GPUs that is in the NUMA node, or the cell, of a given GPU. */
  private static int first(ServerTree shape, long gpu, long gpus, boolean ofNumaNode) {
    for (int v = 0; v < shape.nodes; v++) {
      if ((shape.gpus[v] & gpu) != 0 && (ofNumaNode ? shape.top[v] : shape.cell[v])) {
        return Long.numberOfLeadingZeros(shape.gpus[v] & gpus);
      }
    }
    return Long.numberOfLeadingZeros(gpu);
  }
}
