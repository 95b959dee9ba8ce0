package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.ExtendedResources.NodeClaims;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Undecided;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Places one gang so that the filters that depend on other pods accept it. The plan of devices
 * considers the pods that were placed before the gang. If the gang's own pods exclude each other in
 * the plan, they are placed one after the other, and either all required pods are placed or none.
 */
final class GangTrial {

  /** The rules and nodes for pods of a gang; pods with equal keys may run on the same nodes. */
  private record Key(PodNodeFilters.Key rules, Set<String> nodes) {}

  private final ClusterRun run;
  private final GangRun gangs;
  private final Gang gang;
  private final ClusterRun.State state;
  private final Map<String, String> within;
  private final boolean isAny;
  private final List<String> sameLabels;
  private @Nullable List<Map<String, String>> domains; // computed on demand from all nodes
  private final Map<Key, Predicate<Node>> predicates = new HashMap<>();
  private final Map<PendingPod, Predicate<Node>> nodesOf = new HashMap<>();
  private final Map<PodSpec, Predicate<Node>> ofTemplates = new HashMap<>();

  /**
   * Creates a trial on a cluster.
   *
   * @param state the cluster, which is not changed
   * @param within labels that all nodes of the gang must have
   * @param isAny whether any pods are enough for the gang; if not, the first ones are needed
   */
  GangTrial(
      ClusterRun run,
      GangRun gangs,
      Gang gang,
      ClusterRun.State state,
      Map<String, String> within,
      boolean isAny) {
    this.run = run;
    this.gangs = gangs;
    this.gang = gang;
    this.state = state;
    this.within = within;
    this.isAny = isAny;
    this.sameLabels = sameLabels();
  }

  /**
   * Places the pods of the gang, if there is room, in the time of the caller. {@code scores}
   * receives the score of a planned gang. The result has no pods beyond the first ones that fit.
   */
  Map<PendingPod, PodOutcome> place(Map<String, GangScore> scores, Budget caller) {
    Budget budget = caller.atMost(gangs.time());
    if (dependOnNodes()) {
      return oneByOne(budget); // a plan has the same claims on all nodes
    }
    GangRun.Site site =
        new GangRun.Site(
            state.claims, this::nodesOf, sameLabels, this::domains, state.inventory, isAny);
    Map<PendingPod, PodOutcome> planned = gangs.place(gang, site, scores, budget);
    boolean isUnknown = planned.values().stream().allMatch(Undecided.class::isInstance);
    if (isUnknown
        && !caller.isOver()) { // the same time again, since the plan may have used all of it
      Map<PendingPod, PodOutcome> packed = packed(caller.atMost(gangs.time()));
      return packed.isEmpty() ? planned : packed;
    }
    if (!isCoupled() || isKept(planned, state)) {
      return planned;
    }
    scores.remove(gang.name());
    return oneByOne(budget);
  }

  /**
   * The labels in which the nodes of the gang must agree: the labels of its topology, and the
   * topology keys of affinities among its pods, if no other pod exists that they could be near to.
   */
  private List<String> sameLabels() {
    Set<String> keys = new LinkedHashSet<>(gang.topologyKeys());
    PendingPod first = gang.pods().get(0);
    for (PodAffinityTerm term : first.spec().requiredPodAffinity()) {
      RunningPods.Selection selection = InterPodAffinity.selection(term, first.running());
      boolean isOfGang = gang.pods().stream().allMatch(pod -> selection.selects(pod.running()));
      if (isOfGang && state.running.count(List.of(selection)).isEmpty()) {
        keys.add(term.topologyKey());
      }
    }
    return List.copyOf(keys);
  }

  /** The values of these labels on nodes. */
  private List<Map<String, String>> domains() {
    List<Map<String, String>> known = domains;
    if (known == null) {
      known = domains(state.nodes.all(), sameLabels, within);
      domains = known;
    }
    return known;
  }

  private Predicate<Node> nodesOf(PendingPod pod) {
    return isCoupledByLabels(pod) || state.running.hasAntiTerms() || state.ofClaims(pod) != null
        ? nodesOf.computeIfAbsent(pod, this::find)
        : ofTemplates.computeIfAbsent(
            pod.spec(), spec -> find(pod)); // labels of pods do not matter
  }

  private Predicate<Node> find(PendingPod pod) {
    PodNodeFilters.Key rules = PodNodeFilters.Key.of(pod.spec());
    List<PodFilter> filters = state.filters(pod);
    Set<String> refused = new HashSet<>();
    for (Node node : state.running.nodes()) {
      if (filters.stream().anyMatch(filter -> filter.mismatch(node) != null)) {
        refused.add(node.name());
      }
    }
    return predicates.computeIfAbsent(
        new Key(rules, refused),
        key -> {
          PodNodeFilters allowed = new PodNodeFilters(rules);
          return node ->
              run.isLookedAt(node)
                  && !refused.contains(node.name())
                  && PodNodeFilters.selects(within, node)
                  && allowed.allows(node);
        });
  }

  /** Whether device plugins of some nodes provide extended resources of pods of the gang. */
  private boolean dependOnNodes() {
    Set<PodSpec> seen = new HashSet<>();
    for (PendingPod pod : gang.pods()) {
      List<ResourceClaim> pending = state.pending(pod.claims());
      if (seen.add(pod.spec())
          && new NodeClaims(pod, pending, state.queue).dependOn(state.nodes.all())) {
        return true;
      }
    }
    return false;
  }

  /** Whether pods of the gang can exclude each other. */
  private boolean isCoupled() {
    return state.countsDevices
        || (gang.pods().size() > 1
            && (state.running.nodes().stream().anyMatch(node -> !node.allocatable().isEmpty())
                || gang.pods().stream().anyMatch(GangTrial::isCoupledByLabels)
                || gang.pods().stream().anyMatch(pod -> !NodePorts.of(pod.spec()).isEmpty())));
  }

  private static boolean isCoupledByLabels(PendingPod pod) {
    PodSpec spec = pod.spec();
    return !spec.requiredPodAffinity().isEmpty()
        || !spec.requiredPodAntiAffinity().isEmpty()
        || !spec.topologySpread().isEmpty();
  }

  /** Whether each pod of a plan may run on its planned node, if the pods come in their order. */
  private boolean isKept(Map<PendingPod, PodOutcome> planned, ClusterRun.State before) {
    Map<String, Node> nodes = new HashMap<>();
    state.running.nodes().forEach(node -> nodes.put(node.name(), node));
    ClusterRun.State trial = before.copy();
    for (PendingPod pod : gang.pods()) {
      if (planned.get(pod) instanceof Placed placed) {
        Node node = nodes.get(placed.node());
        if (node == null
            || trial.filters(pod).stream().anyMatch(filter -> filter.mismatch(node) != null)
            || !isAffordable(placed, node, trial)) {
          return false;
        }
        if (trial.countsDevices) {
          trial.take(placed);
        } else if (pod.spec().nodeName().isEmpty()) {
          trial.running.add(pod.running(), placed.node(), PodRequests.of(pod.spec()));
        }
      }
    }
    return true;
  }

  /** Whether the node has the resources that the devices of the pod consume. */
  private static boolean isAffordable(Placed placed, Node node, ClusterRun.State trial) {
    NodeAllocatableResources costs = trial.costs(placed.pod());
    if (costs == null) {
      return true;
    }
    NodeAllocatableResources.Cost cost = costs.of(placed.allocations());
    return cost.fault() == null && costs.mismatch(node, cost) == null;
  }

  /**
   * Places the pods in their order in each domain. Returns the result of the domain with the most
   * pods, or the first of equal domains, as in kube-scheduler ({@code PodGroupPodsCount}).
   */
  private Map<PendingPod, PodOutcome> oneByOne(Budget budget) {
    Map<PendingPod, PodOutcome> best = Map.of();
    for (Map<String, String> domain : domains()) {
      Map<PendingPod, PodOutcome> placed = oneByOne(domain, budget);
      best = placed.size() > best.size() ? placed : best;
      if (best.size() == gang.pods().size() || budget.isOver()) {
        break;
      }
    }
    return best.size() >= gang.minCount() ? best : tooFew(best.size(), budget);
  }

  /** Places as many pods as fit in a domain before the time ends. */
  private Map<PendingPod, PodOutcome> oneByOne(Map<String, String> domain, Budget budget) {
    ClusterRun.State trial = state.copy();
    Map<PendingPod, PodOutcome> outcomes = new HashMap<>();
    for (PendingPod pod : gang.pods()) {
      if (budget.isOver()) {
        break;
      }
      PodOutcome outcome = run.place(pod, domain, trial);
      if (outcome instanceof Placed) {
        trial.take(outcome);
        outcomes.put(pod, outcome);
      }
    }
    return outcomes;
  }

  /** The result without placed pods, or unknown if not all domains could be tried in time. */
  private Map<PendingPod, PodOutcome> tooFew(int most, Budget budget) {
    Map<PendingPod, PodOutcome> outcomes = new HashMap<>();
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      String why = String.valueOf(e.getMessage());
      gang.pods().forEach(pod -> outcomes.put(pod, new Undecided(pod, gang.name(), why)));
      return outcomes;
    }
    String reason =
        "its pods exclude each other by their affinity, spread, ports or resources: it needs %d"
                .formatted(gang.minCount())
            + " together, and %d fit one after the other".formatted(most);
    for (PendingPod pod : gang.pods()) {
      outcomes.put(pod, new GangUnplaceable(pod, gang.name(), reason, Optional.empty()));
    }
    return outcomes;
  }

  /**
   * Fills one node after the other with as many pods as can be allocated there together. Pods may
   * thus get fewer devices than possible, so that others get some. Returns the result of the domain
   * with the most pods; empty if too few fit.
   */
  private Map<PendingPod, PodOutcome> packed(Budget budget) {
    Map<PendingPod, PodOutcome> best = Map.of();
    for (Map<String, String> domain : domains()) {
      if (best.size() == gang.pods().size() || budget.isOver()) {
        break;
      }
      ClusterRun.State trial = state.copy();
      Map<PendingPod, PodOutcome> outcomes = new LinkedHashMap<>();
      List<PendingPod> rest = gang.pods();
      ClusterQuery ofFirst = query(rest.get(0), trial);
      for (Node node : state.nodes.all()) {
        if (rest.isEmpty() || budget.isOver() || !PodNodeFilters.selects(domain, node)) {
          continue;
        }
        Map<PendingPod, PodOutcome> placed = together(node, rest, ofFirst, trial);
        outcomes.putAll(placed);
        rest = rest.subList(placed.size(), rest.size());
        if (!placed.isEmpty() && !rest.isEmpty()) {
          ofFirst = query(rest.get(0), trial);
        }
      }
      best = outcomes.size() > best.size() ? outcomes : best;
    }
    return best.size() >= gang.minCount() ? best : Map.of();
  }

  /** The nodes on which a pod gets its devices; nodes of equal shape are searched only once. */
  private ClusterQuery query(PendingPod pod, ClusterRun.State trial) {
    return run.allocator().query(trial.inventory, trial.pending(pod.claims()));
  }

  /**
   * Places as many of the first pods as can be allocated on a node together.
   *
   * @param ofFirst the nodes on which the first of the pods gets its devices
   */
  private Map<PendingPod, PodOutcome> together(
      Node node, List<PendingPod> pods, ClusterQuery ofFirst, ClusterRun.State trial) {
    Map<PendingPod, PodOutcome> best = Map.of();
    RunningPods before = trial.running;
    RunningPods running = before.copy();
    Set<ClaimKey> claims = new LinkedHashSet<>();
    for (int count = 1; count <= pods.size(); count++) {
      PendingPod pod = pods.get(count - 1);
      trial.running = running;
      NodeFilter filter =
          new NodeFilter(
              pod,
              new PodNodeFilters(PodNodeFilters.Key.of(pod.spec())),
              trial.filters(pod),
              trial.claims,
              Map.of());
      trial.running = before;
      claims.addAll(pod.claims());
      if (filter.refusal(node) != null) {
        break;
      }
      AllocationOutcome outcome =
          count == 1
              ? ofFirst.on(node.name())
              : run.allocator().allocate(trial.inventory, node.name(), trial.pending(claims));
      if (!(outcome instanceof Allocated allocated)) {
        break;
      }
      Map<PendingPod, PodOutcome> more = outcomes(node, pods.subList(0, count), allocated);
      if (trial.countsDevices && !isKept(more, trial)) {
        break;
      }
      running.add(pod.running(), node.name(), PodRequests.of(pod.spec()));
      best = more;
    }
    best.values().forEach(trial::take);
    return best;
  }

  private static Map<PendingPod, PodOutcome> outcomes(
      Node node, List<PendingPod> pods, Allocated allocated) {
    Map<PendingPod, PodOutcome> outcomes = new LinkedHashMap<>();
    Set<ClaimKey> given = new HashSet<>();
    for (PendingPod pod : pods) {
      List<ClaimAllocation> own =
          allocated.allocations().stream()
              .filter(
                  one -> {
                    ClaimKey key = ClaimKey.of(one.allocatedClaim());
                    return pod.claims().contains(key) && given.add(key);
                  })
              .toList();
      outcomes.put(pod, new Placed(pod, node.name(), own, Optional.empty()));
    }
    return outcomes;
  }

  /** The combinations of label values on nodes with {@code within}, which is in the results. */
  static List<Map<String, String>> domains(
      List<Node> nodes, List<String> keys, Map<String, String> within) {
    Set<Map<String, String>> found = new LinkedHashSet<>();
    for (Node node : nodes) {
      Map<String, String> labels = node.metadata().labels();
      if (PodNodeFilters.selects(within, node) && labels.keySet().containsAll(keys)) {
        Map<String, String> domain = new LinkedHashMap<>(within);
        keys.forEach(key -> domain.put(key, labels.getOrDefault(key, "")));
        found.add(domain);
      }
    }
    return new ArrayList<>(found);
  }
}
