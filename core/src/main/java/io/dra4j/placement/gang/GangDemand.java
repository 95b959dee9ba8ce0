package io.dra4j.placement.gang;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The devices that each pod of a gang may have, to order pods and to prove that no plan exists. */
final class GangDemand {

  /** The key of pods with equal requests. */
  private record Same(
      List<ResourceClaimSpec> claims, List<AllocationResult> results, Predicate<Node> nodes) {}

  /**
   * The answer of a node for a pod.
   *
   * @param fits whether there is room for the pod if it has the node for itself
   * @param plain whether each device is free or belongs to one request, independent of other
   *     devices
   * @param devices the devices that each request may have; empty if the pod does not fit
   * @param counts the number of devices that each request gets for itself
   */
  private record Answer(boolean fits, boolean plain, List<BitSet> devices, List<Integer> counts) {}

  /** The devices that each request of pods may have, by number, and the counts of the requests. */
  private static final class Demand {
    private final List<BitSet> devices = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();

    void add(int request, int[] some, int count) {
      if (request == devices.size()) {
        devices.add(new BitSet());
        counts.add(count);
      }
      for (int device : some) {
        devices.get(request).set(device);
      }
      counts.set(request, Math.min(counts.get(request), count));
    }
  }

  /**
   * The requests of one kind of pods.
   *
   * @param fits whether there is room for such a pod without the others
   * @param fewest the number of devices that the scarcest of its requests may have
   * @param wanted the number of devices that a pod wants
   * @param ofSets the number of wanted devices from each counted set
   */
  private record Want(boolean fits, int fewest, int wanted, Map<Integer, Integer> ofSets) {}

  /** The most different sets of devices for which all combinations are counted. */
  private static final int MAX_SETS = 12;

  private final GangCandidates site;
  private final AllocationPolicy firstFit;
  private final Budget budget;
  private final List<Want> wants = new ArrayList<>(); // by member
  private final Map<DeviceId, Integer> numbers = new HashMap<>(); // of all devices in question
  private final List<int @Nullable []> setOf = new ArrayList<>(); // by device: those like it
  private final List<BitSet> sets = new ArrayList<>(); // those that are counted
  private boolean sharesClaims;
  private boolean interchangeable = true;
  private boolean countable = true; // a device is one pod's at most

  /** Evaluates all pods on all nodes; {@code firstFit} reads the requirements of claims. */
  GangDemand(
      GangCandidates site, List<GangMember> members, AllocationPolicy firstFit, Budget budget)
      throws BudgetExceededException {
    this.site = site;
    this.firstFit = firstFit;
    this.budget = budget;
    Map<Same, Want> known = new LinkedHashMap<>();
    Set<ClaimKey> seen = new HashSet<>();
    for (GangMember member : members) {
      List<ResourceClaim> pending = new ArrayList<>();
      List<AllocationResult> results = new ArrayList<>();
      GangSearch.sort(member, Map.of(), pending, results);
      Same same =
          new Same(pending.stream().map(ResourceClaim::spec).toList(), results, member.nodes());
      Want want = known.get(same);
      if (want == null) {
        want = ask(member, pending, results);
        known.put(same, want);
      }
      wants.add(want);
      for (ResourceClaim claim : pending) {
        sharesClaims |= !seen.add(ClaimKey.of(claim));
      }
    }
  }

  /** Whether pods share a claim that has no devices yet. */
  boolean sharesClaims() {
    return sharesClaims;
  }

  /** Whether a request of some claims can be met in more than one way. */
  static boolean haveAlternatives(List<ResourceClaim> claims) {
    return claims.stream()
        .flatMap(claim -> claim.spec().requests().stream())
        .anyMatch(DeviceRequest::hasChoice);
  }

  /**
   * Whether a search over all nodes finds a plan if there is one. This is so if any two requests
   * that may have a common device may have the same devices: then it does not matter which of its
   * devices a request gets.
   */
  boolean areInterchangeable() {
    return interchangeable;
  }

  /** Whether there is certainly no room: a pod fits nowhere alone, or there are too few devices. */
  boolean haveNoRoom() throws BudgetExceededException {
    return wants.stream().anyMatch(want -> !want.fits()) || haveTooFewDevices();
  }

  /** Whether pods want more devices than there are, and no pod has a fault. */
  boolean haveTooFewDevices() throws BudgetExceededException {
    return countable && !sharesClaims && areTooMany();
  }

  /** Whether pods want more devices of a set than all nodes together have. */
  private boolean areTooMany() throws BudgetExceededException {
    long[] demand = new long[sets.size()];
    for (Want want : wants) {
      want.ofSets().forEach((set, count) -> demand[set] += count);
    }
    Map<Integer, Integer> devicesByUsers =
        new HashMap<>(); // devices by the sets that they are in, as bits
    for (int device = 0; device < numbers.size(); device++) {
      budget.spend(1);
      int users = 0;
      for (int i = 0; i < sets.size(); i++) {
        users |= sets.get(i).get(device) ? 1 << i : 0;
      }
      devicesByUsers.merge(users, 1, Integer::sum);
    }
    for (int some = 1; some < 1 << sets.size(); some++) {
      budget.spend(1);
      long wanted = 0;
      for (int i = 0; i < sets.size(); i++) {
        wanted += (some >> i & 1) == 0 ? 0 : demand[i];
      }
      int there = 0;
      for (Map.Entry<Integer, Integer> devices : devicesByUsers.entrySet()) {
        there += (devices.getKey() & some) == 0 ? 0 : devices.getValue();
      }
      if (wanted > there) {
        return true;
      }
    }
    return false;
  }

  /** The positions of the pods: fewest possible devices first, then most wanted devices first. */
  List<Integer> scarcestFirst() {
    return IntStream.range(0, wants.size())
        .boxed()
        .sorted(
            Comparator.comparingInt((Integer i) -> wants.get(i).fewest())
                .thenComparingInt(i -> -wants.get(i).wanted()))
        .toList();
  }

  private Want ask(GangMember member, List<ResourceClaim> pending, List<AllocationResult> results)
      throws BudgetExceededException {
    boolean places = pending.stream().anyMatch(PlacementPolicy::hasPreferences);
    boolean alternatives = haveAlternatives(pending);
    interchangeable &=
        !places
            && !alternatives
            && pending.stream().allMatch(claim -> claim.spec().constraints().isEmpty());
    countable &= !alternatives;
    ClusterQuery sights = site.allocator.query(site.inventory, pending).withBudget(budget);
    Map<NodeSignature, Answer> known = new HashMap<>();
    Demand demand = new Demand();
    // If several requests have alternatives, not all combinations are tried with the requirements
    // of a claim.
    boolean fits = pending.isEmpty() || (places && alternatives);
    for (Node node : site.nodes) {
      budget.check();
      if (!member.nodes().test(node) || !GangSearch.canUse(results, node)) {
        continue;
      }
      NodeSight sight = AllocatorAccess.sight(sights, node.name()).orElse(null);
      NodeSignature shape = sight == null || places ? null : sight.shape().orElse(null);
      Answer answer = shape == null ? null : known.get(shape);
      if (answer == null) {
        answer = ask(node, pending, places);
        if (shape != null) {
          known.put(shape, answer);
        }
      }
      fits |= answer.fits;
      interchangeable &= answer.plain;
      for (int i = 0; i < answer.devices.size() && sight != null; i++) {
        int[] own = numbers(sight.view(), answer.devices.get(i));
        demand.add(i, own, answer.counts.get(i));
        divide(own);
      }
    }
    return want(fits, demand);
  }

  /** Keeps only counts of the devices that pods may have, since there may be many kinds of pods. */
  private Want want(boolean fits, Demand demand) {
    Map<Integer, Integer> ofSets = new HashMap<>();
    int fewest = demand.devices.isEmpty() ? 0 : Integer.MAX_VALUE;
    int wanted = 0;
    for (int i = 0; i < demand.devices.size(); i++) {
      BitSet devices = demand.devices.get(i);
      int count = demand.counts.get(i);
      fewest = Math.min(fewest, devices.cardinality());
      wanted += count;
      int set = sets.indexOf(devices);
      if (set < 0 && sets.size() < MAX_SETS) {
        set = sets.size();
        sets.add(devices);
      }
      if (set >= 0) {
        ofSets.merge(set, count, Integer::sum);
      }
    }
    return new Want(fits, fewest, wanted, ofSets);
  }

  private Answer ask(Node node, List<ResourceClaim> pending, boolean places)
      throws BudgetExceededException {
    Probe probe = new Probe(places ? firstFit : null);
    AllocationOutcome outcome =
        site.allocator.withPolicy(probe).allocate(site.inventory, node.name(), pending, budget);
    if (outcome instanceof AllocationOutcome.Unallocatable) {
      return new Answer(false, true, List.of(), List.of());
    }
    countable &= outcome instanceof AllocationOutcome.Allocated && probe.own;
    return new Answer(true, countable && probe.plain, probe.devices, probe.counts);
  }

  /** The numbers of some devices of a node, the lowest first. */
  private int[] numbers(NodeView view, BitSet ordinals) throws BudgetExceededException {
    int[] found = new int[ordinals.cardinality()];
    int next = 0;
    for (int i = ordinals.nextSetBit(0); i >= 0; i = ordinals.nextSetBit(i + 1)) {
      budget.spend(1);
      found[next++] = numbers.computeIfAbsent(view.candidate(i).id(), any -> numbers.size());
      if (setOf.size() < numbers.size()) {
        setOf.add(null);
      }
    }
    Arrays.sort(found);
    return found;
  }

  /**
   * Divides the sets by the devices that a request may have, so that each set is entirely among
   * these devices or entirely outside.
   */
  private void divide(int[] own) {
    if (!interchangeable || own.length == 0) {
      return;
    }
    int[] others = setOf.get(own[0]);
    if (others == null) {
      for (int device : own) {
        interchangeable &= setOf.get(device) == null;
        setOf.set(device, own);
      }
    } else {
      interchangeable = Arrays.equals(others, own);
    }
  }

  /** Records the devices that requests may have. */
  private static final class Probe implements AllocationPolicy {
    private final @Nullable AllocationPolicy requiring;
    private final List<BitSet> devices = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private boolean own = true; // no claim has a share of a device
    private boolean plain = true;

    Probe(@Nullable AllocationPolicy requiring) {
      this.requiring = requiring;
    }

    @Override
    public Choice choose(PolicyContext context) throws BudgetExceededException {
      SearchPolicyContext question = SearchPolicyContext.of(context);
      plain = !question.hasAddedRules();
      for (int i = 0; i < question.requests().size(); i++) {
        BitSet may = new BitSet();
        for (int ordinal = 0; ordinal < question.view().size(); ordinal++) {
          NodeDevice device = question.candidate(ordinal);
          if (question.canUse(i, device)) {
            may.set(ordinal);
            plain &= !device.drawsFromCounters();
            own &= !device.device().allowMultipleAllocations();
          }
        }
        PolicyContext.Request request = question.requests().get(i);
        devices.add(may);
        counts.add(request.open() ? request.firstFit().size() : 0);
        // Taints are not checked here, so they must be equal for all claims.
        plain &= request.exactly().tolerations().isEmpty();
      }
      return requiring == null ? new Choice.AsFound() : requiring.choose(context);
    }

    @Override
    public Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> chosen) {
      return Optional.empty();
    }
  }
}
