package io.dra4j.placement.gang;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.selection.PlainDemand;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.util.ArrayList;
import java.util.BitSet;
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
 * The pods of a gang by their demand, and the devices of each node for this demand, if both are
 * plain numbers of interchangeable GPUs and NICs. {@link GangPlanner} creates a plan from them.
 */
final class GangPods {

  /** The numbers of GPUs and NICs that a pod wants on some nodes. */
  private record Wants(int gpus, int nics) {}

  /** Pods with equal demand on the same nodes. */
  static final class Kind {
    final List<Integer> members = new ArrayList<>();
    private final BitSet nodes;
    private final @Nullable PlainDemand[] found; // by node
    private final Set<Wants> wants = new LinkedHashSet<>(); // one for each of its alternatives
    private @Nullable PlainDemand[] selected; // by node, for the selected way
    int gpus;
    int nics;

    private Kind(BitSet nodes, int size) {
      this.nodes = nodes;
      this.found = new PlainDemand[size];
      this.selected = found;
    }

    /** The number of ways to choose the alternatives of its requests on nodes. */
    int ways() {
      return wants.size();
    }

    /** Selects one of these ways. */
    void select(int way) {
      Wants some = List.copyOf(wants).get(way);
      gpus = some.gpus;
      nics = some.nics;
      selected = new PlainDemand[found.length];
      for (int node = 0; node < found.length; node++) {
        PlainDemand here = found[node];
        selected[node] =
            here != null && some.equals(new Wants(here.gpus(), here.nics())) ? here : null;
      }
    }

    /** The devices for the pods on a node; null if they cannot run there. */
    @Nullable PlainDemand on(int node) {
      return selected[node];
    }
  }

  private final GangCandidates site;
  private final List<GangMember> members;
  private final Budget budget;
  final List<Kind> kinds;

  /** Whether all nodes with room for a pod are known as numbers of GPUs and NICs. */
  boolean hasAllServers = true;

  /** Whether a request has alternatives: pods may get other ones when some pods are placed. */
  boolean hasAlternatives;

  /** Whether a claim has a preference. */
  boolean prefers;

  private GangPods(GangCandidates site, List<GangMember> members, Budget budget, List<Kind> kinds) {
    this.site = site;
    this.members = members;
    this.budget = budget;
    this.kinds = kinds;
  }

  /**
   * {@return the pods on all nodes; null if pods share claims, or if some claims are allocated}
   *
   * @param near whether preferences count as requirements
   */
  static @Nullable GangPods of(
      GangCandidates site, List<GangMember> members, boolean near, Budget budget)
      throws GangDecidedException, BudgetExceededException {
    List<Kind> kinds = kinds(site.nodes, members, budget);
    if (kinds == null) {
      return null;
    }
    GangPods pods = new GangPods(site, members, budget, kinds);
    for (Kind kind : kinds) {
      pods.probe(kind, near);
      pods.hasAlternatives |=
          GangDemand.haveAlternatives(members.get(kind.members.get(0)).claims());
    }
    return pods;
  }

  private static @Nullable List<Kind> kinds(
      List<Node> nodes, List<GangMember> members, Budget budget) throws BudgetExceededException {
    record Same(List<ResourceClaimSpec> claims, BitSet nodes) {}
    Map<Predicate<Node>, BitSet> allowed = new HashMap<>();
    Map<Same, Kind> kinds = new LinkedHashMap<>();
    Set<ClaimKey> claims = new HashSet<>();
    for (int i = 0; i < members.size(); i++) {
      budget.check();
      GangMember member = members.get(i);
      List<ResourceClaimSpec> specs = new ArrayList<>();
      for (ResourceClaim claim : member.claims()) {
        if (claim.allocation() != null || !claims.add(ClaimKey.of(claim))) {
          return null;
        }
        specs.add(claim.spec());
      }
      BitSet here = allowed.computeIfAbsent(member.nodes(), where -> allowed(nodes, where));
      kinds
          .computeIfAbsent(new Same(specs, here), any -> new Kind(here, nodes.size()))
          .members
          .add(i);
    }
    return kinds.size() > Integer.SIZE - 1 ? null : List.copyOf(kinds.values());
  }

  private static BitSet allowed(List<Node> nodes, Predicate<Node> predicate) {
    BitSet set = new BitSet(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      set.set(i, predicate.test(nodes.get(i)));
    }
    return set;
  }

  /** Determines the demand of a pod on a server. */
  private static final class Probe implements AllocationPolicy {
    private final PolicyEngine engine;
    private final boolean near;
    private boolean prefers;
    private Optional<PlainDemand> masks = Optional.empty();

    Probe(PolicyEngine engine, boolean near) {
      this.engine = engine;
      this.near = near;
    }

    @Override
    public Choice choose(PolicyContext question) throws BudgetExceededException {
      prefers |= engine.prefers(question);
      masks = engine.plainDemand(question, near);
      return new Choice.AsFound();
    }

    @Override
    public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
      return Optional.empty();
    }
  }

  /** The answer of a node for a pod of some kind. */
  private record Answer(boolean fits, Optional<PlainDemand> masks) {}

  private record NodeKey(NodeSignature shape, ServerModel kind, ServerOccupancy.Others others) {}

  /** Evaluates a kind of pods on all nodes, once for each key. */
  private void probe(Kind kind, boolean near) throws GangDecidedException, BudgetExceededException {
    GangMember member = members.get(kind.members.get(0));
    Probe probe = new Probe(site.engine, near);
    Allocator asking = site.allocator.withPolicy(probe);
    ClusterQuery fit = asking.query(site.inventory, member.claims()).withBudget(budget);
    Map<NodeKey, Answer> known = new HashMap<>();
    for (int node = kind.nodes.nextSetBit(0); node >= 0; node = kind.nodes.nextSetBit(node + 1)) {
      budget.spend(1);
      String name = site.nodes.get(node).name();
      NodeSight sight = AllocatorAccess.sight(fit, name).orElse(null);
      NodeKey key = sight == null ? null : keyOf(sight);
      Answer answer = key == null ? null : known.get(key);
      if (answer == null) {
        budget.check();
        probe.masks = Optional.empty();
        AllocationOutcome outcome = asking.allocate(site.inventory, name, member.claims(), budget);
        if (outcome instanceof AllocationOutcome.Rejected fault) {
          throw new GangDecidedException(new GangOutcome.Rejected(member, name, fault));
        } else if (outcome instanceof AllocationOutcome.Undecided) {
          budget.check();
          hasAllServers = false; // it is not known whether the pod fits here
        }
        answer = new Answer(outcome instanceof Allocated, probe.masks);
        if (key != null) {
          known.put(key, answer);
        }
      }
      if (answer.fits) {
        PlainDemand masks = answer.masks.orElse(null);
        if (masks == null) {
          hasAllServers = false; // the placement one by one handles it
          continue;
        }
        kind.found[node] = masks;
        kind.wants.add(new Wants(masks.gpus(), masks.nics()));
      }
    }
    prefers |= probe.prefers;
  }

  private @Nullable NodeKey keyOf(NodeSight sight) throws BudgetExceededException {
    if (sight.shape().isEmpty()) {
      return null;
    }
    NodeView view = sight.view();
    ServerModel kind = site.engine.kind(view, budget);
    ServerOccupancy use = ServerOccupancy.of(site.allocator, site.inventory, view, kind, Set.of());
    return new NodeKey(sight.shape().get(), kind, use.others());
  }

  /** Returns the statement that pods do not fit, without a reason. */
  static String unfit(int pods) {
    return pods == 1 ? "1 pod does not fit" : pods + " pods do not fit together";
  }

  /** Returns the answer that the pods do not fit, after all nodes gave that answer. */
  GangOutcome.Unplaceable noRoom() {
    int fitting = 0;
    for (int node = 0; node < site.nodes.size(); node++) {
      int at = node;
      fitting += kinds.stream().anyMatch(kind -> kind.found[at] != null) ? 1 : 0;
    }
    return new GangOutcome.Unplaceable(
        "%s: %d of %d nodes have room for one or more of them"
            .formatted(unfit(members.size()), fitting, site.nodes.size()));
  }
}
