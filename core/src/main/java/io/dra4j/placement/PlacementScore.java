package io.dra4j.placement;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.DeviceId;
import io.dra4j.topology.PathType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How good the devices of an allocation are together. Of two scores of one {@link PlacementPolicy},
 * the greater one is the one that this policy would choose.
 *
 * @param gigabytesPerSecond what the pairs of GPUs and NICs carry together, in one direction; for
 *     GPUs without NICs what a ring over them carries by NVLink at most; 0 where neither is known
 * @param upperBoundGigabytesPerSecond no set of as many devices of this server carries more, even
 *     without other users
 * @param pairs the pairs, each GPU and each NIC in one at most, so that they carry most
 * @param paths the number of pairs by the type of their path
 * @param rails the places of the NICs among those of the server, by PCI address; NICs of the same
 *     rail of two servers are usually on the same switch of the network
 * @param numaNodes over how many NUMA nodes the devices are spread; of a server with one of them,
 *     over how many of its widest groups of devices; 0 where no such groups are known
 * @param fragmentationChange how much what stays free has lost, as a negative number. The terms are
 *     1 for each pair that is no longer to be had, 0.25 for each pair of a group of devices that
 *     was completely free, 0.5 for a NUMA node, 1 for a server, 0.1 for each device left without a
 *     partner. The sum is above 0 where the chosen devices had none
 * @param nvLinkGigabytesPerSecond what a ring over the GPUs carries by NVLink at most, as much as
 *     the links of the one that is connected worst; 0 if not known, or if NVLink connects them in
 *     parts only
 * @param explanation the same in one sentence, with the notes
 * @param notes what the sentence says of how the devices were chosen, as that there may be better
 *     ones
 * @param rank what a policy compares, the most important number first
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
   * @param path how far apart they are
   * @param gigabytesPerSecond what the path carries in one direction, what it shares with the other
   *     pairs considered
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
   * Returns how much of what is possible the devices carry.
   *
   * @return from 0 to 1; 1 where nothing is known
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

  /** The explanation. */
  @Override
  public String toString() {
    return explanation;
  }
}
