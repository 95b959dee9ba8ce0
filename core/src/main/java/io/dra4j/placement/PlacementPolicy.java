package io.dra4j.placement;

import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.PolicyQuestion;
import io.dra4j.allocation.PolicyQuestion.Wanted;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ResourceClaim;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyOverlay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
 * tied by attributes that are no level of the topology, the pairs that carry most are found by
 * flows, and then sets are looked at one by one, 20,000 steps at most. What Kubernetes would choose
 * stays where nothing better is found, and devices of requests that leave no choice, as those for
 * all devices, count as parts of the set.
 *
 * <p>A claim can say what it wants in its configuration for the driver {@code dra4j.io}: a JSON
 * object with {@code apiVersion: dra4j.io/v1alpha1}, {@code kind: Placement}, {@code policy} (one
 * of {@link #names()}) and {@code alignment}, which has {@code within} (the type of a path) and
 * {@code mode} ({@code Preferred} or {@code Required}). Unknown fields are a fault of the claim.
 * Several claims of a pod are placed together: the first policy that one names counts, the nearest
 * {@code within} that one requires, and the nearest one that one prefers. A claim that requires
 * devices near to each other does not fit where it is known that there are none; where that is not
 * known, since constraints, counters or too many devices stand against it, it is undecided.
 *
 * <p>Immutable, except for what is remembered of nodes; thread-safe.
 */
public final class PlacementPolicy implements AllocationPolicy {

  /** The driver in whose configuration a claim says what it wants of policies. */
  public static final String PREFERENCES_DRIVER = "dra4j.io";

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

  /**
   * What the claims of a question want together.
   *
   * @param required how far apart pairs must be at most; null if no claim requires it
   * @param requiring the claim that requires it
   * @param preferred how far apart pairs should be at most; null if no claim prefers what is nearer
   *     than what is required
   */
  private record Demand(
      String policy,
      @Nullable PathType required,
      @Nullable ResourceClaim requiring,
      @Nullable PathType preferred) {

    Optional<PathType> nearest() {
      return Optional.ofNullable(preferred == null ? required : preferred);
    }
  }

  private Demand demand(PolicyQuestion question)
      throws PlacementPreference.FaultyPreferenceException {
    String policy = null;
    PathType required = null;
    ResourceClaim requiring = null;
    PathType preferred = null;
    int last = -1;
    for (Wanted wanted : question.requests()) {
      if (wanted.claimNumber() == last) {
        continue;
      }
      last = wanted.claimNumber();
      PlacementPreference preference = PlacementPreference.of(wanted.claim(), preferences);
      policy = policy == null ? preference.policy().orElse(null) : policy;
      PathType wish = preference.within().orElse(null);
      if (wish != null && preference.required()) {
        requiring = required == null || !required.isWithin(wish) ? wanted.claim() : requiring;
        required = required == null || wish.isWithin(required) ? wish : required;
      } else if (wish != null) {
        preferred = preferred == null || wish.isWithin(preferred) ? wish : preferred;
      }
    }
    boolean more = preferred != null && (required == null || !required.isWithin(preferred));
    return new Demand(policy == null ? name : policy, required, requiring, more ? preferred : null);
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
   *
   * @param near whether what is preferred counts as if it were required
   */
  Optional<GangMasks> masks(PolicyQuestion question, boolean near) throws BudgetExceededException {
    Demand demand;
    try {
      demand = demand(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // is told when devices are chosen
    }
    ServerKind kind = kinds.of(question.view(), question.budget());
    Wish wish = Wish.of(question, kind).orElse(null);
    if (wish == null
        || !demand.policy.equals("best")
        || !question.requests().stream().allMatch(Wanted::open)) {
      return Optional.empty();
    }
    Choosing choosing = new Choosing(wish, kind, solvers.get(), Objective.BEST, question.budget());
    return choosing
        .plain(near ? demand.nearest().orElse(null) : demand.required)
        .map(plain -> new GangMasks(kind, wish, plain));
  }

  /** Whether a claim prefers pairs that are nearer than what claims require. */
  boolean prefers(PolicyQuestion question) {
    try {
      return demand(question).preferred != null;
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return false; // is told when devices are chosen
    }
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
          return wish == null || !wish.isOpen()
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
    if (firstFit && demand.required == null) {
      return new Choice.AsFound();
    }
    ServerKind kind = kinds.of(question.view(), question.budget());
    Wish wish = firstFit ? null : Wish.of(question, kind).orElse(null);
    if (wish != null && wish.isOpen()) {
      return choose(question, demand, kind, wish);
    }
    if (demand.required == null) {
      return new Choice.AsFound();
    }
    Optional<String> reason = tooFar(question, demand, kind, firstFit(question));
    return reason.<Choice>map(Choice.Refused::new).orElseGet(Choice.AsFound::new);
  }

  private static List<List<Candidate>> firstFit(PolicyQuestion question) {
    return question.requests().stream().map(Wanted::firstFit).toList();
  }

  @Override
  public Optional<String> refuses(PolicyQuestion question, List<List<Candidate>> devices)
      throws BudgetExceededException {
    try {
      Demand demand = demand(question);
      if (demand.required != null) {
        checkNear(question, demand, kinds.of(question.view(), question.budget()), devices);
      }
      return Optional.empty();
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Choice choose(PolicyQuestion question, Demand demand, ServerKind kind, Wish wish)
      throws BudgetExceededException {
    Choosing choosing =
        new Choosing(wish, kind, solvers.get(), objective(demand.policy), question.budget());
    Choosing.Chosen chosen = new Choosing.Chosen(null, false);
    if (demand.preferred != null) {
      chosen = choosing.choose(demand.preferred, true);
    }
    if (chosen.devices() == null) {
      boolean required = demand.required != null;
      chosen = choosing.choose(required ? demand.required : demand.preferred, required);
    }
    if (chosen.devices() != null) {
      return new Choice.Devices(chosen.devices());
    }
    if (demand.required != null && chosen.isDecided()) {
      return new Choice.Refused(
          words(question, demand, wish.pairs())
              + "; of the free devices of node %s %s"
                  .formatted(question.view().node().name(), choosing.possible(demand.required)));
    }
    if (demand.required != null) {
      checkNear(question, demand, kind, firstFit(question));
    }
    return new Choice.AsFound();
  }

  /** How many pairs how near a claim requires, in words. */
  private static String words(PolicyQuestion question, Demand demand, int pairs) {
    ResourceClaim claim = demand.requiring;
    return "claim %s requires %d pairs of a GPU and a NIC within %s"
        .formatted(
            (claim == null ? question.requests().get(0).claim() : claim).displayName(),
            pairs,
            demand.required);
  }

  /** Ends the search for an answer where devices are too far apart, and others may not be. */
  private static void checkNear(
      PolicyQuestion question, Demand demand, ServerKind kind, List<List<Candidate>> devices)
      throws BudgetExceededException {
    Optional<String> reason = tooFar(question, demand, kind, devices);
    if (reason.isPresent()) {
      throw new BudgetExceededException(
          reason.get() + ", and not all others that the claim might have were tried");
    }
  }

  /** Says why devices are farther apart than a claim allows; empty if they are not. */
  private static Optional<String> tooFar(
      PolicyQuestion question, Demand demand, ServerKind kind, List<List<Candidate>> devices) {
    Optional<PathType> within = Optional.ofNullable(demand.required);
    PlacementScore score = scorer(question, kind, demand, within).score(flat(devices));
    int pairs = Math.min(count(kind.gpuOf, devices), count(kind.nicOf, devices));
    int near = 0;
    for (Map.Entry<PathType, Integer> path : score.paths().entrySet()) {
      near +=
          within.isEmpty() || Scorer.isWithin(path.getKey(), within.get()) ? path.getValue() : 0;
    }
    return near >= pairs
        ? Optional.empty()
        : Optional.of(
            words(question, demand, pairs)
                + "; the devices of node %s that were tried have %d such pairs"
                    .formatted(question.view().node().name(), near));
  }

  private static int count(int[] places, List<List<Candidate>> devices) {
    return (int)
        devices.stream()
            .flatMap(List::stream)
            .filter(device -> places[device.ordinal()] >= 0)
            .count();
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
    PlacementScore score = scorer(question, kind, demand, demand.nearest()).score(flat(devices));
    String note = whyFirstFit(question, demand, kind);
    return Optional.of(note == null ? score : score.noting(note));
  }

  /** Why the answer is the first devices that fit, though the policy would choose; null if not. */
  private static @Nullable String whyFirstFit(
      PolicyQuestion question, Demand demand, ServerKind kind) throws BudgetExceededException {
    if (demand.policy.equals("first-fit")) {
      return null;
    }
    if (question.isProposalRefused()) {
      return "these are the first devices that fit, since those that "
          + demand.policy
          + " wanted break a constraint or another rule";
    }
    if (kind.isSmall()) {
      return null;
    }
    Wish wish = Wish.of(question, kind).orElse(null);
    return wish != null && wish.isOpen() && wish.isTooLarge()
        ? "these are the first devices that fit, since there are too many GPUs and NICs to compare"
        : null;
  }

  private static Scorer scorer(
      PolicyQuestion question, ServerKind kind, Demand demand, Optional<PathType> wanted) {
    return new Scorer(
        kind,
        objective(demand.policy),
        free(question, kind.gpuOrdinals),
        free(question, kind.nicOrdinals),
        wanted,
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
