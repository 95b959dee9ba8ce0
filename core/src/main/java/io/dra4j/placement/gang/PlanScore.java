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

/** The values of the score of a plan. */
record PlanScore(
    double gigabytesPerSecond,
    double upperBoundGigabytesPerSecond,
    int lostRails,
    int distance,
    String level,
    Map<String, PlacementScore> servers,
    boolean proven)
    implements GangScore {

  /** Copies the map, keeping its order. {@inheritDoc} */
  PlanScore {
    servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
  }

  /** The only implementation of scores. */
  static PlanScore of(GangScore score) {
    return (PlanScore) score;
  }

  @Override
  public double fragmentationChange() {
    double sum = servers.values().stream().mapToDouble(PlacementScore::fragmentationChange).sum();
    return Math.round(sum * 100) / 100.0; // equal for equal plans, in any order of addition
  }

  /** Returns the same score as one of a plan that may not be the best. */
  GangScore unproven() {
    return new PlanScore(
        gigabytesPerSecond,
        upperBoundGigabytesPerSecond,
        lostRails,
        distance,
        level,
        servers,
        false);
  }

  /** Returns the explanation. */
  @Override
  public String toString() {
    return explanation();
  }

  @Override
  public String explanation() {
    String network =
        servers.size() == 1 ? "" : level.isEmpty() ? "" : ", in one domain of " + level;
    String rate =
        upperBoundGigabytesPerSecond > 0
            ? "%s of at most %s GB/s, "
                .formatted(text(gigabytesPerSecond), text(upperBoundGigabytesPerSecond))
            : "without a rate in GB/s, ";
    return rate + places() + network + (proven ? "" : doubt());
  }

  /**
   * The note about a plan that may not be the best. Without a rate, only the devices can differ.
   */
  private String doubt() {
    return upperBoundGigabytesPerSecond > 0 || servers.size() != 1
        ? "; there may be a better plan"
        : "; there may be a plan on fewer NUMA nodes, or one that leaves more useful devices";
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

  @Override
  public int compareTo(GangScore that) {
    PlanScore score = of(that);
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

  /** Whether a policy prefers this plan to another one. */
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

  /** The total of all servers: MB/s, or pairs weighted by class. */
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
