package io.dra4j.placement;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.DeviceId;
import io.dra4j.topology.PathType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The quality of the devices of an allocation as a set. Of two scores of one {@link
 * PlacementPolicy}, this policy would choose the allocation with the greater score.
 *
 * @param gigabytesPerSecond the total bandwidth of the pairs of GPUs and NICs, in one direction;
 *     for GPUs without NICs the bandwidth of a ring over NVLink, at most; 0 if neither is known
 * @param upperBoundGigabytesPerSecond an upper bound of the bandwidth of every set of as many
 *     devices of this server, even without other users
 * @param pairs the pairs with the greatest total bandwidth; each GPU and each NIC is in at most one
 *     pair
 * @param paths the number of pairs by the type of their path
 * @param rails the positions of the NICs on the server, in the order of PCI addresses; NICs of the
 *     same rail of two servers are usually on the same network switch
 * @param numaNodes the number of NUMA nodes over which the devices are spread; on a server with one
 *     NUMA node, the number of its widest groups of devices; 0 if no such groups are known
 * @param fragmentationChange the loss of the devices that stay free, as a negative number. The
 *     terms are: 1 for each pair that can no longer be allocated; 0.25 for each pair of a group of
 *     devices that was completely free; 0.5 for such a NUMA node; 1 for such a server; 0.1 for each
 *     device left without a partner. The sum is above 0 if the chosen devices had no partners
 * @param nvLinkGigabytesPerSecond the bandwidth of a ring over the GPUs by NVLink, at most: the
 *     total rate of the links of the GPU with the slowest connection; 0 if it is not known, or if
 *     NVLink does not connect all of the GPUs
 * @param explanation the score in one sentence, with the notes
 * @param notes the parts of the sentence about the way in which the devices were chosen, for
 *     example that better ones may exist
 * @param rank the numbers that a policy compares, the most important number first
 */
public record PlacementScore(
    double gigabytesPerSecond,
    double upperBoundGigabytesPerSecond,
    List<Pair> pairs,
    Map<PathType, Integer> paths,
    List<Integer> rails,
    int numaNodes,
    double fragmentationChange,
    double nvLinkGigabytesPerSecond,
    String explanation,
    List<String> notes,
    List<Long> rank)
    implements Score {

  /**
   * A GPU and the NIC that serves it.
   *
   * @param gpu the GPU, or another accelerator
   * @param nic the NIC
   * @param path the distance between the GPU and the NIC
   * @param gigabytesPerSecond the bandwidth of the path in one direction, reduced by the traffic of
   *     other pairs on shared links
   */
  public record Pair(DeviceId gpu, DeviceId nic, PathType path, double gigabytesPerSecond) {}

  /** Copies lists and maps. {@inheritDoc} */
  public PlacementScore {
    pairs = List.copyOf(pairs);
    EnumMap<PathType, Integer> sorted = new EnumMap<>(PathType.class);
    sorted.putAll(paths);
    paths = Collections.unmodifiableMap(sorted);
    rails = List.copyOf(rails);
    notes = List.copyOf(notes);
    rank = List.copyOf(rank);
  }

  /**
   * Returns the bandwidth of the devices as a share of the upper bound.
   *
   * @return from 0 to 1; 1 if no bandwidth is known
   */
  public double alignment() {
    return upperBoundGigabytesPerSecond <= 0
        ? 1
        : Math.min(1, gigabytesPerSecond / upperBoundGigabytesPerSecond);
  }

  /**
   * Compares two scores of one policy.
   *
   * @param score the other score
   * @return positive if this one is better; scores of other kinds are compared by GB/s
   */
  @Override
  public int compareTo(Score score) {
    if (score instanceof PlacementScore placement) {
      for (int i = 0; i < Math.min(rank.size(), placement.rank.size()); i++) {
        int byRank = Long.compare(rank.get(i), placement.rank.get(i));
        if (byRank != 0) {
          return byRank;
        }
      }
      return Integer.compare(rank.size(), placement.rank.size());
    }
    return Double.compare(gigabytesPerSecond, score.gigabytesPerSecond());
  }

  /** Returns the explanation. */
  @Override
  public String toString() {
    return explanation;
  }
}
