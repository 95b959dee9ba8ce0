package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.cli.cluster.ExplainReport.DrawnDevice;
import io.dra4j.cli.cluster.ExplainReport.Group;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Progress;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.ExplanationBug;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.scheduling.defragmentation.MovablePod;
import io.dra4j.scheduling.defragmentation.MoveAdvisor;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Places the pods of a cluster, and explains why some of them fit on no node. */
final class ExplainRun {

  /** The limit of different reasons that are explained in full for each pod. */
  private static final int MAX_GROUPS = 4;

  /** The limit of pods that are explained. */
  private static final int MAX_PODS = 16;

  /** The time limit for all searches for moves of running pods. */
  private static final Duration TIME_FOR_MOVES = Duration.ofSeconds(10);

  /** Labels by which the pods of a controller differ; they are no reason of a refusal. */
  private static final List<String> OF_ONE_POD =
      List.of(
          "statefulset.kubernetes.io/pod-name",
          "apps.kubernetes.io/pod-index",
          "batch.kubernetes.io/job-completion-index");

  private static final Duration OVER = Duration.ofNanos(-1);

  private static final String NO_TIME_FOR_MOVES =
      "no time was left to search for moves of running pods";

  private final Terminal terminal;
  private final Allocator allocator;
  private final SelectorCompiler selectors;
  private final Duration timeout;
  private final @Nullable String onlyNode;
  private final @Nullable String onlyClaim;
  private Duration timeForMoves = TIME_FOR_MOVES; // the rest of it
  private Budget budget = Budget.unlimited(); // of the whole run
  private @Nullable ClusterPods onNodes; // null if no pod can move
  private @Nullable ExplainReport report;

  public ExplainRun(
      Terminal terminal,
      Allocator allocator,
      SelectorCompiler selectors,
      Duration timeout,
      @Nullable String onlyNode,
      @Nullable String onlyClaim) {
    this.terminal = terminal;
    this.allocator = allocator;
    this.selectors = selectors;
    this.timeout = timeout;
    this.onlyNode = onlyNode;
    this.onlyClaim = onlyClaim;
  }

  /** Returns the report; empty if the input is bad. */
  Optional<ExplainReport> report() {
    return Optional.ofNullable(report);
  }

  ExitCode run(ClusterInput input, Budget time) {
    budget = time;
    List<Manifest> manifests = input.manifests();
    PodQueue queue = input.queue();
    DeviceInventory inventory = DeviceInventory.of(input.snapshot());
    List<String> faults = new ArrayList<>();
    InputChecks.unknownNode(onlyNode, inventory).ifPresent(faults::add);
    ClaimKey claim = claimKey();
    if (claim != null && !queue.claims().containsKey(claim)) {
      List<String> claims = queue.claims().keySet().stream().map(ClaimKey::toString).toList();
      faults.add(
          "--claim: no ResourceClaim %s in the input; claims: %s"
              .formatted(claim, claims.isEmpty() ? "none" : CommandMessages.some(claims)));
    }
    if (!faults.isEmpty()) {
      faults.forEach(terminal::problem);
      return ExitCode.BAD_INPUT;
    }
    boolean isOfPod = !input.scope().pod().isEmpty();
    Predicate<String> asked = claim == null ? input.scope()::coversProblem : ofUsers(claim, input);
    ExitCode code = InputChecks.report(terminal, input, inventory, List.of(), asked, isOfPod);
    List<ExplainReport.Pod> pods = new ArrayList<>();
    if (isOfPod && !AskedPod.isQueued(input)) {
      AskedPod answer = AskedPod.of(input);
      pods.add(answer.pod());
      code = code.or(answer.code());
    } else {
      code = code.or(explainAll(input, inventory, claim, pods));
    }
    if (claim != null) {
      addAllocated(claim, queue, pods);
    }
    report =
        new ExplainReport(
            List.copyOf(pods),
            new JobsWithoutNics(inventory, selectors, manifests).warnings(queue));
    return code;
  }

  /** Returns a filter for the problems of objects whose pods use a claim. */
  private static Predicate<String> ofUsers(ClaimKey claim, ClusterInput input) {
    Set<String> users = new HashSet<>();
    for (Manifest manifest : input.manifests()) {
      KubernetesObject object = manifest.object();
      String namespace = object.metadata().namespaceOrDefault();
      List<PodSpec> specs =
          object instanceof PodController controller
              ? controller.podSpecs()
              : object instanceof Pod pod ? List.of(pod.spec()) : List.of();
      if (namespace.equals(claim.namespace())
          && specs.stream()
              .flatMap(spec -> spec.resourceClaims().stream())
              .anyMatch(entry -> claim.name().equals(entry.resourceClaimName()))) {
        String kind = object instanceof Pod ? "pod" : object.getClass().getSimpleName();
        users.add(kind + " " + namespace + "/" + object.metadata().name());
      }
    }
    return problem -> users.contains(problem.substring(0, Math.max(0, problem.indexOf(": "))));
  }

  private ExitCode explainAll(
      ClusterInput input,
      DeviceInventory inventory,
      @Nullable ClaimKey claim,
      List<ExplainReport.Pod> pods) {
    ExitCode code = ExitCode.OK;
    ClusterOutcome placed = place(input.queue(), inventory);
    List<MovablePod> running = running(placed);
    onNodes =
        running.isEmpty() ? null : ClusterPods.of(input.queue(), placed, inventory, allocator);
    Before before = new Before(inventory, input.queue().claims());
    Map<String, Manifest> manifests = input.podsByName();
    for (PodOutcome outcome : placed.pods()) {
      if (input.scope().covers(outcome)
          && (claim == null || outcome.pod().claims().contains(claim))) {
        code = code.or(AllocateRun.codeOf(outcome));
        ExplainReport.Pod found = explainSafely(outcome, before, running, hasEnough(pods));
        Manifest manifest = manifests.get(found.name());
        List<String> holds = manifest == null ? List.of() : SchedulerHolds.of(manifest);
        pods.add(found.withSummary(AskedPod.withHolds(holds, found.summary())));
      }
      before.after(outcome);
    }
    return code;
  }

  private @Nullable ClaimKey claimKey() {
    if (onlyClaim == null) {
      return null;
    }
    int slash = onlyClaim.indexOf('/');
    return slash < 0
        ? new ClaimKey("default", onlyClaim)
        : new ClaimKey(onlyClaim.substring(0, slash), onlyClaim.substring(slash + 1));
  }

  /** Adds a claim that no pod waits for, because it is allocated. */
  private static void addAllocated(ClaimKey claim, PodQueue queue, List<ExplainReport.Pod> pods) {
    ResourceClaim known = queue.claims().get(claim);
    if (pods.isEmpty() && known != null && known.allocation() != null) {
      pods.add(
          ExplainReport.Pod.fitting(
              claim.toString(),
              "",
              "is allocated: "
                  + CommandMessages.some(
                      known.allocation().results().stream()
                          .map(result -> result.deviceId().toString())
                          .toList())));
    }
  }

  private static boolean hasEnough(List<ExplainReport.Pod> pods) {
    return pods.stream().filter(pod -> !pod.fits()).count() >= MAX_PODS;
  }

  private ClusterOutcome place(PodQueue queue, DeviceInventory inventory) {
    ClusterRun.Builder run =
        ClusterRun.builder(allocator)
            .podGroups(
                GangPlacement.builder(allocator).policy(PlacementPolicy.firstFit()).build(),
                timeout);
    if (onlyNode != null) {
      run.node(onlyNode);
    }
    try (Progress progress = new Progress(terminal, "pod", queue.pods().size())) {
      return run.observer(pod -> progress.step()).budget(budget).build().place(queue, inventory);
    }
  }

  private List<MovablePod> running(ClusterOutcome placed) {
    try {
      return MovablePod.running(placed, name -> 1, budget.atMost(timeForMoves));
    } catch (BudgetExceededException e) {
      timeForMoves = OVER;
      return List.of();
    }
  }

  /** Explains a pod. Its outcome is already known, so a bug here only loses the reasons. */
  private ExplainReport.Pod explainSafely(
      PodOutcome outcome, Before before, List<MovablePod> running, boolean briefly) {
    try {
      return explain(outcome, before, running, briefly);
    } catch (RuntimeException e) {
      return ExplainReport.Pod.refused(outcome.pod().name(), ExplanationBug.sentence(e));
    }
  }

  private ExplainReport.Pod explain(
      PodOutcome outcome, Before before, List<MovablePod> running, boolean briefly) {
    PendingPod pod = outcome.pod();
    if (outcome instanceof PodOutcome.Placed placed) {
      String node = Terminal.safe(placed.node());
      return ExplainReport.Pod.fitting(
          pod.name(),
          placed.node(),
          pod.spec().nodeName().isEmpty()
              ? "fits on node " + node
              : "is on node " + node + ", and has its devices");
    } else if (outcome instanceof PodOutcome.Unplaceable unplaceable) {
      return explainUnplaceable(unplaceable, before, running, briefly);
    } else if (outcome instanceof PodOutcome.Rejected rejected) {
      return explainRejected(rejected, before, running);
    }
    return ExplainReport.Pod.refused(pod.name(), String.join("; ", PodReasons.of(outcome)));
  }

  private ExplainReport.Pod explainUnplaceable(
      PodOutcome.Unplaceable unplaceable,
      Before before,
      List<MovablePod> running,
      boolean briefly) {
    PendingPod pod = unplaceable.pod();
    String same = briefly ? before.sameAs(pod) : null;
    if (same != null) {
      return ExplainReport.Pod.refused(pod.name(), "does not fit, for the reason of " + same);
    }
    before.refused(pod);
    ClusterExplanation said = unplaceable.refusals().explain(budget.atMost(timeout));
    List<Group> groups = new ArrayList<>();
    for (ClusterExplanation.Group group : said.groups()) {
      if (groups.size() < MAX_GROUPS && !briefly) {
        groups.add(group(group, pod, before, running));
      }
    }
    return ExplainReport.Pod.refused(
        pod.name(),
        isClaim(pod)
            ? unplaceable.refusals().statement(said)
            : unplaceable.refusals().summary(said),
        groups,
        briefly ? List.of() : unplaceable.refusals().reasons());
  }

  private ExplainReport.Pod explainRejected(
      PodOutcome.Rejected rejected, Before before, List<MovablePod> running) {
    PendingPod pod = rejected.pod();
    Explanation explanation =
        allocator.explain(before.inventory, rejected.node(), before.pending(pod)).orElse(null);
    if (explanation == null) {
      return ExplainReport.Pod.refused(pod.name(), rejected.fault().error());
    }
    Group group =
        group(
            new ClusterExplanation.Group(
                explanation.reasons().get(0).summary(), List.of(rejected.node()), explanation),
            pod,
            before,
            running);
    return ExplainReport.Pod.refused(
        pod.name(),
        isClaim(pod) ? explanation.statement() : explanation.summary(),
        List.of(group),
        List.of());
  }

  /** Returns whether the pod stands for a claim without pods, whose name is then not repeated. */
  private static boolean isClaim(PendingPod pod) {
    return pod.claims().size() == 1 && pod.claims().get(0).toString().equals(pod.name());
  }

  /** The cluster before each pod of the run, in order. */
  private static final class Before {

    private DeviceInventory inventory;
    private final Map<ClaimKey, ResourceClaim> claims;
    private final Map<Object, String> refused = new HashMap<>(); // pods since the last placed one

    Before(DeviceInventory inventory, Map<ClaimKey, ResourceClaim> claims) {
      this.inventory = inventory;
      this.claims = new HashMap<>(claims);
    }

    /** Returns the name of a refused pod with the same template, if no pod was placed since. */
    @Nullable String sameAs(PendingPod pod) {
      return refused.get(template(pod));
    }

    void refused(PendingPod pod) {
      refused.putIfAbsent(template(pod), pod.name());
    }

    private Object template(PendingPod pod) {
      String namespace = pod.name().substring(0, pod.name().indexOf('/') + 1);
      Map<String, String> labels = new HashMap<>(pod.labels());
      labels.keySet().removeAll(OF_ONE_POD);
      return List.of(
          namespace,
          pod.spec(),
          labels,
          pod.claims().stream()
              .map(
                  key -> {
                    ResourceClaim claim = claims.get(key);
                    return claim == null || claim.allocation() != null ? key : claim.spec();
                  })
              .toList());
    }

    /** Advances to the next pod: the devices of this one are then in use. */
    void after(PodOutcome outcome) {
      if (outcome instanceof PodOutcome.Placed) {
        refused.clear();
      }
      if (outcome instanceof PodOutcome.Placed placed && !placed.allocations().isEmpty()) {
        List<InventoryEvent> puts = new ArrayList<>();
        for (ClaimAllocation allocation : placed.allocations()) {
          ResourceClaim claim = allocation.allocatedClaim();
          claims.put(ClaimKey.of(claim), claim);
          puts.add(new InventoryEvent.ClaimPut(claim));
        }
        inventory = inventory.apply(puts);
      }
    }

    List<ResourceClaim> pending(PendingPod pod) {
      List<ResourceClaim> pending = new ArrayList<>();
      for (ClaimKey key : pod.claims()) {
        ResourceClaim claim = claims.get(key);
        if (claim != null && claim.allocation() == null) {
          pending.add(claim);
        }
      }
      return pending;
    }
  }

  /** Returns the changes that would help; also moves of running pods, while there is time. */
  private PartialResult<String> suggestions(
      Explanation explanation, PendingPod pod, List<MovablePod> running) {
    long began = System.nanoTime();
    boolean noTimeForMoves = timeForMoves.isNegative();
    Explanation advised =
        onNodes == null || noTimeForMoves
            ? explanation
            : explanation.withAdvisor(
                new MoveAdvisor(allocator, running, timeForMoves).in(onNodes, pod));
    PartialResult<Suggestion> found = advised.findSuggestions(budget.atMost(timeout));
    if (!running.isEmpty()) {
      timeForMoves = timeForMoves.minusNanos(System.nanoTime() - began);
    }
    return new PartialResult<>(
        found.found().stream().map(Suggestion::text).toList(),
        found.gap().or(() -> noTimeForMoves ? Optional.of(NO_TIME_FOR_MOVES) : Optional.empty()));
  }

  private Group group(
      ClusterExplanation.Group group, PendingPod pod, Before before, List<MovablePod> running) {
    Explanation example = group.example();
    List<Reason> refusals = example.reasons();
    Group said =
        new Group(
            group.summary(),
            group.nodes(),
            refusals,
            example.findConflict(budget.atMost(timeout)),
            suggestions(example, pod, running),
            List.of());
    return new Group(
        said.summary(),
        said.nodes(),
        said.refusals(),
        said.conflict(),
        said.suggestions(),
        picture(group.nodes().get(0), before, said.refused()));
  }

  private List<DrawnDevice> picture(String node, Before before, Map<DeviceId, String> refused) {
    DeviceCatalog catalog = new DeviceCatalog(before.inventory);
    DeviceWords words = DeviceWords.of(allocator, before.inventory, node, before.claims);
    return DrawnDevice.of(node, catalog, words, refused);
  }
}
