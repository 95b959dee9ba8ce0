package io.dra4j.placement;

import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.PolicyQuestion;
import io.dra4j.allocation.PolicyQuestion.Wanted;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyOverlay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses GPUs and NICs by what lies between them, from what their drivers publish:
 *
 * <pre>{@code
 * Allocator allocator =
 *     Allocator.builder().selectors(CelSelectors.create()).policy(PlacementPolicy.best()).build();
 * }</pre>
 *
 * <p>An allocation that a policy chooses is one that Kubernetes might have made, with other devices
 * in another order. Where requests are for GPUs, NICs or both, and these are at most 64 each on a
 * node, the best set is found exactly; where requests want different devices of one kind, or are
 * tied by attributes that are no level of the topology, sets are looked at one by one, 20,000 steps
 * at most. Everything else stays as Kubernetes would choose it.
 *
 * <p>A claim can say what it wants in its configuration for the driver {@code dra4j.io}: a JSON
 * object with {@code apiVersion: dra4j.io/v1alpha1}, {@code kind: Placement}, {@code policy} (one
 * of {@link #names()}) and {@code alignment}, which has {@code within} (the type of a path) and
 * {@code mode} ({@code Preferred} or {@code Required}). Unknown fields are a fault of the claim.
 * Several claims of a pod are placed together: the first policy that one names counts, and the
 * nearest {@code within}.
 *
 * <p>Immutable, except for what is remembered of nodes; thread-safe.
 */
public final class PlacementPolicy implements AllocationPolicy {

  static final List<String> NAMES = List.of("first-fit", "best", "pack", "spread");

  private final String name;
  private final LinkModel model;
  private final Function<String, List<TopologyOverlay>> overlays;
  private final ServerKinds kinds;
  private final PlacementPreference.Memory preferences = new PlacementPreference.Memory();
  private final ThreadLocal<SetSolver> solvers = ThreadLocal.withInitial(SetSolver::new);

  private PlacementPolicy(
      String name, LinkModel model, Function<String, List<TopologyOverlay>> overlays) {
    this.name = name;
    this.model = model;
    this.overlays = overlays;
    this.kinds = new ServerKinds(model, overlays);
  }

  /**
   * Returns the policy that wants the most bandwidth between GPUs and NICs; of equally fast sets
   * the nearest pairs, then the fewest NUMA nodes, then what keeps the rest of the server most
   * useful, then the devices that Kubernetes tries first.
   *
   * @return the policy {@code best}
   */
  public static PlacementPolicy best() {
    return of("best");
  }

  /**
   * Returns the policy that keeps most of the server useful for others: whole pairs, whole groups,
   * whole NUMA nodes. Only then does bandwidth count.
   *
   * @return the policy {@code pack}
   */
  public static PlacementPolicy pack() {
    return of("pack");
  }

  /**
   * Returns the policy that wants the most bandwidth, and of equally fast sets the one that is
   * spread over most groups of devices.
   *
   * @return the policy {@code spread}
   */
  public static PlacementPolicy spread() {
    return of("spread");
  }

  /**
   * Returns the policy that chooses as Kubernetes does, and scores what that is worth.
   *
   * @return the policy {@code first-fit}
   */
  public static PlacementPolicy firstFit() {
    return of("first-fit");
  }

  /**
   * Returns a policy by its name.
   *
   * @param name one of {@link #names()}
   * @return the policy
   * @throws IllegalArgumentException if there is no such policy
   */
  public static PlacementPolicy of(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "policy: want one of " + String.join(", ", NAMES) + ", got " + name);
    }
    return new PlacementPolicy(name, LinkModel.nccl(), node -> List.of());
  }

  /**
   * Returns the names of all policies.
   *
   * @return {@code first-fit}, {@code best}, {@code pack}, {@code spread}
   */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Returns the same policy with other link rates.
   *
   * @param rates what paths carry
   * @return the policy
   */
  public PlacementPolicy withLinkModel(LinkModel rates) {
    return new PlacementPolicy(
        name, Objects.requireNonNull(rates, "rates: want a link model, got null"), overlays);
  }

  /**
   * Returns the same policy that also knows what others recorded about nodes, which wins over what
   * drivers publish.
   *
   * @param byNode gives the overlays of the node of some name, the last one wins; asked again when
   *     the slices of the node change. Must be thread-safe if the policy is used so
   * @return the policy
   */
  public PlacementPolicy withOverlays(Function<String, List<TopologyOverlay>> byNode) {
    return new PlacementPolicy(
        name, model, Objects.requireNonNull(byNode, "byNode: want a function, got null"));
  }

  /**
   * Returns the name of this policy.
   *
   * @return one of {@link #names()}
   */
  public String name() {
    return name;
  }

  @Override
  public boolean comparesNodes() {
    return !name.equals("first-fit");
  }

  /** What the claims of a question want together. */
  private record Demand(String policy, Optional<PathType> within, boolean required) {}

  private Demand demand(PolicyQuestion question)
      throws PlacementPreference.FaultyPreferenceException {
    String policy = null;
    PathType within = null;
    boolean required = false;
    int last = -1;
    for (Wanted wanted : question.requests()) {
      if (wanted.claimNumber() == last) {
        continue;
      }
      last = wanted.claimNumber();
      PlacementPreference preference = PlacementPreference.of(wanted.claim(), preferences);
      policy = policy == null ? preference.policy().orElse(null) : policy;
      PathType wish = preference.within().orElse(null);
      if (wish != null && (within == null || preference.required() || wish.isWithin(within))) {
        within = within != null && required && within.isWithin(wish) ? within : wish;
        required |= preference.required();
      }
    }
    return new Demand(policy == null ? name : policy, Optional.ofNullable(within), required);
  }

  /** The policy best, with the link rates and overlays of this one, and what it remembers. */
  PlacementPolicy asBest() {
    return name.equals("best") ? this : new PlacementPolicy("best", model, overlays);
  }

  /** The policy first-fit, with the link rates and overlays of this one. */
  PlacementPolicy asFirstFit() {
    return new PlacementPolicy("first-fit", model, overlays);
  }

  /** What a server is whose devices somebody can use. */
  ServerKind kind(NodeView view, Budget budget) throws BudgetExceededException {
    return kinds.of(view, budget);
  }

  /**
   * What a question wants of GPUs and NICs, if they can be chosen together with those of other
   * questions.
   */
  Optional<GangMasks> masks(PolicyQuestion question) throws BudgetExceededException {
    Demand demand;
    try {
      demand = demand(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // is told when devices are chosen
    }
    ServerKind kind = kinds.of(question.view(), question.budget());
    Wish wish = Wish.of(question, kind).orElse(null);
    if (wish == null || !question.requests().stream().allMatch(Wanted::open)) {
      return Optional.empty();
    }
    Choosing choosing = new Choosing(wish, kind, solvers.get(), Objective.BEST, question.budget());
    PathType within = demand.required ? demand.within.orElse(null) : null;
    return choosing.plain(within).map(plain -> new GangMasks(kind, wish, plain));
  }

  /** This policy, as far as it has a choice among some GPUs and NICs of a node. */
  AllocationPolicy among(long gpus, long nics) {
    PlacementPolicy outer = this;
    return new AllocationPolicy() {
      @Override
      public Choice choose(PolicyQuestion question) throws BudgetExceededException {
        try {
          ServerKind kind = kinds.of(question.view(), question.budget());
          Wish wish = Wish.among(question, kind, gpus, nics).orElse(null);
          return wish == null || wish.slots.isEmpty()
              ? new Choice.AsFound()
              : outer.choose(question, demand(question), kind, wish);
        } catch (PlacementPreference.FaultyPreferenceException e) {
          return new Choice.Faulty(String.valueOf(e.getMessage()));
        }
      }

      @Override
      public Optional<String> refuses(PolicyQuestion question, List<List<Candidate>> devices)
          throws BudgetExceededException {
        return outer.refuses(question, devices);
      }

      @Override
      public Optional<Score> score(PolicyQuestion question, List<List<Candidate>> devices)
          throws BudgetExceededException {
        return outer.score(question, devices);
      }
    };
  }

  /** What some devices of a node are worth together, of which some were free before. */
  static PlacementScore score(
      ServerKind kind, long freeGpus, long freeNics, int usersOfSockets, List<Candidate> devices) {
    return new Scorer(kind, Objective.BEST, freeGpus, freeNics, Optional.empty(), usersOfSockets)
        .score(devices);
  }

  private static Objective objective(String policy) {
    return switch (policy) {
      case "pack" -> Objective.PACK;
      case "spread" -> Objective.SPREAD;
      default -> Objective.BEST;
    };
  }

  @Override
  public Choice choose(PolicyQuestion question) throws BudgetExceededException {
    Demand demand;
    try {
      demand = demand(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return new Choice.Faulty(String.valueOf(e.getMessage()));
    }
    boolean firstFit = demand.policy.equals("first-fit");
    if (firstFit && !demand.required) {
      return new Choice.AsFound();
    }
    ServerKind kind = kinds.of(question.view(), question.budget());
    Wish wish = Wish.of(question, kind).orElse(null);
    Choice choice = new Choice.AsFound();
    if (wish != null && !wish.slots.isEmpty() && !firstFit) {
      choice = choose(question, demand, kind, wish);
    }
    if (!demand.required) {
      return choice;
    }
    List<List<Candidate>> devices =
        choice instanceof Choice.Devices chosen
            ? chosen.devices()
            : question.requests().stream().map(Wanted::firstFit).toList();
    Optional<String> reason = tooFar(question, demand, kind, devices);
    return reason.<Choice>map(Choice.Refused::new).orElse(choice);
  }

  @Override
  public Optional<String> refuses(PolicyQuestion question, List<List<Candidate>> devices)
      throws BudgetExceededException {
    try {
      Demand demand = demand(question);
      return demand.required
          ? tooFar(question, demand, kinds.of(question.view(), question.budget()), devices)
          : Optional.empty();
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Choice choose(PolicyQuestion question, Demand demand, ServerKind kind, Wish wish)
      throws BudgetExceededException {
    Choosing choosing =
        new Choosing(wish, kind, solvers.get(), objective(demand.policy), question.budget());
    Optional<long[]> chosen = Optional.empty();
    if (demand.within.isPresent()) {
      chosen = choosing.choose(demand.within.get());
    }
    if (chosen.isEmpty()) {
      chosen = choosing.choose(null);
    }
    return chosen
        .<Choice>map(slots -> new Choice.Devices(wish.answer(slots)))
        .orElseGet(Choice.AsFound::new);
  }

  /** Says why devices are farther apart than a claim allows; empty if they are not. */
  private static Optional<String> tooFar(
      PolicyQuestion question, Demand demand, ServerKind kind, List<List<Candidate>> devices) {
    PathType within = demand.within.orElse(PathType.SYSTEM);
    PlacementScore score = scorer(question, kind, demand).score(flat(devices));
    int far = 0;
    for (Map.Entry<PathType, Integer> path : score.paths().entrySet()) {
      far += Scorer.isWithin(path.getKey(), within) ? 0 : path.getValue();
    }
    if (far == 0) {
      return Optional.empty();
    }
    int wanted = score.pairs().size();
    int near = wanted - far;
    int possible =
        kind.layout()
            .map(
                shape ->
                    shape.pairsWithin(
                        free(question, kind.gpuOrdinals), free(question, kind.nicOrdinals), within))
            .orElse(near);
    return Optional.of(
        "claim %s requires %d pairs of a GPU and a NIC within %s; of the free devices of node %s %d such pairs can be made, and %d with what the claim can have"
            .formatted(
                question.requests().get(0).claim().displayName(),
                wanted,
                within,
                question.view().node().name(),
                possible,
                near));
  }

  @Override
  public Optional<Score> score(PolicyQuestion question, List<List<Candidate>> devices)
      throws BudgetExceededException {
    Demand demand;
    try {
      demand = demand(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // was told when devices were chosen
    }
    ServerKind kind = kinds.of(question.view(), question.budget());
    return Optional.of(scorer(question, kind, demand).score(flat(devices)));
  }

  private static Scorer scorer(PolicyQuestion question, ServerKind kind, Demand demand) {
    return new Scorer(
        kind,
        objective(demand.policy),
        free(question, kind.gpuOrdinals),
        free(question, kind.nicOrdinals),
        demand.within,
        Wish.usersOfSockets(question, kind));
  }

  private static long free(PolicyQuestion question, int[] ordinals) {
    long mask = 0;
    for (int i = 0; i < Math.min(ordinals.length, ServerShape.MAX_DEVICES); i++) {
      if (!question.view().isTaken(question.candidate(ordinals[i]))) {
        mask |= ServerShape.bit(i);
      }
    }
    return mask;
  }

  private static List<Candidate> flat(List<List<Candidate>> devices) {
    List<Candidate> all = new ArrayList<>();
    devices.forEach(all::addAll);
    return all;
  }
}
