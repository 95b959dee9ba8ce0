package io.dra4j.placement.gang;

import io.dra4j.placement.PlacementScore;
import java.util.Map;

/**
 * The quality of a plan for a gang. The greater one of two scores is better. Scores compare, in
 * this order: more bandwidth; nearer pairs; fewer lost rails; nearer servers in the network; fewer
 * NUMA nodes; more useful remaining devices. Later releases may add methods.
 */
public sealed interface GangScore extends Comparable<GangScore> permits PlanScore {

  /**
   * Returns the total bandwidth of the pairs of GPUs and NICs of all servers.
   *
   * @return GB/s in one direction
   */
  double gigabytesPerSecond();

  /**
   * Returns the bandwidth that so many devices of these servers could have without other users.
   *
   * @return GB/s in one direction
   */
  double upperBoundGigabytesPerSecond();

  /**
   * Returns, on the server with the fewest NICs of the gang, the number of NICs without a partner
   * on the same rail of every other server with NICs of the gang.
   *
   * @return the number; 0 on one server, whose pods need no rail
   */
  int lostRails();

  /**
   * Returns the distance of the servers in the network.
   *
   * @return 0 for one server, 1 for servers in one domain of the finest level of the network, and
   *     one more for each coarser level; the number of levels plus 1 if no domain holds all servers
   */
  int distance();

  /**
   * Returns the node label of the level of the distance.
   *
   * @return the label; empty for one server, and if no domain holds all servers
   */
  String level();

  /**
   * Returns the score of the devices of the gang on each server.
   *
   * @return the scores by the name of the node
   */
  Map<String, PlacementScore> servers();

  /**
   * Returns whether it is known that no plan is better.
   *
   * @return whether the plan is proven to be the best
   */
  boolean proven();

  /**
   * Returns the loss of the free devices on all servers, as {@link
   * PlacementScore#fragmentationChange} counts it.
   *
   * @return a negative number or 0; above 0 if most of the devices had no partner
   */
  double fragmentationChange();

  /**
   * Returns the strengths and weaknesses of the plan.
   *
   * @return one sentence, for readers
   */
  String explanation();
}
