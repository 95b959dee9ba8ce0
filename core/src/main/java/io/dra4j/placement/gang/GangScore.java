package io.dra4j.placement.gang;

import io.dra4j.placement.PlacementScore;
import java.util.Map;

/**
 * The quality of a plan for a gang. The greater one of two scores is better. Scores compare, in
 * this order: more bandwidth; nearer pairs; fewer lost rails; nearer servers in the network; fewer
 * NUMA nodes; more useful remaining devices. Later releases may add methods.
 */
public sealed interface GangScore extends Comparable<GangScore> permits PlanScore {

  /** {@return the bandwidth of the GPU-NIC pairs of all servers, in GB/s in one direction} */
  double gigabytesPerSecond();

  /**
   * {@return the bandwidth that so many devices of these servers could have without other users, in
   * GB/s in one direction}
   */
  double upperBoundGigabytesPerSecond();

  /**
   * {@return the number of NICs, on the server with the fewest NICs of the gang, without a partner
   * on the same rail of every other server with NICs of the gang; 0 on one server, which needs no
   * rail}
   */
  int lostRails();

  /**
   * {@return the network distance of the servers: 0 for one server, 1 in one domain of the finest
   * level, one more for each coarser level; the number of levels plus 1 if no domain holds all}
   */
  int distance();

  /** {@return the node label of the distance; empty for one server, or if no domain holds all} */
  String level();

  /** {@return the score of the devices of the gang on each server, by the name of the node} */
  Map<String, PlacementScore> servers();

  /** {@return whether the plan is proven to be the best} */
  boolean proven();

  /**
   * {@return the loss of the free devices on all servers, as {@link
   * PlacementScore#fragmentationChange} counts it; a negative number or 0, but above 0 if most of
   * the devices had no partner}
   */
  double fragmentationChange();

  /** {@return the strengths and weaknesses of the plan, in one sentence for readers} */
  String explanation();
}
