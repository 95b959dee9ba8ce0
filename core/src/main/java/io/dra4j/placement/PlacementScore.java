package io.dra4j.placement;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.DeviceId;
import io.dra4j.topology.PathType;
import java.util.List;
import java.util.Map;

/**
 * The quality of the devices of an allocation as a set. Of two scores of one {@link
 * PlacementPolicy}, this policy would choose the allocation with the greater score. Policies create
 * the scores; later releases may add methods.
 */
public interface PlacementScore extends Score {

  /**
   * A GPU and the NIC that serves it.
   *
   * @param gpu the GPU, or another accelerator
   * @param nic the NIC
   * @param path the distance between the GPU and the NIC
   * @param gigabytesPerSecond the bandwidth of the path in one direction, reduced by the traffic of
   *     other pairs on shared links
   */
  record Pair(DeviceId gpu, DeviceId nic, PathType path, double gigabytesPerSecond) {}

  /**
   * {@return the total bandwidth of the pairs of GPUs and NICs, in GB/s in one direction; for GPUs
   * without NICs the bandwidth of a ring over NVLink, at most; 0 if neither is known}
   */
  @Override
  double gigabytesPerSecond();

  /**
   * {@return an upper bound of the bandwidth of every set of as many devices of this server, even
   * without other users, in GB/s in one direction}
   */
  @Override
  double upperBoundGigabytesPerSecond();

  /** {@return the pairs with the most bandwidth in total; a device is in at most one of them} */
  List<Pair> pairs();

  /** {@return the number of pairs by the type of their path, above 0, the nearest type first} */
  Map<PathType, Integer> paths();

  /**
   * {@return the positions of the NICs on the server, from 0, in the order of PCI addresses} NICs
   * of the same rail of two servers are usually on the same network switch.
   */
  List<Integer> rails();

  /**
   * {@return the number of NUMA nodes over which the devices are spread; on a server with one NUMA
   * node, the number of its widest groups of devices; 0 if no such groups are known}
   */
  int numaNodes();

  /**
   * {@return the loss of the devices that stay free, as a negative number; above 0 if the chosen
   * devices had no partners} The sum of: 1 for each pair that can no longer be allocated; 0.25 for
   * each pair of a group of devices that was completely free; 0.5 for such a NUMA node; 1 for such
   * a server; 0.1 for each device left without a partner.
   */
  double fragmentationChange();

  /**
   * {@return the bandwidth of a ring over the GPUs by NVLink, at most, in GB/s: the total rate of
   * the links of the GPU with the slowest connection; 0 if unknown, or if NVLink does not connect
   * all GPUs}
   */
  double nvLinkGigabytesPerSecond();

  /**
   * {@return the parts of the explanation about the way in which the devices were chosen, for
   * example that better ones may exist; empty if there are none}
   */
  List<String> notes();

  /** {@return the numbers that a policy compares, the most important number first} */
  List<Long> rank();

  /** {@return the bandwidth as a share of the upper bound, 0 to 1; 1 if no bandwidth is known} */
  default double alignment() {
    return upperBoundGigabytesPerSecond() <= 0
        ? 1
        : Math.min(1, gigabytesPerSecond() / upperBoundGigabytesPerSecond());
  }

  /**
   * {@return positive if this score is better; scores of other kinds are compared by GB/s}
   *
   * @param score the other score
   */
  @Override
  default int compareTo(Score score) {
    if (score instanceof PlacementScore placement) {
      List<Long> own = rank();
      List<Long> compared = placement.rank();
      for (int i = 0; i < Math.min(own.size(), compared.size()); i++) {
        int byRank = Long.compare(own.get(i), compared.get(i));
        if (byRank != 0) {
          return byRank;
        }
      }
      return Integer.compare(own.size(), compared.size());
    }
    return Double.compare(gigabytesPerSecond(), score.gigabytesPerSecond());
  }
}
