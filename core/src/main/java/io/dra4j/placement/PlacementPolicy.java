package io.dra4j.placement;

import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.PolicyContext.Request;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.gang.GangPodDemand;
import io.dra4j.placement.internal.selection.DeviceSetRequest;
import io.dra4j.placement.internal.selection.DeviceSetSelector;
import io.dra4j.placement.internal.selection.Scorer;
import io.dra4j.placement.internal.server.NodeServerModel;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerModelCache;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
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
 * in another order. Where a node has at most 64 GPUs and 64 NICs, the GPUs in question are alike,
 * and so are the NICs, and pairs share no more than the link between sockets, the best set is found
 * exactly. Where devices differ in their rates, requests want different ones of a kind or are tied
 * by attributes that are no level of the topology, and where pairs share ports or fill the uplinks
 * of switches, the pairs that carry most by themselves are found by flows, and then sets are looked
 * at one by one, 20,000 steps at most; the score says so where that does not show that no other set
 * is faster. What Kubernetes would choose stays where nothing better is found, and devices of
 * requests that leave no choice, as those for all devices, count as parts of the set.
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

  private static final String OTHER_THAN_FIRST =
      "chosen as best would, since the first devices that fit are farther apart than required";

  private static final String TIME_OVER =
      "the time was over before all sets were compared, so that there may be a better one";

  private static final String NOT_ALL =
      "the search ended at a limit before all sets were compared, so that there may be a better"
          + " one";

  private final PolicyName name;
  private final LinkModel model;
  private final Function<String, List<TopologyOverlay>> overlays;
  private final ServerModelCache kinds;
  private final PlacementPreference.Memory preferences = new PlacementPreference.Memory();
  private final ThreadLocal<TreeSetSolver> solvers = ThreadLocal.withInitial(TreeSetSolver::new);

  private PlacementPolicy(
      PolicyName name, LinkModel model, Function<String, List<TopologyOverlay>> overlays) {
    this.name = name;
    this.model = model;
    this.overlays = overlays;
    this.kinds = new ServerModelCache(model, overlays, ServerModelCache.MAX_BYTES_OF_NODES);
  }

  /**
   * Returns the policy that wants the most bandwidth between GPUs and NICs; of equally fast sets
   * the nearest pairs, then the fewest NUMA nodes, then what keeps the rest of the server most
   * useful, then the devices that Kubernetes tries first.
   *
   * @return the policy {@code best}
   */
  public static PlacementPolicy best() {
    return of(PolicyName.BEST);
  }

  /**
   * Returns the policy that keeps most of the server useful for others: whole pairs, whole groups,
   * whole NUMA nodes. Only then does bandwidth count. On a node with more than 64 GPUs or NICs
   * bandwidth alone counts, which the score says.
   *
   * @return the policy {@code pack}
   */
  public static PlacementPolicy pack() {
    return of(PolicyName.PACK);
  }

  /**
   * Returns the policy that wants the most bandwidth, and of equally fast sets the one that is
   * spread over most groups of devices. On a node with more than 64 GPUs or NICs bandwidth alone
   * counts, which the score says.
   *
   * @return the policy {@code spread}
   */
  public static PlacementPolicy spread() {
    return of(PolicyName.SPREAD);
  }

  /**
   * Returns the policy that chooses as Kubernetes does, and scores what that is worth.
   *
   * @return the policy {@code first-fit}
   */
  public static PlacementPolicy firstFit() {
    return of(PolicyName.FIRST_FIT);
  }

  /**
   * Returns a policy by its name.
   *
   * @param name one of {@link #names()}
   * @return the policy
   * @throws IllegalArgumentException if there is no such policy
   */
  public static PlacementPolicy of(String name) {
    Objects.requireNonNull(name, "name: want the name of a policy, got null");
    return of(
        PolicyName.of(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "policy: want one of "
                            + String.join(", ", PolicyName.NAMES)
                            + ", got "
                            + name)));
  }

  private static PlacementPolicy of(PolicyName name) {
    return new PlacementPolicy(name, LinkModel.nccl(), node -> List.of());
  }

  /**
   * Tells whether a claim says what it wants of a policy: whether it has parameters for the driver
   * {@value #PREFERENCES_DRIVER}, whatever they say.
   *
   * @param claim the claim
   * @return whether it has any
   */
  public static boolean hasPreferences(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim: want a claim, got null");
    return claim.spec().config().stream()
        .anyMatch(
            config ->
                config.opaque() != null && config.opaque().driver().equals(PREFERENCES_DRIVER));
  }

  /**
   * Returns the names of all policies.
   *
   * @return {@code first-fit}, {@code best}, {@code pack}, {@code spread}
   */
  public static List<String> names() {
    return PolicyName.NAMES;
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
    return name.toString();
  }

  public PolicyName policyName() {
    return name;
  }

  @Override
  public boolean comparesNodes() {
    return name != PolicyName.FIRST_FIT;
  }

  /** What this policy makes out about a question, or has made out before. */
  private PolicyEvaluation asked(PolicyContext context)
      throws PlacementPreference.FaultyPreferenceException, BudgetExceededException {
    SearchPolicyContext question = SearchPolicyContext.of(context);
    PolicyEvaluation known = question.attachment(PolicyEvaluation.class).orElse(null);
    if (known != null && known.by() == this) {
      return known;
    }
    JointPreference preference = JointPreference.of(claims(question), name, preferences);
    NodeServerModel server = kinds.of(question.view(), question.budget());
    ServerOccupancy use =
        ServerOccupancy.of(
            question.inventory(),
            question.view(),
            question::candidate,
            (NodeDevice device) -> question.isInUse(device),
            server.kind);
    PolicyEvaluation asked = new PolicyEvaluation(this, question, preference, server, use, null);
    question.attach(asked);
    return asked;
  }

  private static List<ResourceClaim> claims(PolicyContext question) {
    List<ResourceClaim> claims = new ArrayList<>(1);
    int last = -1;
    for (Request request : question.requests()) {
      if (request.claimNumber() != last) {
        claims.add(request.claim());
        last = request.claimNumber();
      }
    }
    return claims;
  }

  /** The policy best, with the link rates and overlays of this one, and what it remembers. */
  public PlacementPolicy asBest() {
    return name == PolicyName.BEST ? this : new PlacementPolicy(PolicyName.BEST, model, overlays);
  }

  /** The policy first-fit, with the link rates and overlays of this one. */
  public PlacementPolicy asFirstFit() {
    return new PlacementPolicy(PolicyName.FIRST_FIT, model, overlays);
  }

  /** What a server is whose devices somebody can use. */
  public ServerModel kind(NodeView view, Budget budget) throws BudgetExceededException {
    return kinds.of(view, budget).kind;
  }

  /**
   * What a question wants of GPUs and NICs, if they can be chosen together with those of other
   * questions.
   *
   * @param near whether what is preferred counts as if it were required
   */
  public Optional<GangPodDemand> masks(PolicyContext question, boolean near)
      throws BudgetExceededException {
    PolicyEvaluation asked;
    try {
      asked = asked(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // is told when devices are chosen
    }
    DeviceSetRequest wanted = DeviceSetRequest.of(asked).orElse(null);
    if (wanted == null
        || asked.preference().policy() != PolicyName.BEST
        || !question.requests().stream().allMatch(Request::open)
        || mayShare(asked.question())) {
      return Optional.empty();
    }
    return new DeviceSetSelector(wanted, solvers.get())
        .plain(near ? asked.preference().nearest() : asked.preference().required())
        .map(plain -> new GangPodDemand(asked.kind(), wanted, plain));
  }

  /** Whether a claim can have a device that others have, too: sets of devices do not say so. */
  private static boolean mayShare(SearchPolicyContext question) throws BudgetExceededException {
    for (int ordinal = 0; ordinal < question.view().size(); ordinal++) {
      question.budget().spend(1);
      NodeDevice device = question.candidate(ordinal);
      for (int i = 0;
          device.device().allowMultipleAllocations() && i < question.requests().size();
          i++) {
        if (question.canUse(i, device)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a claim prefers pairs that are nearer than what claims require. */
  public boolean prefers(PolicyContext question) throws BudgetExceededException {
    try {
      return asked(question).preference().preferred() != null;
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return false; // is told when devices are chosen
    }
  }

  /** This policy, as far as it has a choice among some GPUs and NICs of a node. */
  public AllocationPolicy among(long gpus, long nics) {
    PlacementPolicy outer = this;
    return new AllocationPolicy() {
      @Override
      public Choice choose(PolicyContext question) throws BudgetExceededException {
        try {
          PolicyEvaluation asked = asked(question);
          DeviceSetRequest wanted = DeviceSetRequest.among(asked, gpus, nics).orElse(null);
          return wanted == null || !wanted.isOpen()
              ? new Choice.AsFound()
              : outer.choose(asked, wanted);
        } catch (PlacementPreference.FaultyPreferenceException e) {
          return new Choice.Faulty(String.valueOf(e.getMessage()));
        }
      }

      @Override
      public Optional<String> refuses(PolicyContext question, List<List<PolicyDevice>> devices)
          throws BudgetExceededException {
        return outer.refuses(question, devices);
      }

      @Override
      public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
          throws BudgetExceededException {
        return outer.score(question, devices);
      }
    };
  }

  /** What some devices of a node are worth together. */
  public static PlacementScore score(
      ServerModel kind, ServerOccupancy before, List<NodeDevice> devices) {
    return new Scorer(kind, Objective.BEST, before, null).score(List.of(devices));
  }

  /** The same, with what claims that have the devices want of this policy. */
  public PlacementScore score(
      ServerModel kind,
      ServerOccupancy before,
      List<NodeDevice> devices,
      List<ResourceClaim> claims) {
    try {
      return scorer(kind, before, JointPreference.of(claims, name, preferences))
          .score(List.of(devices));
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return score(kind, before, devices); // was told when devices were chosen
    }
  }

  private static Scorer scorer(
      ServerModel kind, ServerOccupancy before, JointPreference preference) {
    return new Scorer(
        kind, preference.objective(), before, preference.nearest(), preference.required());
  }

  @Override
  public Choice choose(PolicyContext question) throws BudgetExceededException {
    try {
      return choose(asked(question));
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return new Choice.Faulty(String.valueOf(e.getMessage()));
    }
  }

  private Choice choose(PolicyEvaluation asked) throws BudgetExceededException {
    List<List<NodeDevice>> firstFit = firstFit(asked.question());
    boolean isFirstFit = asked.preference().isFirstFit();
    if (isFirstFit && tooFar(asked, firstFit).isEmpty()) {
      return new Choice.AsFound();
    }
    DeviceSetRequest wanted = DeviceSetRequest.of(asked).orElse(null);
    if (wanted != null && wanted.isOpen()) {
      return choose(isFirstFit ? asked.noting(OTHER_THAN_FIRST) : asked, wanted);
    }
    if (asked.preference().required() == null) {
      return new Choice.AsFound();
    }
    if (wanted == null) {
      checkNear(asked, firstFit); // others may be nearer
    }
    Optional<String> reason = tooFar(asked, firstFit);
    return reason.<Choice>map(Choice.Refused::new).orElseGet(Choice.AsFound::new);
  }

  private static List<List<NodeDevice>> firstFit(SearchPolicyContext question) {
    return SearchPolicyContext.nodeDevices(question.firstFit());
  }

  @Override
  public Optional<String> refuses(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    try {
      checkNear(asked(question), SearchPolicyContext.nodeDevices(devices));
      return Optional.empty();
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Choice choose(PolicyEvaluation asked, DeviceSetRequest wanted)
      throws BudgetExceededException {
    JointPreference preference = asked.preference();
    DeviceSetSelector choosing = new DeviceSetSelector(wanted, solvers.get());
    DeviceSetSelector.Chosen chosen = new DeviceSetSelector.Chosen(null, false);
    if (preference.preferred() != null) {
      chosen = choosing.choose(preference.preferred(), preference.preferred());
    }
    if (chosen.devices() == null) {
      boolean mostNear = preference.objective() == Objective.PACK || preference.required() == null;
      chosen =
          choosing.choose(
              mostNear ? preference.nearest() : preference.required(), preference.required());
    }
    if (choosing.isCut()) {
      asked.noting(TIME_OVER);
    } else if (choosing.mayBeBetter()) {
      asked.noting(NOT_ALL);
    }
    if (chosen.devices() != null) {
      return new Choice.Devices(SearchPolicyContext.policyDevices(chosen.devices()));
    }
    if (preference.required() != null && chosen.isDecided()) {
      return new Choice.Refused(
          preference.words(asked.question(), wanted.pairs())
              + "; of the free devices of node %s %s"
                  .formatted(
                      asked.question().view().node().name(),
                      choosing.possible(preference.required())));
    }
    checkNear(asked, firstFit(asked.question()));
    return new Choice.AsFound();
  }

  /** Ends the search for an answer where devices are too far apart, and others may not be. */
  private static void checkNear(PolicyEvaluation asked, List<List<NodeDevice>> devices)
      throws BudgetExceededException {
    if (asked.preference().required() == null) {
      return;
    }
    Optional<String> reason = tooFar(asked, devices);
    if (reason.isPresent()) {
      throw new BudgetExceededException(
          reason.get() + ", and not all others that the claim might have were tried");
    }
  }

  /** Says why devices are farther apart than a claim requires; empty if they are not. */
  private static Optional<String> tooFar(PolicyEvaluation asked, List<List<NodeDevice>> devices) {
    PathType within = asked.preference().required();
    if (within == null) {
      return Optional.empty();
    }
    List<List<NodeDevice>> used = used(asked.question(), devices);
    Scorer nearest = new Scorer(asked.kind(), Objective.PACK, asked.use(), within);
    PlacementScore score = nearest.score(used);
    int pairs = Math.min(count(asked.kind().gpuOf, used), count(asked.kind().nicOf, used));
    int near = 0;
    for (Map.Entry<PathType, Integer> path : score.paths().entrySet()) {
      near += Scorer.isWithin(path.getKey(), within) ? path.getValue() : 0;
    }
    return near >= pairs
        ? Optional.empty()
        : Optional.of(
            asked.preference().words(asked.question(), pairs)
                + "; the devices of node %s that were tried have %d such %s"
                    .formatted(
                        asked.question().view().node().name(), near, near == 1 ? "pair" : "pairs"));
  }

  /** The devices of those requests that use them: who administers a device does not. */
  private static List<List<NodeDevice>> used(
      PolicyContext question, List<List<NodeDevice>> devices) {
    List<List<NodeDevice>> used = new ArrayList<>(devices);
    for (int i = 0; i < Math.min(used.size(), question.requests().size()); i++) {
      if (Boolean.TRUE.equals(question.requests().get(i).exactly().adminAccess())) {
        used.set(i, List.of());
      }
    }
    return used;
  }

  private static int count(int[] places, List<List<NodeDevice>> devices) {
    return (int)
        devices.stream()
            .flatMap(List::stream)
            .filter(device -> places[device.ordinal()] >= 0)
            .count();
  }

  @Override
  public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    PolicyEvaluation asked;
    try {
      asked = asked(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // was told when devices were chosen
    }
    PlacementScore score =
        scorer(asked.kind(), asked.use(), asked.preference())
            .score(used(question, SearchPolicyContext.nodeDevices(devices)));
    String note = whyOtherwise(asked);
    return Optional.of(note == null ? score : score.noting(note));
  }

  /** Why the devices are not chosen as the policy says; null if they are. */
  private static @Nullable String whyOtherwise(PolicyEvaluation asked)
      throws BudgetExceededException {
    JointPreference preference = asked.preference();
    if (asked.question().isProposalRefused()) {
      return "these are the first devices that fit, since those that "
          + preference.policy()
          + " wanted break a constraint or another rule";
    }
    if (asked.note() != null || preference.isFirstFit() || asked.kind().isSmall()) {
      return asked.note();
    }
    DeviceSetRequest wanted = DeviceSetRequest.of(asked).orElse(null);
    if (wanted == null || !wanted.isOpen()) {
      return null;
    } else if (wanted.isTooLarge()) {
      return "these are the first devices that fit, since there are too many GPUs and NICs to"
          + " compare";
    }
    return preference.objective() == Objective.BEST
        ? null
        : "by bandwidth alone, since "
            + preference.policy()
            + " looks at no more than %d GPUs and %d NICs"
                .formatted(ServerTree.MAX_DEVICES, ServerTree.MAX_DEVICES);
  }
}
