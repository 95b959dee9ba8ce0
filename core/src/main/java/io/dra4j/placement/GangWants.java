package io.dra4j.placement;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.ClusterFit;
import io.dra4j.allocation.PolicyQuestion;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeShape;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import java.util.ArrayList;
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

/**
 * Which devices each pod of a gang may have, so that {@link GangSearch} knows what it proves when
 * it finds no plan, and with which pods to begin.
 */
final class GangWants {

  /** Pods that want the same. */
  private record Same(
      List<ResourceClaimSpec> claims, List<AllocationResult> results, Predicate<Node> nodes) {}

  /**
   * What a node says to a pod.
   *
   * @param fits whether there is room for the pod if it has the node for itself
   * @param plain whether a device is one request's or nobody's, whatever else there is
   * @param devices the devices that each request may have; none where the pod does not fit
   * @param counts how many of them each request gets for itself
   */
  private record Answer(boolean fits, boolean plain, List<BitSet> devices, List<Integer> counts) {}

  /** What one kind of pods may have: by request, the devices and how many of them. */
  private static final class Want {
    private final List<Set<DeviceId>> devices = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private int members;
    private boolean fits;

    void add(int request, Set<DeviceId> some, int count) {
      if (request == devices.size()) {
        devices.add(new HashSet<>());
        counts.add(count);
      }
      devices.get(request).addAll(some);
      counts.set(request, Math.min(counts.get(request), count));
    }

    /** How many devices the scarcest request may have. */
    int fewest() {
      return devices.stream().mapToInt(Set::size).min().orElse(0);
    }

    int wanted() {
      return counts.stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** Of so many different sets of devices all that are wanted together are counted. */
  private static final int MAX_SETS = 12;

  private final GangSite site;
  private final AllocationPolicy firstFit;
  private final Budget budget;
  private final List<Want> wants = new ArrayList<>(); // by member
  private final Map<DeviceId, Set<DeviceId>> setOf = new HashMap<>();
  private final List<Want> kinds;
  private boolean sharesClaims;
  private boolean interchangeable = true;
  private boolean countable = true; // a device is one pod's at most

  /**
   * Asks all nodes about all pods.
   *
   * @param firstFit knows what claims require
   */
  GangWants(GangSite site, List<GangMember> members, AllocationPolicy firstFit, Budget budget)
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
      want.members++;
      for (ResourceClaim claim : pending) {
        sharesClaims |= !seen.add(ClaimKey.of(claim));
      }
    }
    kinds = List.copyOf(known.values());
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
   * Whether a search over all nodes finds a plan if there is one: whatever two requests both may
   * have, they want alike, so that it makes no difference which of its devices a request gets.
   */
  boolean areInterchangeable() {
    return interchangeable;
  }

  /**
   * Whether it is plain that there is no room: a pod fits nowhere even without the others, or
   * devices are fewer than those that are wanted of them.
   */
  boolean haveNoRoom() throws BudgetExceededException {
    return kinds.stream().anyMatch(want -> !want.fits)
        || (countable && !sharesClaims && areTooMany());
  }

  /** Whether pods want more of some devices than there are, wherever they are. */
  private boolean areTooMany() throws BudgetExceededException {
    Map<Set<DeviceId>, Integer> demand = new LinkedHashMap<>();
    for (Want kind : kinds) {
      for (int i = 0; i < kind.devices.size(); i++) {
        demand.merge(kind.devices.get(i), kind.counts.get(i) * kind.members, Integer::sum);
      }
    }
    List<Set<DeviceId>> sets =
        List.copyOf(demand.keySet()).subList(0, Math.min(MAX_SETS, demand.size()));
    Map<DeviceId, Integer> users = new HashMap<>(); // which sets a device is in, as bits
    for (int i = 0; i < sets.size(); i++) {
      int bit = 1 << i;
      for (DeviceId device : sets.get(i)) {
        budget.spend(1);
        users.merge(device, bit, (one, other) -> one | other);
      }
    }
    Map<Integer, Integer> alike = new HashMap<>();
    users.values().forEach(bits -> alike.merge(bits, 1, Integer::sum));
    for (int some = 1; some < 1 << sets.size(); some++) {
      budget.spend(1);
      int wanted = 0;
      for (int i = 0; i < sets.size(); i++) {
        wanted += (some >> i & 1) == 0 ? 0 : demand.getOrDefault(sets.get(i), 0);
      }
      int there = 0;
      for (Map.Entry<Integer, Integer> devices : alike.entrySet()) {
        there += (devices.getKey() & some) == 0 ? 0 : devices.getValue();
      }
      if (wanted > there) {
        return true;
      }
    }
    return false;
  }

  /**
   * The places of the pods: those first that may have fewest devices, then those that want most.
   */
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
    ClusterFit sights = site.allocator.allocate(site.inventory, pending).within(budget);
    Map<NodeShape, Answer> known = new HashMap<>();
    Want want = new Want();
    // Of alternatives of several requests not all are tried with what a claim requires.
    want.fits = pending.isEmpty() || (places && alternatives);
    for (Node node : site.nodes) {
      budget.check();
      if (!member.nodes().test(node) || !GangSearch.canUse(results, node)) {
        continue;
      }
      ClusterFit.Sight sight = sights.sight(node.name()).orElse(null);
      NodeShape shape = sight == null || places ? null : sight.shape().orElse(null);
      Answer answer = shape == null ? null : known.get(shape);
      if (answer == null) {
        answer = ask(node, pending, places);
        if (shape != null) {
          known.put(shape, answer);
        }
      }
      want.fits |= answer.fits;
      interchangeable &= answer.plain;
      for (int i = 0; i < answer.devices.size() && sight != null; i++) {
        Set<DeviceId> own = ids(sight.view(), answer.devices.get(i));
        want.add(i, own, answer.counts.get(i));
        divide(own);
      }
    }
    return want;
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

  private Set<DeviceId> ids(NodeView view, BitSet ordinals) throws BudgetExceededException {
    Set<DeviceId> ids = new HashSet<>();
    for (int i = ordinals.nextSetBit(0); i >= 0; i = ordinals.nextSetBit(i + 1)) {
      budget.spend(1);
      ids.add(view.candidate(i).id());
    }
    return ids;
  }

  /** Notes that a request may have some devices: others may have the same ones, or none of them. */
  private void divide(Set<DeviceId> own) {
    if (!interchangeable) {
      return;
    }
    Set<DeviceId> others = own.isEmpty() ? null : setOf.get(own.iterator().next());
    if (others == null) {
      for (DeviceId device : own) {
        interchangeable &= setOf.put(device, own) == null;
      }
    } else {
      interchangeable = others.equals(own);
    }
  }

  /** Notes which devices requests may have. */
  private static final class Probe implements AllocationPolicy {
    private final @Nullable AllocationPolicy requiring;
    private final List<BitSet> devices = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private boolean own = true; // nobody has a share of a device
    private boolean plain = true;

    Probe(@Nullable AllocationPolicy requiring) {
      this.requiring = requiring;
    }

    @Override
    public Choice choose(PolicyQuestion question) throws BudgetExceededException {
      plain = !question.hasAddedRules();
      for (int i = 0; i < question.requests().size(); i++) {
        BitSet may = new BitSet();
        for (int ordinal = 0; ordinal < question.view().size(); ordinal++) {
          Candidate device = question.candidate(ordinal);
          if (question.mayHave(i, device)) {
            may.set(ordinal);
            plain &= !device.drawsFromCounters();
            own &= !device.device().allowMultipleAllocations();
          }
        }
        PolicyQuestion.Request request = question.requests().get(i);
        devices.add(may);
        counts.add(request.open() ? request.firstFit().size() : 0);
        // Taints are not looked at here, so that they have to be the same to all.
        plain &= request.exactly().tolerations().isEmpty();
      }
      return requiring == null ? new Choice.AsFound() : requiring.choose(question);
    }

    @Override
    public Optional<Score> score(PolicyQuestion question, List<List<Candidate>> chosen) {
      return Optional.empty();
    }
  }
}
