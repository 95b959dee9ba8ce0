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
   * Returns the total bandwidth of the pairs of GPUs and NICs; for GPUs without NICs the bandwidth
   * of a ring over NVLink, at most.
   *
   * @return GB/s in one direction; 0 if neither is known
   */
  @Override
  double gigabytesPerSecond();

  /**
   * Returns an upper bound of the bandwidth of every set of as many devices of this server, even
   * without other users.
   *
   * @return GB/s in one direction
   */
  @Override
  double upperBoundGigabytesPerSecond();

  /**
   * Returns the pairs with the greatest total bandwidth.
   *
   * @return the pairs; each GPU and each NIC is in at most one of them
   */
  List<Pair> pairs();

  /**
   * Returns the number of pairs by the type of their path.
   *
   * @return a count above 0 for each type, the nearest type first
   */
  Map<PathType, Integer> paths();

  /**
   * Returns the positions of the NICs on the server, in the order of PCI addresses. NICs of the
   * same rail of two servers are usually on the same network switch.
   *
   * @return the positions, from 0
   */
  List<Integer> rails();

  /**
   * Returns the number of NUMA nodes over which the devices are spread; on a server with one NUMA
   * node, the number of its widest groups of devices.
   *
   * @return the number; 0 if no such groups are known
   */
  int numaNodes();

  /**
   * Returns the loss of the devices that stay free, as a negative number. The terms are: 1 for each
   * pair that can no longer be allocated; 0.25 for each pair of a group of devices that was
   * completely free; 0.5 for such a NUMA node; 1 for such a server; 0.1 for each device left
   * without a partner.
   *
   * @return the sum; above 0 if the chosen devices had no partners
   */
  double fragmentationChange();

  /**
   * Returns the bandwidth of a ring over the GPUs by NVLink, at most: the total rate of the links
   * of the GPU with the slowest connection.
   *
   * @return GB/s; 0 if it is not known, or if NVLink does not connect all of the GPUs
   */
  double nvLinkGigabytesPerSecond();

  /**
   * Returns the parts of the explanation about the way in which the devices were chosen, for
   * example that better ones may exist.
   *
   * @return the notes; empty if there are none
   */
  List<String> notes();

  /**
   * Returns the numbers that a policy compares.
   *
   * @return the numbers, the most important number first
   */
  List<Long> rank();

  /**
   * Returns the bandwidth of the devices as a share of the upper bound.
   *
   * @return from 0 to 1; 1 if no bandwidth is known
   */
  default double alignment() {
    return upperBoundGigabytesPerSecond() <= 0
        ? 1
        : Math.min(1, gigabytesPerSecond() / upperBoundGigabytesPerSecond());
  }

  /**
   * Compares two scores of one policy.
   *
   * @param score the other score
   * @return positive if this one is better; scores of other kinds are compared by GB/s
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
