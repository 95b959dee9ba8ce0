package io.dra4j.scheduling;

import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.gang.GangScore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pods of a queue that are placed together, and the placement of one gang. */
final class GangRun {

  private final GangPlacement placement;
  private final Duration time;
  private final boolean onlyPodGroups;

  /** Creates a run of gangs; with PodGroups only, plans are not scored. */
  GangRun(GangPlacement placement, Duration time, boolean onlyPodGroups) {
    this.placement = placement;
    this.time = time;
    this.onlyPodGroups = onlyPodGroups;
  }

  List<GroupForest.Node> gangsOf(PodQueue queue) {
    return queue.groups(onlyPodGroups);
  }

  /** The time to search for the plan of pods that are placed together. */
  Duration time() {
    return time;
  }

  /**
   * The claims and nodes for the placement of a gang.
   *
   * @param nodesOf returns the candidate nodes of each pod; the same object for pods with the same
   *     nodes
   * @param sameLabels node labels; all nodes of the gang must have equal values of each
   * @param domains returns the values of these labels on nodes
   * @param isAny whether any pods are enough for the gang, so that pods can be skipped; if not, the
   *     first ones must be among them
   */
  record Site(
      Map<ClaimKey, ResourceClaim> claims,
      Function<PendingPod, Predicate<Node>> nodesOf,
      List<String> sameLabels,
      Supplier<List<Map<String, String>>> domains,
      DeviceInventory inventory,
      boolean isAny) {}

  /**
   * Some pods of a gang.
   *
   * @param pods the pods that were tried, in their order
   * @param outcome the plan for all of them, or the reason why there is none
   */
  private record Trial(List<PendingPod> pods, GangOutcome outcome) {

    boolean isPlaced() {
      return outcome instanceof GangOutcome.Placed;
    }

    boolean isFault() {
      return outcome instanceof GangOutcome.Rejected;
    }
  }

  /**
   * Places as many pods as fit, but no fewer than the gang needs. Skips pods that do not fit, as
   * kube-scheduler does ({@code podGroupSchedulingDefaultAlgorithm}). After a fault of a pod,
   * places none.
   *
   * @param scores receives the score of the gang if it is placed
   * @return the outcome of the pods; if some are placed, the others are not in it
   */
  Map<PendingPod, PodOutcome> place(
      Gang gang, Site site, Map<String, GangScore> scores, Budget budget) {
    int size = gang.pods().size();
    int fewest = gang.minCount();
    boolean isMixed =
        site.isAny()
            && fewest < size
            && !Gang.areOfOneKind(gang.pods(), site.claims(), site.nodesOf());
    Trial best =
        fewest > size
            ? new Trial(List.of(), tooFew(size, fewest))
            : firstOnes(gang, site, isMixed ? budget.half() : budget);
    if (isMixed && best.pods().size() < size && !best.isFault()) {
      best = inTheirOrder(gang, site, best, budget);
    }
    best = withFaults(gang, site, best, budget);
    Map<PendingPod, PodOutcome> outcomes = new HashMap<>();
    if (!(best.outcome() instanceof GangOutcome.Placed placed)) {
      for (PendingPod pod : gang.pods()) {
        outcomes.put(pod, refused(pod, gang, best.outcome()));
      }
      return outcomes;
    }
    if (!onlyPodGroups) {
      scores.put(gang.name(), placed.score());
    }
    for (int i = 0; i < placed.members().size(); i++) {
      PendingPod pod = best.pods().get(i);
      GangOutcome.PlacedMember member = placed.members().get(i);
      outcomes.put(
          pod,
          new PodOutcome.Placed(
              pod,
              member.node(),
              member.allocations(),
              member.score().map(score -> (Score) score)));
    }
    return outcomes;
  }

  private static GangOutcome tooFew(int pods, int fewest) {
    return new GangOutcome.Unplaceable(
        "it has %d %s with claims and needs %d together"
            .formatted(pods, pods == 1 ? "pod" : "pods", fewest));
  }

  /**
   * Tries as many of the first pods as fit. If a number of pods fit, fewer of the first pods fit as
   * well. If not all of them fit, the fewest are tried next, since often none fit then.
   */
  private Trial firstOnes(Gang gang, Site site, Budget budget) {
    int fewest = gang.minCount();
    int most = gang.pods().size();
    Trial best = null;
    Trial last = null;
    int size = most;
    for (int round = 0; fewest <= most; round++) {
      boolean isEarly = round == 1 && size < most; // the others may be tried after it
      Budget forThese = size > gang.minCount() || isEarly ? budget.half() : budget;
      last = attempt(gang.pods().subList(0, size), site, site.nodesOf(), forThese);
      if (last.isPlaced()) {
        best = last;
        fewest = size + 1;
      } else if (last.isFault() || (isEarly && last.outcome() instanceof GangOutcome.Unplaceable)) {
        return last;
      } else if (!isEarly) {
        most = size - 1; // or the outcome is unknown
      }
      size = round == 0 ? fewest : (fewest + most) >>> 1;
    }
    return best != null ? best : Objects.requireNonNull(last, "there are enough pods");
  }

  /** If a skipped pod has a fault, no pod of the gang is placed. */
  private Trial withFaults(Gang gang, Site site, Trial best, Budget budget) {
    if (!best.isPlaced() || best.pods().size() == gang.pods().size()) {
      return best;
    }
    Map<PendingPod, Object> kinds = Gang.kinds(gang.pods(), site.claims(), site.nodesOf());
    Set<Object> seen = new HashSet<>();
    best.pods().forEach(pod -> seen.add(kinds.get(pod)));
    for (PendingPod pod : gang.pods()) {
      if (seen.add(kinds.get(pod))) {
        Trial alone = attempt(List.of(pod), site, site.nodesOf(), budget);
        if (alone.isFault()) {
          return alone;
        }
      }
    }
    return best;
  }

  private Trial attempt(
      List<PendingPod> pods,
      Site site,
      Function<PendingPod, Predicate<Node>> nodesOf,
      Budget budget) {
    List<GangMember> members = Gang.membersOf(pods, site.claims(), nodesOf);
    GangOutcome outcome = placement.place(site.inventory(), members, site.sameLabels(), budget);
    return new Trial(List.copyOf(pods), outcome);
  }

  /**
   * Finds the most pods of a mixed gang that fit one by one in one domain, without pods that do not
   * fit; {@code first} has the first pods that fit, or the reason why too few of them fit.
   */
  private Trial inTheirOrder(Gang gang, Site site, Trial first, Budget budget) {
    Trial best = first;
    boolean isCertain = true;
    int most = 0;
    List<Map<String, String>> domains = site.domains().get();
    for (int i = 0; i < domains.size(); i++) {
      Budget share = budget.share(domains.size() - i);
      Passing passing = new Passing(gang, site, domains.get(i), share);
      Trial found = passing.run(best.isPlaced() ? best.pods().size() + 1 : gang.minCount());
      if (found != null && found.isFault()) {
        return found;
      } else if (found != null && found.pods().size() >= gang.minCount()) {
        best = found;
      }
      most = Math.max(most, found == null ? 0 : found.pods().size());
      isCertain &= gang.pods().size() - passing.impossible < gang.minCount();
    }
    if (best.isPlaced() || isCertain || first.outcome() instanceof GangOutcome.Undecided) {
      return best;
    }
    String reason =
        "it needs %d pods together, and %d fit one after the other; other choices of its pods"
            + " were not tried";
    return new Trial(List.of(), new GangOutcome.Undecided(reason.formatted(gang.minCount(), most)));
  }

  /** Skips the pods that do not fit, and other pods of their kind. */
  private final class Passing {

    private final Gang gang;
    private final Site site;
    private final Map<String, String> domain;
    private final Map<Predicate<Node>, Predicate<Node>> ofDomain = new HashMap<>();
    private final Budget budget;
    private int impossible; // pods that do not fit even without the others

    Passing(Gang gang, Site site, Map<String, String> domain, Budget budget) {
      this.gang = gang;
      this.site = site;
      this.domain = site.sameLabels().isEmpty() ? Map.of() : domain;
      this.budget = budget;
    }

    /** The pods that fit, or a pod's fault; {@code null} if none fit, or certainly too few. */
    @Nullable Trial run(int wanted) {
      Map<PendingPod, Object> kinds = Gang.kinds(gang.pods(), site.claims(), site.nodesOf());
      Trial best = null;
      List<PendingPod> rest = gang.pods();
      while (!rest.isEmpty() && !budget.isOver() && count(best) + rest.size() >= wanted) {
        int fit = 0;
        int most = rest.size();
        boolean doubles = true; // all of them, 1, 2, 4, ... until one does not fit; then bisection
        for (int size = most; fit < most; ) {
          List<PendingPod> pods = new ArrayList<>(best == null ? List.of() : best.pods());
          pods.addAll(rest.subList(fit, size));
          Trial trial = attempt(pods, site, this::nodesOf, budget.half());
          if (trial.isPlaced()) {
            best = trial;
            fit = size;
          } else if (trial.isFault()) {
            return trial;
          } else {
            doubles &= size == rest.size();
            most = size - 1;
          }
          size = doubles ? Math.min(most, Math.max(1, 2 * fit)) : (fit + most + 1) >>> 1;
        }
        if (fit == rest.size()) {
          break;
        }
        Object refused = Objects.requireNonNull(kinds.get(rest.get(fit)), "the kind of a pod");
        List<PendingPod> others =
            rest.stream().skip(fit).filter(pod -> !refused.equals(kinds.get(pod))).toList();
        if (isImpossible(rest.get(fit))) {
          impossible += rest.size() - fit - others.size();
        }
        rest = others;
      }
      return best;
    }

    private int count(@Nullable Trial trial) {
      return trial == null ? 0 : trial.pods().size();
    }

    /** The same object for pods with the same nodes. */
    private Predicate<Node> nodesOf(PendingPod pod) {
      Predicate<Node> nodes = site.nodesOf().apply(pod);
      return domain.isEmpty()
          ? nodes
          : ofDomain.computeIfAbsent(
              nodes, any -> node -> PodNodeFilters.selects(domain, node) && any.test(node));
    }

    private boolean isImpossible(PendingPod pod) {
      return attempt(List.of(pod), site, this::nodesOf, budget).outcome()
          instanceof GangOutcome.Unplaceable;
    }
  }

  private static PodOutcome refused(PendingPod pod, Gang gang, GangOutcome outcome) {
    if (outcome instanceof GangOutcome.Rejected rejected) {
      return new PodOutcome.Rejected(pod, rejected.node(), rejected.fault());
    } else if (outcome instanceof GangOutcome.Undecided undecided) {
      return new PodOutcome.Undecided(pod, gang.name(), undecided.reason());
    }
    String reason =
        outcome instanceof GangOutcome.Unplaceable unplaceable ? unplaceable.reason() : "";
    return new PodOutcome.GangUnplaceable(pod, gang.name(), reason, Optional.empty());
  }
}
