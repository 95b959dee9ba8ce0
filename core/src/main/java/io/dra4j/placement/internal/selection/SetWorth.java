package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.topology.PathType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The worth of a set, without the names of its devices, so that servers of one kind share it.
 *
 * @param objective the objective of the comparison
 * @param before the devices and links that were in use before
 * @param preferred the preferred maximum distance of pairs; null for any distance
 * @param required the required maximum distance of pairs; null for any distance
 * @param gpus the GPUs of the set
 * @param nics the NICs of the set
 * @param pairs the pairs with the most bandwidth
 * @param paths the number of pairs by the type of their path
 * @param carried the total bandwidth of the pairs, or of a ring over the GPUs without NICs, in GB/s
 * @param bound the upper bound of the bandwidth of any set of this size, in GB/s
 * @param rails the rails of the NICs
 * @param numaNodes the number of NUMA nodes over which the set is spread
 * @param change the loss of the devices that stay free, as a negative number
 * @param ring the bandwidth of an NVLink ring over the GPUs, in GB/s
 * @param explanation the worth in one sentence
 * @param rank the numbers that a policy compares, the most important number first
 */
public record SetWorth(
    Objective objective,
    ServerOccupancy before,
    @Nullable PathType preferred,
    @Nullable PathType required,
    long gpus,
    long nics,
    List<Pair> pairs,
    Map<PathType, Integer> paths,
    double carried,
    double bound,
    List<Integer> rails,
    int numaNodes,
    double change,
    double ring,
    String explanation,
    List<Long> rank) {

  /**
   * A GPU and the NIC that serves it, by their positions on the server.
   *
   * @param gigabytesPerSecond the bandwidth of the pair in one direction
   */
  public record Pair(int gpu, int nic, PathType path, double gigabytesPerSecond) {}
}
