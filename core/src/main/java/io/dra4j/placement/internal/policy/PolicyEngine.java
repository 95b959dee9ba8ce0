package io.dra4j.placement.internal.policy;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.AllocationPolicy.Choice;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.PolicyContext.Request;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.selection.ChosenDevices;
import io.dra4j.placement.internal.selection.DeviceSetRequest;
import io.dra4j.placement.internal.selection.DeviceSetSelector;
import io.dra4j.placement.internal.selection.PlainDemand;
import io.dra4j.placement.internal.selection.Scorer;
import io.dra4j.placement.internal.selection.SetWorth;
import io.dra4j.placement.internal.selection.SetWorthCache;
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
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a placement policy: chooses devices, refuses devices that are too far apart, and
 * scores devices. Gangs and scores of whole runs use it in addition to the policy. Thread-safe.
 */
public final class PolicyEngine {

  private static final String OTHER_THAN_FIRST =
      "chosen as by best, since the first devices that fit are farther apart than required";

  private static final String TIME_OVER =
      "the time ended before all sets were compared, so that there may be a better one";

  private static final String NOT_ALL =
      "the search ended at a limit before all sets were compared, so that there may be a better"
          + " one";

  private static volatile @Nullable Function<AllocationPolicy, PolicyEngine> access;

  private final PolicyName name;
  private final LinkModel model;
  private final Function<String, List<TopologyOverlay>> overlays;
  private final ServerModelCache kinds;
  private final PlacementPreference.Memory preferences = new PlacementPreference.Memory();
  private final ThreadLocal<TreeSetSolver> solvers = ThreadLocal.withInitial(TreeSetSolver::new);

  /**
   * Creates the engine of a policy.
   *
   * @param name the policy
   * @param model the bandwidths of paths
   * @param overlays returns the overlays for the name of a node
   */
  public PolicyEngine(
      PolicyName name, LinkModel model, Function<String, List<TopologyOverlay>> overlays) {
    this.name = name;
    this.model = model;
    this.overlays = overlays;
    this.kinds = new ServerModelCache(model, overlays, ServerModelCache.MAX_BYTES_OF_NODES);
  }

  /** Sets the access to the engine of a placement policy, which does not expose it. */
  public static void giveAccess(Function<AllocationPolicy, PolicyEngine> engineOf) {
    access = engineOf;
  }

  /** The engine of a placement policy. */
  public static PolicyEngine of(AllocationPolicy policy) {
    return Objects.requireNonNull(access, "no placement policy yet").apply(policy);
  }

  /** The name of the policy. */
  public PolicyName name() {
    return name;
  }

  /** Returns the evaluation of a question, once for choosing, refusing and scoring. */
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

  /** The bandwidths of paths. */
  public LinkModel model() {
    return model;
  }

  /** Returns the overlays for the name of a node. */
  public Function<String, List<TopologyOverlay>> overlays() {
    return overlays;
  }

  /** The server of a node. */
  public ServerModel kind(NodeView view, Budget budget) throws BudgetExceededException {
    return kinds.of(view, budget).kind;
  }

  /**
   * {@return the properties of a node that the policy depends on, in addition to those of claims;
   * equal for nodes on which the policy chooses the same devices, by position, and scores them
   * equally}
   *
   * @param allocator determines the devices in use
   */
  public Object sight(Allocator allocator, DeviceInventory inventory, NodeView view, Budget budget)
      throws BudgetExceededException {
    ServerModel kind = kind(view, budget);
    return new Sight(kind, ServerOccupancy.of(allocator, inventory, view, kind, Set.of()));
  }

  private record Sight(ServerModel kind, ServerOccupancy use) {}

  /**
   * The demand of a question for GPUs and NICs, if it can be met together with the demands of
   * others.
   *
   * @param near whether preferences count as requirements
   */
  public Optional<PlainDemand> plainDemand(PolicyContext question, boolean near)
      throws BudgetExceededException {
    PolicyEvaluation asked;
    try {
      asked = asked(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // choosing devices reports it
    }
    DeviceSetRequest wanted = asked.wanted().orElse(null);
    if (wanted == null
        || asked.preference().policy() != PolicyName.BEST
        || !question.requests().stream().allMatch(Request::open)
        || mayShare(asked.question())) {
      return Optional.empty();
    }
    return new DeviceSetSelector(wanted, solvers.get())
        .plain(near ? asked.preference().nearest() : asked.preference().required());
  }

  /** Whether a claim can have a device that others have as well, which sets do not express. */
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

  /** Returns whether a claim prefers pairs that are nearer than required. */
  public boolean prefers(PolicyContext question) throws BudgetExceededException {
    try {
      return asked(question).preference().preferred() != null;
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return false; // choosing devices reports it
    }
  }

  /** Chooses devices; GPUs and NICs only among some of the node. */
  public Choice choose(PolicyContext question, long gpus, long nics)
      throws BudgetExceededException {
    try {
      PolicyEvaluation asked = asked(question);
      DeviceSetRequest wanted = asked.wanted(gpus, nics).orElse(null);
      return wanted == null || !wanted.isOpen() ? new Choice.AsFound() : choose(asked, wanted);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return new Choice.Faulty(String.valueOf(e.getMessage()));
    }
  }

  /** Scores devices of a node together. */
  public PlacementScore score(ServerModel kind, ServerOccupancy before, List<NodeDevice> devices) {
    return score(new Scorer(kind, Objective.BEST, before, null), kind, List.of(devices));
  }

  /** Scores devices of a node together, by the preferences of the claims that have them. */
  public PlacementScore score(
      ServerModel kind,
      ServerOccupancy before,
      List<NodeDevice> devices,
      List<ResourceClaim> claims) {
    try {
      Scorer scorer = scorer(kind, before, JointPreference.of(claims, name, preferences));
      return score(scorer, kind, List.of(devices));
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return score(kind, before, devices); // choosing devices reported it
    }
  }

  private PlacementScore score(
      Scorer scorer, ServerModel kind, List<List<NodeDevice>> devicesOfRequests) {
    ChosenDevices chosen = ChosenDevices.of(kind, devicesOfRequests);
    return PlacementScores.of(scorer.worth(chosen, worths(kind)), chosen);
  }

  /** The cache of the worth of sets for a kind of servers. */
  private static SetWorthCache worths(ServerModel kind) {
    return kind.memo(SetWorthCache.class, SetWorthCache::new);
  }

  private static Scorer scorer(
      ServerModel kind, ServerOccupancy before, JointPreference preference) {
    return new Scorer(
        kind, preference.objective(), before, preference.nearest(), preference.required());
  }

  /** As {@link AllocationPolicy#choose}. */
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
    DeviceSetRequest wanted = asked.wanted().orElse(null);
    if (wanted != null && wanted.isOpen()) {
      return choose(isFirstFit ? asked.withNote(OTHER_THAN_FIRST) : asked, wanted);
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

  /** As {@link AllocationPolicy#refuses}. */
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
      asked.withNote(TIME_OVER);
    } else if (choosing.mayBeBetter()) {
      asked.withNote(NOT_ALL);
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

  /** Ends the search for an answer if devices are too far apart but others may not be. */
  private void checkNear(PolicyEvaluation asked, List<List<NodeDevice>> devices)
      throws BudgetExceededException {
    if (asked.preference().required() == null) {
      return;
    }
    Optional<String> reason = tooFar(asked, devices);
    if (reason.isPresent()) {
      throw new BudgetExceededException(
          reason.get() + ", and not all other devices that the claim may have were tried");
    }
  }

  /**
   * Returns the reason why devices are farther apart than a claim requires; empty if they are not.
   */
  private Optional<String> tooFar(PolicyEvaluation asked, List<List<NodeDevice>> devices) {
    PathType within = asked.preference().required();
    if (within == null) {
      return Optional.empty();
    }
    List<List<NodeDevice>> used = used(asked.question(), devices);
    Scorer nearest = new Scorer(asked.kind(), Objective.PACK, asked.use(), within);
    SetWorth worth = nearest.worth(ChosenDevices.of(asked.kind(), used), worths(asked.kind()));
    int pairs = Math.min(count(asked.kind().gpuOf, used), count(asked.kind().nicOf, used));
    int near = 0;
    for (Map.Entry<PathType, Integer> path : worth.paths().entrySet()) {
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

  /** The devices of the requests that use them. Admin access to a device does not use it. */
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

  /** As {@link AllocationPolicy#score}. */
  public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    PolicyEvaluation asked;
    try {
      asked = asked(question);
    } catch (PlacementPreference.FaultyPreferenceException e) {
      return Optional.empty(); // choosing devices reported it
    }
    PlacementScore score =
        score(
            scorer(asked.kind(), asked.use(), asked.preference()),
            asked.kind(),
            used(question, SearchPolicyContext.nodeDevices(devices)));
    String note = whyOtherwise(asked);
    return Optional.of(note == null ? score : PlacementScores.withNote(score, note));
  }

  /** The reason why the devices are not chosen by the rules of the policy; null if they are. */
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
    DeviceSetRequest wanted = asked.wanted().orElse(null);
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
            + " handles at most %d GPUs and %d NICs"
                .formatted(ServerTree.MAX_DEVICES, ServerTree.MAX_DEVICES);
  }
}
