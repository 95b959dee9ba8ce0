package io.dra4j.scheduling;

import io.dra4j.common.Budget;
import io.dra4j.model.Node;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.GroupForest.Claimless;
import io.dra4j.scheduling.GroupForest.Node.Composite;
import io.dra4j.scheduling.GroupForest.Node.Leaf;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Undecided;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Places a gang, or a group of groups: its children one after the other, all in one domain of the
 * topology of the group, as kube-scheduler does. Among the domains in which enough children fit,
 * the domain with the most pods counts ({@code PodGroupPodsCount}), or the first of equal ones. If
 * there is no room in the order of the children, orders with the largest and with the smallest
 * children first are tried as well.
 */
final class GroupTrial {

  private final ClusterRun run;
  private final GangRun gangs;
  private boolean sharesTime = true; // among domains and children
  private boolean isCut; // a share of the time ended

  GroupTrial(ClusterRun run, GangRun gangs) {
    this.run = run;
    this.gangs = gangs;
  }

  /**
   * The placement of pods, or the reasons why they are not placed.
   *
   * @param outcomes the outcomes of the pods, without pods of a gang for which there was no room
   * @param where labels that nodes of other pods of a gang must have
   * @param scores the scores of the gangs that were planned
   * @param placed the number of placed pods
   * @param hasRoom whether as many pods are placed as required
   * @param isFault whether the groups above cannot be placed either: a pod has a fault, or the pods
   *     on nodes allow no domain
   */
  record Result(
      Map<PendingPod, PodOutcome> outcomes,
      Map<PendingPod, Map<String, String>> where,
      Map<String, GangScore> scores,
      long placed,
      boolean hasRoom,
      boolean isFault) {

    Result asFault() {
      return new Result(outcomes, where, scores, placed, hasRoom, true);
    }
  }

  /**
   * Places the pods of a gang or group, if there is room.
   *
   * @param node the gang or group
   * @param state the cluster, which is not changed
   * @param budget the time of the caller for all pods
   */
  Result place(GroupForest.Node node, ClusterRun.State state, Budget budget) {
    if (node instanceof Leaf) {
      return place(node, state, Map.of(), budget);
    }
    Budget whole = budget.atMost(gangs.time());
    Result shared = place(node, state, Map.of(), whole);
    if (shared.hasRoom() || shared.isFault() || !isCut || whole.isOver()) {
      return shared;
    }
    sharesTime = false; // the rest is for domains and children whose share was too short
    return place(node, state, Map.of(), whole);
  }

  /** The share of the time for the first of several parts. */
  private Budget share(Budget budget, int parts) {
    return sharesTime ? budget.share(parts) : budget;
  }

  private Result place(
      GroupForest.Node node, ClusterRun.State state, Map<String, String> within, Budget budget) {
    Fixed fixed = fixed(node, state, within);
    if (!fixed.flaw().isEmpty()) {
      return refused(node, Map.of(), fixed.flaw(), true).asFault();
    }
    return node instanceof Composite composite
        ? place(composite, state, fixed.labels(), budget)
        : place((Leaf) node, state, fixed.labels(), budget);
  }

  /**
   * Labels that all nodes of a group must have.
   *
   * @param labels the labels of the groups above, and the labels that its pods on nodes determine
   * @param flaw the reason why no node is possible; empty if one may be
   */
  private record Fixed(Map<String, String> labels, String flaw) {}

  /** Labels that pods on nodes determine for others ({@code getScheduledPodsTopologyDomain}). */
  private static Fixed fixed(
      GroupForest.Node group, ClusterRun.State state, Map<String, String> within) {
    Map<String, String> labels = new LinkedHashMap<>(within);
    for (String key : group.gang().topologyKeys()) {
      Set<String> values = new TreeSet<>();
      for (String name : group.isOn()) {
        Node node = state.inventory.node(name).orElse(null);
        if (node == null) {
          return new Fixed(
              labels, "one of its pods is on node %s, which is unknown".formatted(name));
        }
        String value = node.metadata().labels().get(key);
        if (value == null) {
          String flaw = "one of its pods is on node %s, which has no label %s".formatted(name, key);
          return new Fixed(labels, flaw);
        }
        values.add(value);
      }
      if (values.size() > 1) {
        String flaw = "its pods on nodes have more than one value of the label %s: %s";
        return new Fixed(labels, flaw.formatted(key, String.join(", ", values)));
      }
      values.forEach(value -> labels.put(key, value));
    }
    return new Fixed(labels, "");
  }

  /**
   * Places the pods of a gang if as many fit as it needs, together with its pods without claims.
   */
  private Result place(
      Leaf leaf, ClusterRun.State state, Map<String, String> within, Budget budget) {
    Result whole = plan(leaf, state, within, budget);
    if (!whole.hasRoom() || whole.placed() >= leaf.others().required()) {
      return whole;
    }
    Budget own = budget.atMost(gangs.time());
    String lacking = lacking(leaf, whole, state, own);
    List<String> keys = leaf.gang().topologyKeys();
    if (lacking.isEmpty() || keys.isEmpty()) {
      return lacking.isEmpty() ? whole : refused(leaf, Map.of(), lacking, !own.isOver());
    }
    List<Map<String, String>> domains = GangTrial.domains(state.nodes.all(), keys, within);
    for (int i = 0; i < domains.size() && !own.isOver(); i++) {
      Budget share = own.share(domains.size() - i);
      Result one = plan(leaf, state, domains.get(i), share);
      if (one.hasRoom() && lacking(leaf, one, state, own).isEmpty()) {
        return one;
      }
      isCut |= share.isOver();
    }
    return refused(leaf, Map.of(), lacking, !own.isOver() && !isCut);
  }

  /**
   * Why too few pods without claims fit beside the placed pods of their gang; empty if enough fit.
   * They take nothing from pods that are placed later.
   */
  private String lacking(Leaf leaf, Result result, ClusterRun.State state, Budget budget) {
    ClusterRun.State trial = state.copy();
    result.outcomes().values().forEach(trial::take);
    Map<String, String> where = result.where().getOrDefault(leaf.pods().get(0), Map.of());
    long needed = leaf.others().required() - result.placed();
    long fit = 0;
    long all = 0;
    String first = "";
    for (Claimless others : leaf.others().pods()) {
      all += others.count();
      for (long i = 0; i < others.count() && fit < needed && !budget.isOver(); i++) {
        PodOutcome outcome = run.place(others.pod(), where, trial);
        if (!(outcome instanceof Placed)) {
          String why = outcome instanceof Unplaceable no ? no.refusals().toString() : "" + outcome;
          first = first.isEmpty() ? "; " + others.object() + ": " + why : first;
          break; // the others are equal
        }
        trial.take(outcome);
        fit++;
      }
    }
    return fit >= needed
        ? ""
        : "it needs %d pods together: %d with claims fit, and %d of %d without claims%s"
            .formatted(leaf.others().required(), result.placed(), fit, all, first);
  }

  private Result plan(
      Leaf leaf, ClusterRun.State state, Map<String, String> within, Budget budget) {
    Gang gang = leaf.gang();
    Map<String, GangScore> scores = new LinkedHashMap<>();
    Map<PendingPod, PodOutcome> outcomes =
        new GangTrial(run, gangs, gang, state, within, leaf.isAny()).place(scores, budget);
    isCut |= budget.isOver();
    long placed = outcomes.values().stream().filter(Placed.class::isInstance).count();
    Map<String, String> where = new HashMap<>(within);
    where.putAll(topologyOf(gang, outcomes, state));
    Map<PendingPod, Map<String, String>> ofPods = new HashMap<>();
    gang.pods().forEach(pod -> ofPods.put(pod, where));
    boolean isFault = outcomes.values().stream().anyMatch(Rejected.class::isInstance);
    return new Result(outcomes, ofPods, scores, placed, placed > 0, isFault);
  }

  /** The labels of the topology of a gang with the values that all of its nodes must have. */
  private static Map<String, String> topologyOf(
      Gang gang, Map<PendingPod, PodOutcome> outcomes, ClusterRun.State state) {
    Map<String, String> where = new HashMap<>();
    for (PodOutcome outcome : outcomes.values()) {
      if (outcome instanceof Placed any) {
        Node node = state.inventory.node(any.node()).orElseThrow();
        Map<String, String> labels = node.metadata().labels();
        for (String key : gang.topologyKeys()) {
          where.put(key, Objects.requireNonNull(labels.get(key), "a label that the gang needs"));
        }
        return where;
      }
    }
    return where;
  }

  private Result place(
      Composite group, ClusterRun.State state, Map<String, String> within, Budget budget) {
    String flaw = flaw(group);
    if (!flaw.isEmpty()) {
      return refused(group, Map.of(), flaw, true);
    }
    List<Map<String, String>> domains =
        GangTrial.domains(state.nodes.all(), group.topologyKeys(), within);
    if (domains.isEmpty()) {
      String reason = "no node has the labels " + String.join(", ", group.topologyKeys());
      return refused(group, Map.of(), reason, true);
    }
    Result best = null;
    Attempt nearest = null;
    for (int i = 0; i < domains.size(); i++) {
      Budget share = share(budget, domains.size() - i);
      for (List<GroupForest.Node> order : orders(group)) {
        Attempt attempt = attempt(group, order, state, domains.get(i), share);
        if (attempt.result().isFault()) {
          return faulty(group, attempt);
        }
        if (attempt.result().hasRoom()) {
          best =
              best == null || attempt.result().placed() > best.placed() ? attempt.result() : best;
          break;
        }
        nearest = nearest == null || attempt.met() > nearest.met() ? attempt : nearest;
      }
      isCut |= share.isOver();
      if (budget.isOver() || (best != null && best.placed() == group.pods().size())) {
        break;
      }
    }
    if (best != null) {
      return best;
    }
    boolean isCertain = isCertain(group, state, domains, budget);
    return refused(group, Objects.requireNonNull(nearest, "a domain was tried"), isCertain);
  }

  /** The reason why a group cannot be placed in any domain; empty if there is none. */
  private static String flaw(Composite group) {
    int groups = group.children().size();
    return group.required() <= groups || !group.flaw().isEmpty()
        ? group.flaw()
        : "it has %d child %s with pods to place and needs %d together"
            .formatted(groups, groups == 1 ? "group" : "groups", group.required());
  }

  /**
   * Children that were placed one after the other.
   *
   * @param result the outcomes of all of them
   * @param met the number of them that are placed, or count as placed
   * @param missed the reason why the first unplaced child is not placed; {@code null} if all are
   *     placed
   */
  private record Attempt(Result result, long met, @Nullable PodOutcome missed) {}

  private Attempt attempt(
      Composite group,
      List<GroupForest.Node> order,
      ClusterRun.State state,
      Map<String, String> domain,
      Budget budget) {
    ClusterRun.State trial = state.copy();
    Map<PendingPod, PodOutcome> outcomes = new LinkedHashMap<>();
    Map<PendingPod, Map<String, String>> where = new HashMap<>();
    Map<String, GangScore> scores = new LinkedHashMap<>();
    PodOutcome missed = null;
    long placed = 0;
    long met = 0;
    for (int i = 0; i < order.size(); i++) {
      GroupForest.Node child = order.get(i);
      Result result = place(child, trial, domain, share(budget, order.size() - i));
      outcomes.putAll(result.outcomes());
      if (result.isFault()) {
        missed = fault(result, child);
        return new Attempt(new Result(outcomes, where, scores, placed, false, true), met, missed);
      } else if (result.hasRoom()) {
        result.outcomes().values().forEach(trial::take);
        where.putAll(result.where());
        scores.putAll(result.scores());
        placed += result.placed();
      } else if (missed == null && !child.isMet()) {
        missed = result.outcomes().get(child.pods().get(0));
      }
      met += result.hasRoom() || child.isMet() ? 1 : 0;
    }
    boolean hasRoom = met >= group.required();
    return new Attempt(new Result(outcomes, where, scores, placed, hasRoom, false), met, missed);
  }

  /** The orders in which children are tried; first the order of the input. */
  private static Set<List<GroupForest.Node>> orders(Composite group) {
    Comparator<GroupForest.Node> bySize = Comparator.comparingInt(child -> child.pods().size());
    Set<List<GroupForest.Node>> orders = new LinkedHashSet<>();
    orders.add(group.children());
    for (Comparator<GroupForest.Node> order : List.of(bySize.reversed(), bySize)) {
      orders.add(group.children().stream().sorted(order).toList());
    }
    return orders;
  }

  /** Whether in each domain too few children fit even alone, or fewer pods than needed. */
  private boolean isCertain(
      Composite group, ClusterRun.State state, List<Map<String, String>> domains, Budget budget) {
    for (Map<String, String> domain : domains) {
      int possible = 0;
      for (GroupForest.Node child : group.children()) {
        Result alone = place(child, state, domain, budget);
        possible += child.isMet() || alone.hasRoom() || isOpen(alone) ? 1 : 0;
      }
      if (possible >= group.required() && !isTooMany(group, state, domain, budget)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all children are needed, and the domain has no room for the pods of all. */
  private boolean isTooMany(
      Composite group, ClusterRun.State state, Map<String, String> domain, Budget budget) {
    List<PendingPod> needed = new ArrayList<>();
    return addNeeded(group, state, needed)
        && !needed.isEmpty()
        && place(all(group.name(), needed), state, domain, budget).outcomes().values().stream()
            .allMatch(GangUnplaceable.class::isInstance);
  }

  private static Leaf all(String name, List<PendingPod> pods) {
    return new Leaf(new Gang(name, pods, pods.size(), List.of()), false, Set.of(), false);
  }

  /**
   * Adds the pods that must be placed for a group; false if it is undecided which pods these are.
   */
  private static boolean addNeeded(
      GroupForest.Node node, ClusterRun.State state, List<PendingPod> needed) {
    if (node instanceof Composite group) {
      return group.required() == group.children().size()
          && group.children().stream().noneMatch(GroupForest.Node::isMet)
          && group.children().stream().allMatch(child -> addNeeded(child, state, needed));
    }
    int count = Math.min(node.fewestPods(), node.pods().size());
    boolean isOpen = count < node.pods().size() && !Gang.areOfOneKind(node.pods(), state.claims);
    return !isOpen && needed.addAll(node.pods().subList(0, count));
  }

  private static boolean isOpen(Result result) {
    return result.outcomes().values().stream().anyMatch(Undecided.class::isInstance);
  }

  /**
   * The outcome of the pod of a child that is at fault, or of the first pod if no pod is at fault.
   */
  private static @Nullable PodOutcome fault(Result result, GroupForest.Node child) {
    return child.pods().stream()
        .map(result.outcomes()::get)
        .filter(Rejected.class::isInstance)
        .findFirst()
        .orElse(result.outcomes().get(child.pods().get(0)));
  }

  /** Returns that no child is placed because of a fault in one child. */
  private static Result faulty(Composite group, Attempt attempt) {
    String reason = "one of its child groups is at fault; " + why(attempt.missed());
    return refused(group, faults(attempt), reason, true).asFault();
  }

  private static Map<PendingPod, PodOutcome> faults(Attempt attempt) {
    Map<PendingPod, PodOutcome> faults = new HashMap<>(attempt.result().outcomes());
    faults.values().removeIf(outcome -> !(outcome instanceof Rejected));
    return faults;
  }

  private static String why(@Nullable PodOutcome missed) {
    return missed instanceof GangUnplaceable gang
        ? "%s: %s".formatted(gang.gang(), gang.reason())
        : String.valueOf(missed);
  }

  private static Result refused(Composite group, Attempt nearest, boolean isCertain) {
    String reason =
        "%d of its %d child groups %s, and it needs %d; %s"
            .formatted(
                nearest.met(),
                group.children().size(),
                nearest.met() == 1 ? "fits" : "fit together",
                group.required(),
                why(nearest.missed()));
    boolean isDecided = isCertain && !isOpen(nearest.result());
    return refused(
        group,
        Map.of(),
        isDecided ? reason : reason + "; other ways to place them together were not tried",
        isDecided);
  }

  /** Returns that no pod is placed; faults of pods are kept. */
  private static Result refused(
      GroupForest.Node group,
      Map<PendingPod, PodOutcome> faults,
      String reason,
      boolean isDecided) {
    Map<PendingPod, PodOutcome> outcomes = new HashMap<>(faults);
    for (PendingPod pod : group.pods()) {
      outcomes.putIfAbsent(
          pod,
          isDecided
              ? new GangUnplaceable(pod, group.name(), reason, Optional.empty())
              : new Undecided(pod, group.name(), reason));
    }
    return new Result(outcomes, Map.of(), Map.of(), 0, false, false);
  }
}
