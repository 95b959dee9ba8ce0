package io.dra4j.placement;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterFit;
import io.dra4j.allocation.PolicyQuestion;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.NodeShape;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.placement.GangOutcome.Placed;
import io.dra4j.placement.GangOutcome.PlacedMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Places pods that work together, all of them or none: which node each gets, and which devices
 * there, so that the pairs of GPUs and NICs carry most, NICs of different servers are on the same
 * rails, and servers are near in the network.
 *
 * <pre>{@code
 * GangPlacement gangs = GangPlacement.with(allocator).levels(List.of("example.com/rack"));
 * GangOutcome outcome = gangs.place(inventory, members, Budget.of(Duration.ofSeconds(10)));
 * }</pre>
 *
 * <p>Where the pods want GPUs and NICs of which one is as good as another, the best plan is found
 * exactly. Where they do not (shared claims, other devices, constraints on attributes that are no
 * level of the topology, more than 64 GPUs or NICs on a node), pods are placed one by one in
 * several ways, taking back what does not lead to a plan for all, until the time is over. Either
 * way the rules of the allocator decide on each pod.
 *
 * <p>Immutable, except for what is remembered of nodes; thread-safe.
 */
public final class GangPlacement {

  /** More pods are not placed together. */
  private static final int MAX_MEMBERS = 1_000;

  /** So many places are tried for pods one by one, in each way of choosing. */
  private static final int MAX_STEPS = 20_000;

  /** So many where there is a plan that looks at all pods at once. */
  private static final int MAX_STEPS_BESIDE_PLAN = 2_000;

  /** In so many ways are nodes divided on which requests have other alternatives. */
  private static final int MAX_WAYS = 8;

  private final Allocator allocator;
  private final PlacementPolicy policy;
  private final PlacementPolicy firstFit; // that knows what claims require
  private final List<String> levels;
  private final Rails rails;
  private final GangSolver solver;

  private GangPlacement(
      Allocator allocator,
      PlacementPolicy policy,
      PlacementPolicy firstFit,
      List<String> levels,
      Rails rails,
      GangSolver solver) {
    this.allocator = allocator;
    this.policy = policy;
    this.firstFit = firstFit;
    this.levels = List.copyOf(levels);
    this.rails = rails;
    this.solver = solver;
  }

  /**
   * Starts with rails by index, and the levels {@code topology.kubernetes.io/region}, {@code zone},
   * {@code block} and {@code rack}.
   *
   * @param allocator decides what is valid; overlays and link rates are those of its {@link
   *     PlacementPolicy} if it has one, whose way to choose counts as that of {@link #policy} does,
   *     except that {@code best} is in the place of {@code first-fit}
   * @return the placement of gangs
   */
  public static GangPlacement with(Allocator allocator) {
    PlacementPolicy policy =
        !(allocator.policy() instanceof PlacementPolicy own)
            ? PlacementPolicy.best()
            : own.name().equals("first-fit") ? own.asBest() : own;
    return new GangPlacement(
        allocator,
        policy,
        policy.asFirstFit(),
        List.of(
            "topology.kubernetes.io/region",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/block",
            "topology.kubernetes.io/rack"),
        new Rails.ByIndex(),
        new GangSolver());
  }

  /**
   * Returns the same with another way to choose. Only {@code best} looks at all pods and servers at
   * once. With {@code pack} and {@code spread} pods are placed one by one, each as the policy would
   * place it; of plans, {@code pack} prefers the one that leaves most that is useful. With {@code
   * first-fit} each pod gets the first devices that fit, and all or none is what remains of gangs.
   *
   * @param other the policy, with its overlays and link rates
   * @return the placement of gangs
   */
  public GangPlacement policy(PlacementPolicy other) {
    Objects.requireNonNull(other, "other: want a policy, got null");
    return new GangPlacement(allocator, other, other.asFirstFit(), levels, rails, solver);
  }

  /**
   * Returns the same with other levels of the network.
   *
   * @param nodeLabels the labels whose values name the domain of a node, the widest one first; a
   *     node without a label is in a domain of its own there
   * @return the placement of gangs
   */
  public GangPlacement levels(List<String> nodeLabels) {
    return new GangPlacement(allocator, policy, firstFit, nodeLabels, rails, solver);
  }

  /**
   * Returns the same with other rails.
   *
   * @param known how the rail of a NIC is known
   * @return the placement of gangs
   */
  public GangPlacement rails(Rails known) {
    return new GangPlacement(
        allocator,
        policy,
        firstFit,
        levels,
        Objects.requireNonNull(known, "known: got null"),
        solver);
  }

  /**
   * Places a gang.
   *
   * @param inventory the nodes and devices; not changed
   * @param members the pods
   * @param budget how long to look for the best plan; when it is over, the best one found counts
   * @return the plan, or why there is none
   */
  public GangOutcome place(DeviceInventory inventory, List<GangMember> members, Budget budget) {
    return place(inventory, members, List.of(), budget);
  }

  /**
   * Places a gang whose nodes have to agree in some labels.
   *
   * @param inventory the nodes and devices; not changed
   * @param members the pods
   * @param sameLabels node labels that all nodes of the gang have, with the same values
   * @param budget how long to look for the best plan; when it is over, the best one found counts
   * @return the plan, or why there is none
   */
  public GangOutcome place(
      DeviceInventory inventory, List<GangMember> members, List<String> sameLabels, Budget budget) {
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(budget, "budget: want Budget.unlimited() or another, got null");
    List<Node> nodes = inventory.nodes();
    List<int[]> levelDomains = domains(nodes);
    if (sameLabels.isEmpty()) {
      return new Run(inventory, nodes, levelDomains, List.copyOf(members), budget).place();
    }
    Map<List<String>, List<Node>> domains = new LinkedHashMap<>();
    for (Node node : nodes) {
      Map<String, String> labels = node.metadata().labels();
      if (labels.keySet().containsAll(sameLabels)) {
        domains.computeIfAbsent(values(labels, sameLabels), any -> new ArrayList<>()).add(node);
      }
    }
    if (domains.isEmpty()) {
      return new GangOutcome.Unplaceable("no node has the labels " + String.join(", ", sameLabels));
    }
    List<GangOutcome> outcomes = new ArrayList<>();
    for (List<Node> domain : domains.values()) {
      try {
        budget.check();
      } catch (BudgetExceededException e) {
        outcomes.add(new GangOutcome.Undecided(e.reason()));
        break;
      }
      outcomes.add(
          new Run(inventory, domain, domains(domain), List.copyOf(members), budget).place());
    }
    return bestOf(outcomes);
  }

  /** The best plan of several domains; without any, what stands in the way of one most. */
  private static GangOutcome bestOf(List<GangOutcome> outcomes) {
    Placed best = null;
    boolean decided = true;
    GangOutcome worst = outcomes.get(0);
    for (GangOutcome outcome : outcomes) {
      if (outcome instanceof Placed placed) {
        boolean better = best == null || placed.score().compareTo(best.score()) > 0;
        best = better ? placed : best;
      } else {
        decided &= outcome instanceof GangOutcome.Unplaceable;
        worst = weight(outcome) > weight(worst) ? outcome : worst;
      }
    }
    if (best == null) {
      return worst;
    }
    return decided ? best : new Placed(best.members(), best.score().unproven());
  }

  private static int weight(GangOutcome outcome) {
    return outcome instanceof GangOutcome.Rejected
        ? 2
        : outcome instanceof GangOutcome.Undecided ? 1 : 0;
  }

  /** The domain of each node at each level, the finest one first; empty for a level nobody has. */
  private List<int[]> domains(List<Node> nodes) {
    List<int[]> found = new ArrayList<>();
    for (int depth = levels.size(); depth > 0; depth--) {
      Map<List<String>, Integer> numbers = new HashMap<>();
      int[] domain = new int[nodes.size()];
      boolean any = false;
      for (int i = 0; i < domain.length; i++) {
        Map<String, String> labels = nodes.get(i).metadata().labels();
        boolean known = labels.containsKey(levels.get(depth - 1));
        any |= known;
        domain[i] =
            known
                ? numbers.computeIfAbsent(
                    values(labels, levels.subList(0, depth)), all -> numbers.size())
                : -1 - i;
      }
      found.add(any ? domain : new int[0]);
    }
    return found;
  }

  private static List<String> values(Map<String, String> labels, List<String> keys) {
    return keys.stream().map(key -> labels.getOrDefault(key, "")).toList();
  }

  /** Places the pods of a gang one by one, for comparison. */
  GangOutcome oneByOne(
      AllocationPolicy choosing,
      DeviceInventory inventory,
      List<GangMember> members,
      Budget budget) {
    List<Node> nodes = inventory.nodes();
    Run run = new Run(inventory, nodes, domains(nodes), List.copyOf(members), budget);
    try {
      Placed placed = run.bestOf(run.search(choosing, node -> true), null);
      return placed != null ? placed : new GangOutcome.Unplaceable("not one by one");
    } catch (Ended e) {
      return e.outcome;
    }
  }

  /** Asks what a pod wants of a server. */
  private static final class Probe implements AllocationPolicy {
    private final PlacementPolicy policy;
    private final boolean near; // what is preferred counts as if it were required
    private boolean prefers;
    private Optional<GangMasks> masks = Optional.empty();

    Probe(PlacementPolicy policy, boolean near) {
      this.policy = policy;
      this.near = near;
    }

    @Override
    public Choice choose(PolicyQuestion question) throws BudgetExceededException {
      prefers |= policy.prefers(question);
      masks = policy.masks(question, near);
      return new Choice.AsFound();
    }

    @Override
    public Optional<Score> score(PolicyQuestion question, List<List<Candidate>> devices) {
      return Optional.empty();
    }
  }

  /** What a node says to a pod of some kind. */
  private record Answer(boolean fits, Optional<GangMasks> masks) {}

  private record Alike(NodeShape shape, ServerKind kind, int usersOfSockets) {}

  /** Pods that want the same, on the same nodes. */
  private static final class Kind {
    final List<Integer> members = new ArrayList<>();
    final BitSet nodes;
    final @Nullable GangMasks[] found; // by node
    final Set<Wants> wants = new LinkedHashSet<>(); // one for each alternative of its requests
    @Nullable GangMasks[] masks; // by node, of those that want what is looked at
    int gpus;
    int nics;

    Kind(BitSet nodes, int size) {
      this.nodes = nodes;
      this.found = new GangMasks[size];
      this.masks = found;
    }

    /** Looks at one alternative. */
    void select(Wants some) {
      gpus = some.gpus;
      nics = some.nics;
      masks = new GangMasks[found.length];
      for (int node = 0; node < found.length; node++) {
        GangMasks here = found[node];
        masks[node] =
            here != null && some.equals(new Wants(here.gpus(), here.nics())) ? here : null;
      }
    }
  }

  /** What a pod wants on some nodes. */
  private record Wants(int gpus, int nics) {}

  /** Ends a run with an answer. */
  private static final class Ended extends Exception {
    private static final long serialVersionUID = 1L;
    final transient GangOutcome outcome;

    Ended(GangOutcome outcome) {
      super(null, null, false, false);
      this.outcome = outcome;
    }
  }

  /** One gang. */
  private final class Run {
    private final DeviceInventory inventory;
    private final List<GangMember> members;
    private final Budget whole;
    private final List<Node> nodes;
    private final List<int[]> domains; // the finest level first
    private Budget budget;
    private boolean allRails = true; // each rail has its place in the masks of the solver
    private boolean allServers = true; // the solver knows all servers that have room
    private int maxSteps = MAX_STEPS;
    private boolean interrupted;
    private int steps;

    Run(
        DeviceInventory inventory,
        List<Node> nodes,
        List<int[]> domains,
        List<GangMember> members,
        Budget budget) {
      this.inventory = inventory;
      this.members = members;
      this.whole = budget;
      this.budget = budget.half(); // the other half is for what is simpler
      this.nodes = nodes;
      this.domains = domains;
    }

    GangOutcome place() {
      if (members.isEmpty()) {
        return new Placed(List.of(), new GangScore(0, 0, 0, 0, "", Map.of(), true));
      } else if (members.size() > MAX_MEMBERS) {
        return new GangOutcome.Undecided(
            "a gang of %d pods; at most %d are placed together"
                .formatted(members.size(), MAX_MEMBERS));
      }
      try {
        GangOutcome planned = policy.name().equals("best") ? planned() : null;
        if (planned != null) {
          return planned;
        }
        budget = whole;
        return oneByOne();
      } catch (Ended e) {
        return e.outcome;
      } catch (BudgetExceededException e) {
        return inTheEnd(e);
      }
    }

    /** The first plan that fits, when the time for the best one is over. */
    private GangOutcome inTheEnd(BudgetExceededException over) {
      budget = whole;
      try {
        Placed found = bestOf(search(firstFit, node -> true), null);
        return found != null
            ? found
            : new GangOutcome.Undecided(over.reason() + ", before there was a plan for the gang");
      } catch (Ended e) {
        return e.outcome;
      }
    }

    /** The members by kind; null if their claims are not each pod's own. */
    private @Nullable List<Kind> kinds() throws BudgetExceededException {
      record Wanted(List<ResourceClaimSpec> claims, BitSet nodes) {}
      Map<Predicate<Node>, BitSet> allowed = new HashMap<>();
      Map<Wanted, Kind> kinds = new LinkedHashMap<>();
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
        BitSet here = allowed.computeIfAbsent(member.nodes(), this::allowed);
        kinds
            .computeIfAbsent(new Wanted(specs, here), any -> new Kind(here, nodes.size()))
            .members
            .add(i);
      }
      return kinds.size() > Integer.SIZE - 1 ? null : List.copyOf(kinds.values());
    }

    private BitSet allowed(Predicate<Node> predicate) {
      BitSet set = new BitSet(nodes.size());
      for (int i = 0; i < nodes.size(); i++) {
        set.set(i, predicate.test(nodes.get(i)));
      }
      return set;
    }

    /**
     * Lets the solver plan, at first with pairs as near as claims prefer; null if that is not for
     * it, or a rule refuses its plan.
     */
    private @Nullable GangOutcome planned() throws Ended, BudgetExceededException {
      for (boolean near : List.of(true, false)) {
        List<Kind> kinds = kinds();
        if (kinds == null) {
          return null;
        }
        allRails = true;
        allServers = true;
        boolean prefers = false;
        for (Kind kind : kinds) {
          prefers |= probe(kind, near);
        }
        GangOutcome outcome = planned(kinds);
        if (outcome instanceof Placed placed) {
          return placed.score().proven() || (near && prefers) ? placed : better(placed);
        } else if (!near || !prefers) {
          return outcome;
        }
      }
      return null;
    }

    /** The better one of a plan and of some that are made pod by pod. */
    private Placed better(Placed placed) {
      budget = whole;
      maxSteps = MAX_STEPS_BESIDE_PLAN;
      try {
        Placed found = bestOf(onBestNodes(), bestOf(greedy(node -> true), placed));
        return found == null ? placed : found;
      } catch (Ended e) {
        return placed; // there is a plan, whatever became of others
      }
    }

    /** Plans for each way in which requests have alternatives on nodes. */
    private @Nullable GangOutcome planned(List<Kind> kinds) throws BudgetExceededException {
      long ways = 1;
      for (Kind kind : kinds) {
        if (kind.wants.isEmpty()) {
          return allServers ? new GangOutcome.Unplaceable(noRoom(kinds)) : null;
        }
        ways = Math.min(MAX_WAYS + 1, ways * kind.wants.size());
      }
      allServers &= ways == 1; // nodes are not looked at together
      GangOutcome best = null;
      for (int way = 0; way < Math.min(ways, MAX_WAYS); way++) {
        int rest = way;
        for (Kind kind : kinds) {
          List<Wants> wants = List.copyOf(kind.wants);
          kind.select(wants.get(rest % wants.size()));
          rest /= wants.size();
        }
        GangOutcome outcome = solved(kinds);
        boolean better =
            outcome instanceof Placed placed
                && (!(best instanceof Placed other) || placed.score().compareTo(other.score()) > 0);
        best = better || way == 0 ? outcome : best;
      }
      return best;
    }

    /** Lets the solver plan; null if a rule refuses its plan, or it does not see all. */
    private @Nullable GangOutcome solved(List<Kind> kinds) throws BudgetExceededException {
      List<GangOptions.@Nullable State> states = new ArrayList<>();
      Map<List<Object>, GangOptions.State> same = new HashMap<>();
      List<List<Optional<Object>>> railsByNode = new ArrayList<>();
      for (int node = 0; node < nodes.size(); node++) {
        int at = node;
        GangMasks any =
            kinds.stream()
                .map(kind -> kind.masks[at])
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        railsByNode.add(any == null ? List.of() : railsOf(node, any.kind()));
      }
      Map<Object, Integer> places = places(railsByNode);
      for (int node = 0; node < nodes.size(); node++) {
        budget.spend(1);
        GangMasks first = null;
        int fitting = 0;
        long gpus = 0;
        long nics = 0;
        for (int i = 0; i < kinds.size(); i++) {
          GangMasks masks = kinds.get(i).masks[node];
          if (masks == null) {
            continue;
          }
          if (first != null && !agree(first, masks, gpus, nics)) {
            allServers = false; // one kind of pods has to do
            continue;
          }
          gpus |= masks.someGpus();
          nics |= masks.someNics();
          first = first == null ? masks : first;
          fitting |= 1 << i;
        }
        if (first == null) {
          states.add(null);
          continue;
        }
        GangOptions.Rails known =
            new GangOptions.Rails(
                railsByNode.get(node).stream()
                    .mapToInt(rail -> rail.map(places::get).orElse(-1))
                    .toArray());
        List<Object> key = List.of(first, known, gpus, nics, fitting);
        GangMasks masks = first;
        long someGpus = gpus;
        long someNics = nics;
        int bits = fitting;
        states.add(
            same.computeIfAbsent(
                key,
                any ->
                    new GangOptions.State(
                        masks.shape(),
                        masks.freeGpus(),
                        masks.freeNics(),
                        someGpus,
                        someNics,
                        known,
                        bits,
                        masks.bundles())));
      }
      List<GangSolver.Demand.Kind> wanted = new ArrayList<>();
      for (Kind kind : kinds) {
        wanted.add(new GangSolver.Demand.Kind(kind.gpus, kind.nics, kind.members.size()));
      }
      GangSolver.Plan plan =
          solver.solve(states, labelled(), new GangSolver.Demand(wanted), budget);
      if (plan == null) {
        return null;
      }
      if (plan.parts().isEmpty()) {
        return plan.exact() && allServers ? new GangOutcome.Unplaceable(noRoom(kinds)) : null;
      }
      return realized(plan, kinds, states);
    }

    private static boolean agree(GangMasks one, GangMasks other, long gpus, long nics) {
      return one.shape().equals(other.shape())
          && Objects.equals(one.bundles(), other.bundles())
          && (gpus == 0 || other.someGpus() == 0 || gpus == other.someGpus())
          && (nics == 0 || other.someNics() == 0 || nics == other.someNics());
    }

    private List<int[]> labelled() {
      int[] apart = new int[nodes.size()];
      Arrays.setAll(apart, i -> -1 - i);
      return domains.stream().map(level -> level.length == 0 ? apart : level).toList();
    }

    private String noRoom(List<Kind> kinds) {
      int fitting = 0;
      for (int node = 0; node < nodes.size(); node++) {
        int at = node;
        fitting += kinds.stream().anyMatch(kind -> kind.found[at] != null) ? 1 : 0;
      }
      return "%d pods do not fit at a time: of %d nodes %d have room for one or more of them"
          .formatted(members.size(), nodes.size(), fitting);
    }

    /**
     * Asks all nodes about a kind of pods, those that are alike once.
     *
     * @param near whether what is preferred counts as if it were required
     * @return whether a claim prefers something
     */
    private boolean probe(Kind kind, boolean near) throws Ended, BudgetExceededException {
      GangMember member = members.get(kind.members.get(0));
      Probe probe = new Probe(policy, near);
      Allocator asking = allocator.withPolicy(probe);
      ClusterFit fit = asking.allocate(inventory, member.claims());
      Map<Alike, Answer> known = new HashMap<>();
      for (int node = kind.nodes.nextSetBit(0); node >= 0; node = kind.nodes.nextSetBit(node + 1)) {
        budget.spend(1);
        String name = nodes.get(node).name();
        ClusterFit.Sight sight = fit.sight(name).orElse(null);
        Alike alike = sight == null ? null : alike(sight);
        Answer answer = alike == null ? null : known.get(alike);
        if (answer == null) {
          budget.check();
          probe.masks = Optional.empty();
          AllocationOutcome outcome = asking.allocate(inventory, name, member.claims(), budget);
          if (outcome instanceof AllocationOutcome.Rejected fault) {
            throw new Ended(new GangOutcome.Rejected(member, name, fault));
          } else if (outcome instanceof AllocationOutcome.Undecided limit) {
            budget.check();
            throw new Ended(new GangOutcome.Undecided(name + ": " + limit.reason()));
          }
          answer = new Answer(outcome instanceof Allocated, probe.masks);
          if (alike != null) {
            known.put(alike, answer);
          }
        }
        if (answer.fits) {
          GangMasks masks = answer.masks.orElse(null);
          if (masks == null) {
            allServers = false; // it is left to what is placed one by one
            continue;
          }
          kind.found[node] = masks;
          kind.wants.add(new Wants(masks.gpus(), masks.nics()));
        }
      }
      return probe.prefers;
    }

    private @Nullable Alike alike(ClusterFit.Sight sight) throws BudgetExceededException {
      if (sight.shape().isEmpty()) {
        return null;
      }
      NodeView view = sight.view();
      ServerKind kind = policy.kind(view, budget);
      ServerUse use = ServerUse.of(inventory, view, view::candidate, kind);
      return new Alike(sight.shape().get(), kind, use.usersOfSockets());
    }

    /** The rail of each NIC of a node. */
    private List<Optional<Object>> railsOf(int node, ServerKind kind)
        throws BudgetExceededException {
      List<Optional<Object>> found = new ArrayList<>();
      boolean byIndex = rails instanceof Rails.ByIndex;
      NodeView view = byIndex ? null : view(nodes.get(node).name());
      for (int nic = 0; nic < Math.min(kind.nics(), ServerShape.MAX_DEVICES); nic++) {
        budget.spend(1);
        found.add(
            view == null
                ? Optional.of(kind.rails[nic])
                : rails.of(view.candidate(kind.nicOrdinals[nic])));
      }
      return found;
    }

    /**
     * Gives rails their places in masks: as many to each as a node has NICs on it. Rails of one
     * node alone need none: their NICs have no partner.
     */
    private Map<Object, Integer> places(List<List<Optional<Object>>> railsByNode) {
      Map<Object, Integer> widths = new LinkedHashMap<>();
      Map<Object, Integer> users = new HashMap<>();
      for (List<Optional<Object>> ofNode : railsByNode) {
        Map<Object, Integer> counts = count(ofNode);
        counts.forEach((rail, count) -> widths.merge(rail, count, Math::max));
        counts.keySet().forEach(rail -> users.merge(rail, 1, Integer::sum));
      }
      Map<Object, Integer> places = new HashMap<>();
      int next = 0;
      for (Map.Entry<Object, Integer> rail : widths.entrySet()) {
        if (users.getOrDefault(rail.getKey(), 0) < 2) {
          continue;
        }
        if (next + rail.getValue() > Long.SIZE) {
          allRails = false;
        } else {
          places.put(rail.getKey(), next);
          next += rail.getValue();
        }
      }
      return places;
    }

    private static Map<Object, Integer> count(List<Optional<Object>> railsOfNics) {
      Map<Object, Integer> counts = new LinkedHashMap<>();
      railsOfNics.forEach(known -> known.ifPresent(rail -> counts.merge(rail, 1, Integer::sum)));
      return counts;
    }

    private NodeView view(String node) {
      return allocator
          .allocate(inventory, List.of())
          .sight(node)
          .orElseThrow(() -> new IllegalStateException("no node " + node))
          .view();
    }

    /** Allocates what the solver planned; null if a rule refuses some of it. */
    private @Nullable Placed realized(
        GangSolver.Plan plan, List<Kind> kinds, List<GangOptions.@Nullable State> states)
        throws BudgetExceededException {
      @Nullable PlacedMember[] placed = new PlacedMember[members.size()];
      int[] next = new int[kinds.size()];
      DeviceInventory current = inventory;
      for (GangSolver.Part part : plan.parts()) {
        GangOptions.State state = Objects.requireNonNull(states.get(part.server()));
        GangDivision division =
            new GangDivision(state, part.gpus(), part.nics(), pairs(part, kinds));
        for (int i = 0; i < kinds.size(); i++) {
          Kind kind = kinds.get(i);
          for (int pod = 0; pod < part.pods().get(i); pod++) {
            budget.check();
            int number = kind.members.get(next[i]++);
            GangMember member = members.get(number);
            division.take(kind.gpus, kind.nics);
            String node = nodes.get(part.server()).name();
            AllocationOutcome outcome =
                allocator
                    .withPolicy(policy.among(division.gpus(), division.nics()))
                    .allocate(current, node, member.claims(), budget);
            if (!(outcome instanceof Allocated allocated)) {
              return null;
            }
            placed[number] = placed(member, node, allocated);
            current = with(current, allocated);
          }
        }
      }
      List<PlacedMember> all = new ArrayList<>();
      for (PlacedMember member : placed) {
        all.add(Objects.requireNonNull(member, "a plan for all members"));
      }
      Placed answer = new Placed(all, score(all, plan.exact() && allRails && allServers));
      // Where a rule refused the plan for a pod, its devices are the first that fit.
      boolean asPlanned = answer.score().lostRails() == plan.lostRails();
      for (GangSolver.Part part : plan.parts()) {
        asPlanned &= isAsPlanned(all, part);
      }
      return asPlanned ? answer : null;
    }

    /** How many pairs the pods on a server can have, each within itself. */
    private static int pairs(GangSolver.Part part, List<Kind> kinds) {
      int sum = 0;
      for (int i = 0; i < kinds.size(); i++) {
        sum += part.pods().get(i) * Math.min(kinds.get(i).gpus, kinds.get(i).nics);
      }
      return sum;
    }

    private boolean isAsPlanned(List<PlacedMember> all, GangSolver.Part part)
        throws BudgetExceededException {
      String node = nodes.get(part.server()).name();
      NodeView view = view(node);
      ServerKind kind = policy.kind(view, budget);
      long gpus = 0;
      long nics = 0;
      for (Candidate device : devices(all, node, view)) {
        int gpu = kind.gpuOf[device.ordinal()];
        int nic = kind.nicOf[device.ordinal()];
        gpus |= gpu >= 0 ? ServerShape.bit(gpu) : 0;
        nics |= nic >= 0 ? ServerShape.bit(nic) : 0;
      }
      return gpus == part.gpus() && nics == part.nics();
    }

    private PlacedMember placed(GangMember member, String node, Allocated allocated) {
      Optional<PlacementScore> score =
          allocated
              .score()
              .filter(PlacementScore.class::isInstance)
              .map(PlacementScore.class::cast);
      return new PlacedMember(member, node, allocated.allocations(), score);
    }

    private static DeviceInventory with(DeviceInventory inventory, Allocated allocated) {
      return inventory.apply(
          allocated.allocations().stream()
              .map(ClaimAllocation::allocatedClaim)
              .map(ClaimPut::new)
              .toList());
    }

    private List<Candidate> devices(List<PlacedMember> all, String node, NodeView view) {
      Set<DeviceId> ids = new HashSet<>();
      for (PlacedMember member : all) {
        if (member.node().equals(node)) {
          for (ClaimAllocation allocation : member.allocations()) {
            add(allocation.result(), ids);
          }
          for (ResourceClaim claim : member.member().claims()) {
            if (claim.allocation() != null) {
              add(claim.allocation(), ids); // of a pod that runs
            }
          }
        }
      }
      List<Candidate> devices = new ArrayList<>();
      for (int i = 0; i < view.size(); i++) {
        Candidate candidate = view.candidate(i);
        if (ids.contains(candidate.id())) {
          devices.add(candidate);
        }
      }
      return devices;
    }

    private static void add(AllocationResult result, Set<DeviceId> ids) {
      for (DeviceRequestAllocationResult device : result.results()) {
        ids.add(device.deviceId());
      }
    }

    /** What a plan is worth. */
    private GangScore score(List<PlacedMember> gang, boolean proven)
        throws BudgetExceededException {
      Map<String, PlacementScore> servers = new LinkedHashMap<>();
      List<Integer> used = new ArrayList<>();
      List<List<Optional<Object>>> railsOfServers = new ArrayList<>();
      for (int number = 0; number < nodes.size(); number++) {
        String node = nodes.get(number).name();
        if (gang.stream().noneMatch(member -> member.node().equals(node))) {
          continue;
        }
        NodeView view = view(node);
        ServerKind kind = policy.kind(view, budget);
        List<Candidate> devices = devices(gang, node, view);
        PlacementScore score =
            PlacementPolicy.score(
                kind, ServerUse.of(inventory, view, view::candidate, kind), devices);
        servers.put(node, score);
        used.add(number);
        List<Optional<Object>> all = railsOf(number, kind);
        List<Optional<Object>> own = new ArrayList<>();
        for (Candidate device : devices) {
          int nic = kind.nicOf[device.ordinal()];
          if (nic >= 0) {
            own.add(nic < all.size() ? all.get(nic) : Optional.empty());
          }
        }
        if (!own.isEmpty()) {
          railsOfServers.add(own); // servers without NICs need no rails
        }
      }
      int lost = lost(railsOfServers);
      int distance = distance(used);
      return new GangScore(
          servers.values().stream().mapToDouble(PlacementScore::gigabytesPerSecond).sum(),
          servers.values().stream().mapToDouble(PlacementScore::upperBoundGigabytesPerSecond).sum(),
          lost,
          distance,
          distance == 0 || distance > levels.size() ? "" : levels.get(levels.size() - distance),
          servers,
          proven);
    }

    /** How many NICs of the server with fewest have no partner on every other one. */
    private static int lost(List<List<Optional<Object>>> railsOfServers) {
      if (railsOfServers.size() < 2) {
        return 0;
      }
      Map<Object, Integer> common = count(railsOfServers.get(0));
      int fewest = Integer.MAX_VALUE;
      for (List<Optional<Object>> own : railsOfServers) {
        fewest = Math.min(fewest, own.size());
        Map<Object, Integer> counts = count(own);
        common.replaceAll((rail, count) -> Math.min(count, counts.getOrDefault(rail, 0)));
      }
      return fewest - common.values().stream().mapToInt(Integer::intValue).sum();
    }

    private int distance(List<Integer> used) {
      if (used.size() < 2) {
        return 0;
      }
      List<int[]> all = labelled();
      for (int level = 0; level < all.size(); level++) {
        int[] domain = all.get(level);
        if (used.stream().allMatch(node -> domain[node] == domain[used.get(0)])) {
          return level + 1;
        }
      }
      return all.size() + 1;
    }

    /** Pods one by one, in several ways; the best of them counts. */
    private GangOutcome oneByOne() throws Ended, BudgetExceededException {
      boolean choosing = !policy.name().equals("first-fit");
      Placed best = bestOf(choosing ? greedy(node -> true) : search(firstFit, node -> true), null);
      if (policy.comparesNodes() && !interrupted) {
        best = bestOf(onBestNodes(), best);
      }
      for (int level = 0;
          choosing && best != null && level < domains.size() && !interrupted;
          level++) {
        int[] domain = domains.get(level);
        for (int of : Arrays.stream(domain).filter(number -> number >= 0).distinct().toArray()) {
          best = bestOf(search(policy, node -> domain[node] == of), best);
        }
      }
      best = choosing ? amongAlike(best) : best;
      if (best != null) {
        return best;
      }
      return interrupted
          ? new GangOutcome.Undecided("the time was over before there was a plan for the gang")
          : new GangOutcome.Unplaceable(
              "%d pods do not fit at a time on %d nodes".formatted(members.size(), nodes.size()));
    }

    /** Servers of one kind alone, and without one kind, so that no odd server makes plans worse. */
    private @Nullable Placed amongAlike(@Nullable Placed found)
        throws Ended, BudgetExceededException {
      Map<ServerKind, BitSet> alike = new LinkedHashMap<>();
      for (int node = 0; node < nodes.size() && alike.size() <= MAX_WAYS; node++) {
        budget.check();
        ServerKind kind = policy.kind(view(nodes.get(node).name()), budget);
        alike.computeIfAbsent(kind, any -> new BitSet()).set(node);
      }
      Placed best = found;
      for (BitSet some : alike.size() < 2 ? List.<BitSet>of() : List.copyOf(alike.values())) {
        for (boolean among : List.of(true, false)) {
          if (!interrupted) {
            best = bestOf(greedy(node -> some.get(node) == among), best);
          }
        }
      }
      return best;
    }

    /** As first fit would, and with the best devices on each node. */
    private List<Optional<List<PlacedMember>>> greedy(IntPredicate among) throws Ended {
      List<Optional<List<PlacedMember>>> found = new ArrayList<>(search(firstFit, among));
      found.addAll(search(policy, among));
      return found;
    }

    /** Each pod on the node that is best for it, as pods that are placed without their gang. */
    private List<Optional<List<PlacedMember>>> onBestNodes() throws Ended {
      List<PlacedMember> placed = new ArrayList<>();
      steps = 0;
      try {
        DeviceInventory current = inventory;
        Map<ClaimKey, AllocationResult> made = new HashMap<>();
        while (placed.size() < members.size()) {
          PlacedMember best = onBestNode(members.get(placed.size()), current, made);
          if (best == null) {
            return List.of();
          }
          placed.add(best);
          Allocated allocated = new Allocated(best.allocations());
          current = with(current, allocated);
          best.allocations().forEach(one -> made.put(ClaimKey.of(one.claim()), one.result()));
        }
        return List.of(Optional.of(placed));
      } catch (BudgetExceededException e) {
        interrupted = true;
        return List.of();
      }
    }

    private @Nullable PlacedMember onBestNode(
        GangMember member, DeviceInventory current, Map<ClaimKey, AllocationResult> made)
        throws Ended, BudgetExceededException {
      List<ResourceClaim> pending = new ArrayList<>();
      List<AllocationResult> results = new ArrayList<>();
      sort(member, made, pending, results);
      ClusterFit fit = allocator.withPolicy(policy).allocate(current, pending);
      PlacedMember best = null;
      Score bestScore = null;
      for (Node node : nodes) {
        budget.check();
        if (!member.nodes().test(node) || !canUse(results, node)) {
          continue;
        }
        if (++steps > maxSteps) {
          interrupted = true;
          return null;
        }
        Allocated allocated = allocated(member, node, fit.on(node.name()));
        Score score = allocated == null ? null : allocated.score().orElse(null);
        if (allocated != null
            && (best == null
                || (score != null && (bestScore == null || score.compareTo(bestScore) > 0)))) {
          best = placed(member, node.name(), allocated);
          bestScore = score;
        }
      }
      return best;
    }

    /** The claims of a pod that have no devices yet, and the allocations of the others. */
    private static void sort(
        GangMember member,
        Map<ClaimKey, AllocationResult> made,
        List<ResourceClaim> pending,
        List<AllocationResult> results) {
      for (ResourceClaim claim : member.claims()) {
        AllocationResult result =
            claim.allocation() != null ? claim.allocation() : made.get(ClaimKey.of(claim));
        if (result == null) {
          pending.add(claim);
        } else {
          results.add(result);
        }
      }
    }

    /** What a pod gets on a node, or null if it lacks devices; faults and limits end the search. */
    private static @Nullable Allocated allocated(
        GangMember member, Node node, AllocationOutcome outcome)
        throws Ended, BudgetExceededException {
      if (outcome instanceof AllocationOutcome.Rejected fault) {
        throw new Ended(new GangOutcome.Rejected(member, node.name(), fault));
      } else if (outcome instanceof AllocationOutcome.Undecided limit) {
        throw new BudgetExceededException(node.name() + ": " + limit.reason());
      }
      return outcome instanceof Allocated allocated ? allocated : null;
    }

    private @Nullable Placed bestOf(
        List<Optional<List<PlacedMember>>> plans, @Nullable Placed other) {
      Placed best = other;
      for (Optional<List<PlacedMember>> plan : plans) {
        if (plan.isPresent()) {
          try {
            GangScore score = score(plan.get(), false);
            if (best == null || isBetter(score, best.score())) {
              best = new Placed(plan.get(), score);
            }
          } catch (BudgetExceededException e) {
            interrupted = true;
          }
        }
      }
      return best;
    }

    /** Whether a plan is what the policy wants more than another one. */
    private boolean isBetter(GangScore one, GangScore other) {
      int byRest =
          policy.name().equals("pack")
              ? Double.compare(one.fragmentationChange(), other.fragmentationChange())
              : 0;
      return byRest != 0 ? byRest > 0 : one.compareTo(other) > 0;
    }

    private List<Optional<List<PlacedMember>>> search(AllocationPolicy choosing, IntPredicate among)
        throws Ended {
      List<PlacedMember> placed = new ArrayList<>();
      steps = 0;
      try {
        boolean found =
            search(allocator.withPolicy(choosing), among, inventory, new HashMap<>(), placed);
        return List.of(found ? Optional.of(List.copyOf(placed)) : Optional.empty());
      } catch (BudgetExceededException e) {
        interrupted = true;
        return List.of();
      }
    }

    /** Places the next pod on one node after the other, until there is a place for all others. */
    private boolean search(
        Allocator choosing,
        IntPredicate among,
        DeviceInventory current,
        Map<ClaimKey, AllocationResult> made,
        List<PlacedMember> placed)
        throws Ended, BudgetExceededException {
      if (placed.size() == members.size()) {
        return true;
      }
      GangMember member = members.get(placed.size());
      List<ResourceClaim> pending = new ArrayList<>();
      List<AllocationResult> results = new ArrayList<>();
      sort(member, made, pending, results);
      ClusterFit fit = choosing.allocate(current, pending);
      for (int i = 0; i < nodes.size(); i++) {
        budget.check();
        Node node = nodes.get(i);
        if (!among.test(i) || !member.nodes().test(node) || !canUse(results, node)) {
          continue;
        }
        if (++steps > maxSteps) {
          interrupted = true;
          return false;
        }
        Allocated allocated = allocated(member, node, fit.on(node.name()));
        if (allocated != null) {
          Map<ClaimKey, AllocationResult> next = new HashMap<>(made);
          allocated.allocations().forEach(one -> next.put(ClaimKey.of(one.claim()), one.result()));
          placed.add(placed(member, node.name(), allocated));
          if (search(choosing, among, with(current, allocated), next, placed)) {
            return true;
          } else if (steps > maxSteps) {
            return false;
          }
          placed.remove(placed.size() - 1);
        }
      }
      return false;
    }

    private boolean canUse(List<AllocationResult> results, Node node) {
      return results.stream()
          .allMatch(
              result ->
                  result.nodeSelector() == null
                      || NodeAffinity.matches(result.nodeSelector(), node));
    }
  }
}
