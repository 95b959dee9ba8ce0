package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.topology.PathType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a set is worth, without the names of its devices, so that servers of one kind share it.
 *
 * @param objective what comes first
 * @param before what was in use before
 * @param preferred how far apart pairs should be at most; null for any distance
 * @param required how far apart pairs have to be at most; null for any distance
 * @param gpus the GPUs of the set
 * @param nics the NICs of the set
 * @param pairs the pairs that carry most
 * @param paths the number of pairs by the type of their path
 * @param carried what the pairs carry together, or a ring over the GPUs without NICs, in GB/s
 * @param bound what no set of this size exceeds, in GB/s
 * @param rails the rails of the NICs
 * @param numaNodes over how many NUMA nodes the set is spread
 * @param change how much what stays free has lost, as a negative number
 * @param ring what a ring over the GPUs carries by NVLink, in GB/s
 * @param explanation the same in one sentence
 * @param rank what a policy compares, the most important number first
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
   * A GPU and the NIC that serves it, by their places on the server.
   *
   * @param gigabytesPerSecond what the pair carries in one direction
   */
  public record Pair(int gpu, int nic, PathType path, double gigabytesPerSecond) {}
}
