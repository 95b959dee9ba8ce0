package io.dra4j.placement.gang;

import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.policy.PolicyName;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.topology.PathType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How good a plan for a gang is. The greater one of two scores is better: it carries more, or has
 * nearer pairs that carry the same, then has fewer lost rails, then is nearer in the network, then
 * is spread over fewer NUMA nodes, then leaves more that is useful.
 *
 * @param gigabytesPerSecond what the pairs of GPUs and NICs of all servers carry together, in one
 *     direction
 * @param upperBoundGigabytesPerSecond what so many devices of these servers could carry without
 *     else used them
 * @param lostRails how many NICs of the server with fewest of them have no partner on the same rail
 *     of every other server with NICs of the gang; 0 on one server, whose pods need no rail
 * @param distance 0 for one server, 1 for servers in one domain of the finest level of the network,
 *     and one more for each coarser level; one more than there are levels where no domain holds all
 * @param level the node label of this level; empty for one server, and where no domain holds all
 * @param servers what the devices of the gang are worth on each server, by the name of its node
 * @param proven whether it is known that no plan is better
 */
public record GangScore(
    double gigabytesPerSecond,
    double upperBoundGigabytesPerSecond,
    int lostRails,
    int distance,
    String level,
    Map<String, PlacementScore> servers,
    boolean proven)
    implements Comparable<GangScore> {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public GangScore {
    servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
  }

  /**
   * Returns how much what stays free has lost on all servers, as {@link
   * PlacementScore#fragmentationChange} counts it.
   *
   * @return a negative number or 0; above 0 where most of the devices had no partner
   */
  public double fragmentationChange() {
    double sum = servers.values().stream().mapToDouble(PlacementScore::fragmentationChange).sum();
    return Math.round(sum * 100) / 100.0; // the same for equal plans, in whatever order they add up
  }

  /** The same, of which it is not known whether another plan is better. */
  GangScore unproven() {
    return new GangScore(
        gigabytesPerSecond,
        upperBoundGigabytesPerSecond,
        lostRails,
        distance,
        level,
        servers,
        false);
  }

  /** The explanation. */
  @Override
  public String toString() {
    return explanation();
  }

  /**
   * Says what is good or bad about the plan.
   *
   * @return one sentence, for people
   */
  public String explanation() {
    String network =
        servers.size() == 1 ? "" : level.isEmpty() ? "" : ", in one domain of " + level;
    return "%s of at most %s GB/s, %s%s%s"
        .formatted(
            text(gigabytesPerSecond),
            text(upperBoundGigabytesPerSecond),
            places(),
            network,
            proven ? "" : "; there may be a better plan");
  }

  /** The servers, and whether their NICs have partners on their rails. */
  private String places() {
    int[] nics =
        servers.values().stream()
            .mapToInt(score -> score.rails().size())
            .filter(count -> count > 0)
            .sorted()
            .toArray();
    if (servers.size() == 1) {
      return "on one server, which needs no rails";
    } else if (nics.length < 2) {
      return "on %d servers".formatted(servers.size());
    } else if (lostRails == 0 && nics[0] == nics[nics.length - 1]) {
      return nics.length == servers.size()
          ? "on equal rails of %d servers".formatted(servers.size())
          : "on %d servers, on equal rails of the %d with NICs"
              .formatted(servers.size(), nics.length);
    }
    return "on %d servers, with a partner on its rail for %d of the %d NICs of the one with fewest"
        .formatted(servers.size(), nics[0] - lostRails, nics[0]);
  }

  private static String text(double number) {
    String text = String.format(Locale.ROOT, "%.1f", number);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /**
   * Compares the scores of two plans for one gang.
   *
   * @param score the other score
   * @return positive if this one is better
   */
  @Override
  public int compareTo(GangScore score) {
    int byRate = Long.compare(units(true), score.units(true));
    if (byRate == 0) {
      byRate = Long.compare(units(false), score.units(false));
    }
    if (byRate == 0) {
      byRate = Integer.compare(score.lostRails, lostRails);
    }
    if (byRate == 0) {
      byRate = Integer.compare(score.distance, distance);
    }
    if (byRate == 0) {
      byRate = Integer.compare(score.numaNodes(), numaNodes());
    }
    return byRate != 0
        ? byRate
        : Double.compare(fragmentationChange(), score.fragmentationChange());
  }

  /** Whether a plan is what a policy wants more than another one. */
  boolean isBetterThan(GangScore other, PlacementPolicy policy) {
    if (PolicyEngine.of(policy).name() == PolicyName.FIRST_FIT) {
      return false; // the first one counts
    }
    int byRest =
        PolicyEngine.of(policy).name() == PolicyName.PACK
            ? Double.compare(fragmentationChange(), other.fragmentationChange())
            : 0;
    return byRest != 0 ? byRest > 0 : compareTo(other) > 0;
  }

  private int numaNodes() {
    return servers.values().stream().mapToInt(PlacementScore::numaNodes).sum();
  }

  /** MB/s of all servers, or their pairs by class. */
  private long units(boolean rate) {
    long sum = 0;
    for (PlacementScore score : servers.values()) {
      if (rate) {
        sum += Math.round(score.gigabytesPerSecond() * 1_000);
      } else {
        for (Map.Entry<PathType, Integer> path : score.paths().entrySet()) {
          sum += ServerTree.unit(path.getKey()) * path.getValue();
        }
      }
    }
    return sum;
  }
}
