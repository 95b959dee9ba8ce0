package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Reason.Fault;
import io.dra4j.allocation.explanation.Reason.MissingAttribute;
import io.dra4j.allocation.explanation.Reason.NoAlternative;
import io.dra4j.allocation.explanation.Reason.NoCommonValue;
import io.dra4j.allocation.explanation.Reason.NotTogether;
import io.dra4j.allocation.explanation.Reason.TooFewDevices;
import io.dra4j.allocation.explanation.Reason.TooFewForAll;
import io.dra4j.allocation.explanation.Reason.TooFewGroups;
import io.dra4j.allocation.explanation.Reason.TooManyDevices;
import io.dra4j.allocation.explanation.Reason.UnusablePool;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.search.ClaimPlan;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.allocation.internal.search.PlanOutline;
import io.dra4j.allocation.internal.search.Pruning;
import io.dra4j.allocation.internal.search.RequestGroups;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.ExplanationBug;
import io.dra4j.common.SimilarNames;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reasons why claims do not fit on a node with the rules of the search: first for each
 * request alone, then for requests that compete for devices, then for each constraint alone, and
 * then for equal constraints together.
 */
public final class Diagnosis {

  /** Shorter names of attributes are all similar to each other. */
  private static final int MIN_NEAR_NAME = 4;

  private static final int MAX_NAMES = 3;
  private static final int VALUES_PER_UNIT = 16;

  /** The maximum number of alternatives in the API; for each further one, one device is listed. */
  private static final int MAX_IN_FULL = 8;

  private final SearchContext context;
  private final List<ResourceClaim> claims;
  private final SearchPosition position = new SearchPosition("before the first claim");
  private final List<Reason> refusals = new ArrayList<>();
  private final Set<DeviceClass> shortOf = new LinkedHashSet<>();
  private boolean classIsMissing; // a request finds no device of its class on the node
  private Reason.@Nullable Undecided undecided; // reported last

  public Diagnosis(SearchContext context, List<ResourceClaim> claims) {
    this.context = context;
    this.claims = claims;
  }

  /** Returns the reasons, the most relevant one first; at least one. */
  public List<Reason> reasons() {
    try {
      SearchPlan plan = new SearchPlan(context, claims, position);
      explain(plan, new AvailabilityAnalysis(plan, position));
    } catch (RejectedException e) {
      refusals.add(new Fault(e.error(), List.of()));
    } catch (BudgetExceededException e) {
      tooLate(e);
    } catch (RuntimeException e) {
      broken(e);
    }
    try {
      int first = 0;
      for (UnusablePool pool : unusablePools()) {
        // If there is no device of a class at all, its devices may be in missing slices.
        boolean toBlame = pool.ofClass() > 0 || (classIsMissing && pool.incomplete());
        refusals.add(toBlame ? first++ : refusals.size(), pool);
      }
    } catch (BudgetExceededException e) {
      tooLate(e);
    } catch (RuntimeException e) {
      broken(e);
    }
    if (undecided != null) {
      refusals.add(undecided);
    }
    return List.copyOf(refusals);
  }

  /** Returns likely corrections of an error in the input, the likeliest first. */
  public List<String> hints() {
    try {
      SearchPlan plan = new SearchPlan(context, claims, position);
      AvailabilityAnalysis supplies = new AvailabilityAnalysis(plan, position);
      for (PlannedRequest target : plan.targets) {
        List<String> hints = supplies.hintsOf(target);
        if (!hints.isEmpty()) {
          return hints;
        }
      }
    } catch (RejectedException e) {
      return e.reason() == RejectionReason.MISSING_CLASS ? nearClasses() : List.of();
    } catch (BudgetExceededException e) {
      return List.of();
    } catch (RuntimeException e) {
      return List.of(ExplanationBug.sentence(e));
    }
    return List.of();
  }

  private List<String> nearClasses() {
    List<String> known = context.inventory().deviceClasses();
    if (known.isEmpty()) {
      return List.of("there are no device classes");
    }
    for (ResourceClaim claim : claims) {
      for (String wanted : claim.spec().deviceClassNames()) {
        if (!known.contains(wanted)) {
          List<String> near = SimilarNames.of(wanted, known);
          return near.isEmpty()
              ? List.of("there are " + TextFormat.list(known, MAX_NAMES))
              : List.of("did you mean " + String.join(" or ", near) + "?");
        }
      }
    }
    return List.of();
  }

  private void tooLate(BudgetExceededException e) {
    if (undecided == null) { // later steps end at once
      undecided =
          new Reason.Undecided(
              "more reasons could not be found: " + e.reason() + ", stopped " + position);
    }
  }

  /** Reports a bug; the reasons found so far are kept. */
  private void broken(RuntimeException e) {
    if (undecided == null) {
      undecided = new Reason.Undecided(ExplanationBug.sentence(e));
    }
  }

  private void explain(SearchPlan plan, AvailabilityAnalysis supplies)
      throws RejectedException, BudgetExceededException {
    for (ClaimPlan claim : plan.claims) {
      for (RequestPlan request : claim.requests()) {
        explainRequest(claim, request, supplies);
      }
    }
    if (refusals.isEmpty()) {
      explainTogether(plan, supplies);
    }
    if (refusals.isEmpty()) {
      explainOverlap(plan, supplies);
    }
    if (refusals.isEmpty()) {
      explainConstraints(plan, supplies);
    }
    if (refusals.isEmpty()) {
      explainGroups(plan, supplies);
    }
    if (refusals.isEmpty()) {
      refusals.add(
          new NotTogether(
              claims.stream().map(ResourceClaim::displayName).toList(),
              cause(plan, supplies),
              refused(plan.targets, supplies),
              reasons(plan.targets, supplies)));
    }
  }

  /** Finds the cause with several searches; empty if there is no time for them. */
  private String cause(SearchPlan plan, AvailabilityAnalysis supplies) throws RejectedException {
    try {
      return new Relaxation(context, claims, plan, supplies, position).cause();
    } catch (BudgetExceededException e) {
      tooLate(e);
      return "";
    }
  }

  /** The problems of pools, with the number of their devices that are of lacking classes. */
  private List<UnusablePool> unusablePools() throws BudgetExceededException {
    List<UnusablePool> pools = new ArrayList<>();
    for (PoolView pool : context.view().pools()) {
      if (pool.invalidReason() != null) {
        pools.add(new UnusablePool(pool.id(), false, pool.problem(), lost(pool)));
      }
    }
    for (PoolView pool : context.view().pools()) {
      if (pool.incomplete()) {
        pools.add(new UnusablePool(pool.id(), true, pool.problem(), lost(pool)));
      }
    }
    return pools;
  }

  private int lost(PoolView pool) throws BudgetExceededException {
    int lost = 0;
    SelectorClauses clauses = new SelectorClauses(context);
    for (DeviceClass wanted : shortOf) {
      for (ResourceSlice slice : pool.slicesForNode()) {
        for (Device device : slice.devices()) {
          context.budget().spend(1);
          lost += clauses.choose(wanted.selectors(), slice.driver(), device) ? 1 : 0;
        }
      }
    }
    return lost;
  }

  private void explainRequest(ClaimPlan claim, RequestPlan request, AvailabilityAnalysis supplies)
      throws RejectedException, BudgetExceededException {
    List<Reason> shortages = new ArrayList<>();
    boolean missing = false;
    for (PlannedRequest target : request.alternatives()) {
      long wanted = target.all ? Math.max(1, target.count()) : target.count();
      if (wanted > PlannedRequest.MAX_RESULTS) {
        shortages.add(
            new TooManyDevices(
                AvailabilityAnalysis.request(target), wanted, PlannedRequest.MAX_RESULTS));
        continue;
      }
      Availability supply = supplies.of(target);
      if (supply.usable.cardinality() >= wanted) {
        return;
      }
      MissingAttribute unknown = missingAttribute(claim, target, supply);
      shortages.add(
          unknown != null
              ? unknown
              : shortage(
                  List.of(target),
                  supply,
                  target.count(),
                  target.all,
                  shortages.size() < MAX_IN_FULL ? supply.refused() : supply.refused(1)));
      missing |= supply.ofClass == 0;
      shortOf.add(target.deviceClass);
    }
    classIsMissing |= missing;
    if (shortages.size() > 1) {
      PlannedRequest any = request.alternatives().get(0);
      refusals.add(
          new NoAlternative(
              new Requirement.Request(ClaimKey.of(any.claim), any.requestName), shortages));
    }
    refusals.addAll(shortages);
  }

  /** A constraint on an attribute that no device of the target's class has, if there is one. */
  private @Nullable MissingAttribute missingAttribute(
      ClaimPlan claim, PlannedRequest target, Availability supply)
      throws RejectedException, BudgetExceededException {
    if (!supply.isRefusedBy(ExclusionCause.CONSTRAINT)) {
      return null;
    }
    for (ConstraintRule rule : claim.constraints()) {
      Constraint constraint = rule.constraint();
      if (constraint.appliesTo(target) && !anyHas(constraint, target, supply.members)) {
        return missingAttribute(claim, constraint, target, supply);
      }
    }
    return null;
  }

  private MissingAttribute missingAttribute(
      ClaimPlan claim, Constraint constraint, PlannedRequest target, Availability supply)
      throws BudgetExceededException {
    return new MissingAttribute(
        requirement(claim, constraint),
        AvailabilityAnalysis.request(target),
        constraint.attribute,
        nearAttributes(constraint, supply.members));
  }

  private boolean anyHas(Constraint constraint, PlannedRequest target, BitSet devices)
      throws RejectedException, BudgetExceededException {
    for (int i = devices.nextSetBit(0); i >= 0; i = devices.nextSetBit(i + 1)) {
      context.budget().spend(1);
      if (constraint.valuesOf(target, context.candidates().get(i)) != null) {
        return true;
      }
    }
    return false;
  }

  private static TooFewDevices shortage(
      List<PlannedRequest> targets,
      Availability supply,
      long wanted,
      boolean all,
      List<ExcludedDevice> refused) {
    List<Requirement> requests = new ArrayList<>();
    targets.forEach(target -> requests.add(AvailabilityAnalysis.request(target)));
    return new TooFewDevices(
        requests,
        targets.get(0).deviceClass.metadata().name(),
        wanted,
        all,
        supply.usable.cardinality(),
        supply.ofClass,
        supply.onNode,
        refused,
        supply.reasons());
  }

  /** Explains equal requests for which there are too few devices. */
  private void explainTogether(SearchPlan plan, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    Map<BitSet, List<PlannedRequest>> bySupply = new LinkedHashMap<>();
    for (ClaimPlan claim : plan.claims) {
      for (RequestPlan request : claim.requests()) {
        PlannedRequest target = request.alternatives().get(0);
        if (request.prioritized() || target.adminAccess || target.count() == 0) {
          continue;
        }
        BitSet usable = supplies.of(target).usable;
        if (!canBeShared(usable)) {
          bySupply.computeIfAbsent(usable, any -> new ArrayList<>()).add(target);
        }
      }
    }
    for (List<PlannedRequest> targets : bySupply.values()) {
      long wanted = targets.stream().mapToLong(PlannedRequest::count).sum();
      Availability supply = supplies.of(targets.get(0));
      if (supply.usable.cardinality() < wanted) {
        shortOf.add(targets.get(0).deviceClass);
        refusals.add(shortage(targets, supply, wanted, false, supply.refused()));
      }
    }
  }

  /**
   * The minimum number of devices of a request over its alternatives, and the candidate devices.
   */
  private record Demand(List<PlannedRequest> alternatives, long least, BitSet devices) {}

  /** Explains requests that compete for some of the same devices, of which there are too few. */
  private void explainOverlap(SearchPlan plan, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    List<Demand> ofAll =
        new ArrayList<>(); // without admin access, which makes no device unavailable to others
    for (ClaimPlan claim : plan.claims) {
      List<Demand> ofClaim = new ArrayList<>();
      for (RequestPlan request : claim.requests()) {
        Demand demand = demand(request, supplies);
        if (demand.least() > 0 && !canBeShared(demand.devices())) {
          ofClaim.add(demand);
        }
      }
      // Two requests of one claim never get the same device, with or without admin access.
      if (explainOverlap(ofClaim, supplies)) {
        return;
      }
      ofClaim.removeIf(
          demand -> demand.alternatives().stream().anyMatch(target -> target.adminAccess));
      ofAll.addAll(ofClaim);
    }
    explainOverlap(ofAll, supplies);
  }

  private static Demand demand(RequestPlan request, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    BitSet devices = new BitSet();
    long least = Long.MAX_VALUE;
    for (PlannedRequest target : request.alternatives()) {
      devices.or(supplies.of(target).usable);
      least = Math.min(least, target.count());
    }
    return new Demand(request.alternatives(), least, devices);
  }

  private boolean explainOverlap(List<Demand> demands, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    Set<BitSet> places = new LinkedHashSet<>();
    BitSet anywhere = new BitSet();
    for (Demand demand : demands) {
      places.add(demand.devices());
      anywhere.or(demand.devices());
    }
    places.add(anywhere);
    for (BitSet place : places) {
      List<PlannedRequest> within = new ArrayList<>();
      List<Requirement> requests = new ArrayList<>();
      long wanted = 0;
      for (Demand demand : demands) {
        context.budget().spend(1 + place.size() / Long.SIZE);
        BitSet outside = (BitSet) demand.devices().clone();
        outside.andNot(place);
        if (outside.isEmpty()) {
          within.addAll(demand.alternatives());
          PlannedRequest any = demand.alternatives().get(0);
          requests.add(new Requirement.Request(ClaimKey.of(any.claim), any.requestName));
          wanted += demand.least();
        }
      }
      if (wanted > place.cardinality()) {
        within.forEach(target -> shortOf.add(target.deviceClass));
        refusals.add(
            new TooFewForAll(
                requests,
                wanted,
                place.cardinality(),
                refused(within, supplies),
                reasons(within, supplies)));
        return true;
      }
    }
    return false;
  }

  private boolean canBeShared(BitSet usable) {
    return usable.stream().anyMatch(i -> context.canBeShared(context.candidates().get(i)));
  }

  /** Explains constraints on a common value that no value satisfies, equal ones once. */
  private void explainConstraints(SearchPlan plan, AvailabilityAnalysis supplies)
      throws RejectedException, BudgetExceededException {
    Map<List<Object>, Integer> places = new LinkedHashMap<>(); // the index among the refusals
    for (ClaimPlan claim : plan.claims) {
      for (ConstraintRule rule : claim.constraints()) {
        List<PlannedRequest> targets = targetsOf(claim, rule.constraint());
        if (targets.isEmpty() || !rule.demands(DeviceConstraint.Demand.COMMON_VALUE)) {
          continue;
        }
        List<Object> wants = new ArrayList<>();
        wants.add(rule.constraint().kind);
        wants.add(rule.constraint().attribute);
        for (PlannedRequest target : targets) {
          wants.add(supplies.of(target).usable);
          wants.add(target.count());
          wants.add(String.valueOf(target.expressionOf(rule.constraint().attribute)));
        }
        Integer same = places.get(wants);
        if (same != null) {
          if (refusals.get(same) instanceof NoCommonValue first) {
            refusals.set(same, oneMore(first));
          }
          continue;
        }
        int place = refusals.size();
        explainConstraint(claim, rule.constraint(), targets, supplies);
        if (refusals.size() > place) {
          places.put(wants, place);
        }
      }
    }
  }

  private static NoCommonValue oneMore(NoCommonValue first) {
    return new NoCommonValue(
        first.constraint(),
        first.sameFindings() + 1,
        first.attribute(),
        first.values(),
        first.nearest(),
        first.devices(),
        first.shares(),
        first.apart(),
        first.refused(),
        first.reasons());
  }

  /** The targets of a constraint; none if it is not known which alternative counts. */
  private static List<PlannedRequest> targetsOf(ClaimPlan claim, Constraint constraint) {
    List<PlannedRequest> targets = new ArrayList<>();
    for (RequestPlan request : claim.requests()) {
      if (request.prioritized()) {
        return List.of();
      }
      PlannedRequest target = request.alternatives().get(0);
      if (target.count() > 0 && constraint.appliesTo(target)) {
        targets.add(target);
      }
    }
    return targets;
  }

  private void explainConstraint(
      ClaimPlan claim,
      Constraint constraint,
      List<PlannedRequest> targets,
      AvailabilityAnalysis supplies)
      throws RejectedException, BudgetExceededException {
    Map<Integer, OfOneValue> byValue = devicesByValue(constraint, targets, supplies);
    for (int i = 0; i < targets.size(); i++) {
      int number = i;
      if (byValue.values().stream().allMatch(devices -> devices.byTarget[number] == 0)) {
        refusals.add(
            missingAttribute(claim, constraint, targets.get(i), supplies.of(targets.get(i))));
        return;
      }
    }
    OfOneValue best = null;
    for (OfOneValue devices : byValue.values()) {
      if (devices.suffices(targets)) {
        return;
      }
      best = best == null || devices.fulfils(targets) > best.fulfils(targets) ? devices : best;
    }
    if (best != null) { // otherwise no target has devices: already reported
      Requirement.Constraint requirement = requirement(claim, constraint);
      refusals.add(noCommonValue(requirement, targets, byValue, best, supplies));
    }
  }

  private NoCommonValue noCommonValue(
      Requirement.Constraint constraint,
      List<PlannedRequest> targets,
      Map<Integer, OfOneValue> byValue,
      OfOneValue best,
      AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    List<Reason.Share> shares = new ArrayList<>();
    boolean common = false;
    for (int i = 0; i < targets.size(); i++) {
      PlannedRequest target = targets.get(i);
      shares.add(
          new Reason.Share(AvailabilityAnalysis.request(target), target.count(), best.byTarget[i]));
    }
    for (OfOneValue devices : byValue.values()) {
      common |= devices.isFoundByAll();
    }
    return new NoCommonValue(
        constraint,
        0,
        constraint.constraint().attribute().orElseThrow(),
        byValue.size(),
        nearest(best.value, byValue.keySet()),
        best.different,
        shares,
        common || targets.size() < 2 ? "" : apart(byValue.values(), targets),
        refused(targets, supplies),
        reasons(targets, supplies));
  }

  /** The text of a value, marked if a value of another type has the same text. */
  private String nearest(int value, Collection<Integer> all) throws BudgetExceededException {
    String text = context.values().textOf(value);
    for (int other : all) {
      context.budget().spend(1);
      if (context.values().looksLike(value, other)) {
        return text + " (not " + context.values().textOf(other) + ")";
      }
    }
    return text;
  }

  private Requirement.Constraint requirement(ClaimPlan claim, Constraint constraint) {
    return new Requirement.Constraint(
        ClaimKey.of(claim.claim()),
        constraint.index,
        claim.claim().spec().constraints().get(constraint.index));
  }

  /** The values of the devices of each target, if they have no value in common. */
  private String apart(Collection<OfOneValue> byValue, List<PlannedRequest> targets) {
    List<String> places = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      Set<String> values = new TreeSet<>();
      for (OfOneValue devices : byValue) {
        if (devices.byTarget[i] > 0) {
          values.add(context.values().textOf(devices.value));
        }
      }
      places.add(
          "the devices for "
              + targets.get(i).resultName()
              + " are on "
              + TextFormat.list(values, MAX_NAMES));
    }
    return places.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
  }

  /** Names of attributes of some devices that the author may have meant. */
  private List<String> nearAttributes(Constraint constraint, BitSet devices)
      throws BudgetExceededException {
    Set<String> names = new TreeSet<>();
    for (int i = devices.nextSetBit(0); i >= 0; i = devices.nextSetBit(i + 1)) {
      NodeDevice candidate = context.candidates().get(i);
      context.budget().spend(1 + candidate.device().attributes().size());
      for (String name : candidate.device().attributes().keySet()) {
        names.add(name.indexOf('/') < 0 ? candidate.slice().driver() + "/" + name : name);
      }
    }
    return names.isEmpty() ? List.of() : near(constraint.attribute, names);
  }

  /**
   * The same name in another domain, else a similar name with its domain, else one without domain.
   */
  private static List<String> near(String attribute, Set<String> names) {
    String id = idOf(attribute);
    List<String> found = names.stream().filter(name -> idOf(name).equals(id)).toList();
    if (found.isEmpty()) {
      found = SimilarNames.of(attribute, names);
    }
    if (found.isEmpty() && id.length() >= MIN_NEAR_NAME) {
      List<String> ids =
          SimilarNames.of(id, names.stream().map(Diagnosis::idOf).distinct().toList());
      found = names.stream().filter(name -> ids.contains(idOf(name))).toList();
    }
    return found.stream().limit(1).toList();
  }

  private static String idOf(String attribute) {
    return attribute.substring(attribute.indexOf('/') + 1);
  }

  /** Explains equal groups that each need one value, if too few values have enough devices. */
  private void explainGroups(SearchPlan plan, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    if (plan.targets.size() > Pruning.MAX_TARGETS) {
      return;
    }
    PlanOutline outline = new PlanOutline(plan);
    RequestGroups groups = new RequestGroups(outline, context.budget());
    for (List<Integer> same : groupsByDemand(outline, groups, supplies).values()) {
      List<PlannedRequest> members = groups.members(same.get(0));
      if (same.size() < 2 || members.size() < 2) {
        continue;
      }
      Constraint constraint =
          outline.constraints.get(groups.constraintOf(same.get(0))).constraint();
      ClaimPlan claim = plan.claims.get(members.get(0).claimIndex);
      long room = 0;
      for (OfOneValue devices : devicesByValue(constraint, members, supplies).values()) {
        room += devices.roomFor(members);
      }
      if (room < same.size()) {
        refusals.add(
            new TooFewGroups(
                requirement(claim, constraint),
                members.stream().map(AvailabilityAnalysis::request).toList(),
                constraint.attribute,
                same.size(),
                room,
                refused(members, supplies),
                reasons(members, supplies)));
      }
    }
  }

  /** The group numbers by equal demands on the same devices; empty if the demand is not known. */
  private Map<List<Object>, List<Integer>> groupsByDemand(
      PlanOutline outline, RequestGroups groups, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    Map<List<Object>, List<Integer>> groupsByDemand = new LinkedHashMap<>();
    for (int group = 0; group < groups.size(); group++) {
      Constraint constraint = outline.constraints.get(groups.constraintOf(group)).constraint();
      List<Object> wants = new ArrayList<>();
      wants.add(constraint.kind);
      wants.add(constraint.attribute);
      for (PlannedRequest target : groups.members(group)) {
        if (target.alternativeName != null || target.adminAccess || target.count() == 0) {
          return Map.of(); // the demand is not known
        }
        BitSet usable = supplies.of(target).usable;
        if (canBeShared(usable)) {
          return Map.of();
        }
        wants.add(usable);
        wants.add(target.count());
      }
      groupsByDemand.computeIfAbsent(wants, any -> new ArrayList<>()).add(group);
    }
    return groupsByDemand;
  }

  private static List<ExcludedDevice> refused(
      List<PlannedRequest> targets, AvailabilityAnalysis supplies) throws BudgetExceededException {
    Set<ExcludedDevice> refused = new LinkedHashSet<>();
    for (PlannedRequest target : targets) {
      if (refused.size() < Availability.MAX_LISTED) {
        refused.addAll(supplies.of(target).refused());
      }
    }
    return List.copyOf(refused);
  }

  /** The reasons why targets cannot have some devices, each class once. */
  private static String reasons(List<PlannedRequest> targets, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    Set<String> reasons = new LinkedHashSet<>();
    for (PlannedRequest target : targets) {
      String reason = supplies.of(target).reasons(target.deviceClass.metadata().name());
      if (!reason.isEmpty()) {
        reasons.add(reason);
      }
    }
    return reasons.stream().limit(MAX_NAMES).collect(Collectors.joining("; "));
  }

  /** The number of devices by value. */
  private Map<Integer, OfOneValue> devicesByValue(
      Constraint constraint, List<PlannedRequest> targets, AvailabilityAnalysis supplies)
      throws BudgetExceededException {
    Map<Integer, OfOneValue> byValue = new TreeMap<>();
    for (int ordinal = 0; ordinal < context.candidates().size(); ordinal++) {
      NodeDevice candidate = context.candidates().get(ordinal);
      for (int i = 0; i < targets.size(); i++) {
        context.budget().spend(1);
        if (!supplies.of(targets.get(i)).usable.get(ordinal)) {
          continue;
        }
        AttributeValueIds values;
        try {
          values = constraint.valuesOf(targets.get(i), candidate);
        } catch (RejectedException e) {
          continue; // the availability already has this reason
        }
        if (values != null) {
          context.budget().check();
          int[] ids = values.toArray();
          for (int number = 0; number < ids.length; number++) {
            BudgetTicks.spend(context.budget(), number, VALUES_PER_UNIT);
            byValue
                .computeIfAbsent(ids[number], id -> new OfOneValue(id, targets.size()))
                .add(i, candidate);
          }
        }
      }
    }
    return byValue;
  }

  /** The devices with one value, in ascending order. */
  private static final class OfOneValue {
    final int value;
    final int[] byTarget;
    private int different;
    private int last = -1;

    OfOneValue(int value, int targets) {
      this.value = value;
      this.byTarget = new int[targets];
    }

    void add(int target, NodeDevice candidate) {
      byTarget[target]++;
      if (last != candidate.ordinal()) {
        last = candidate.ordinal();
        different++;
      }
    }

    /** The number of wanted devices that have this value. */
    long fulfils(List<PlannedRequest> targets) {
      long sum = 0;
      for (int i = 0; i < byTarget.length; i++) {
        sum += Math.min(byTarget[i], targets.get(i).count());
      }
      return sum;
    }

    boolean isFoundByAll() {
      for (int devices : byTarget) {
        if (devices == 0) {
          return false;
        }
      }
      return true;
    }

    /** An upper bound of how many times the targets find all their devices with this value. */
    long roomFor(List<PlannedRequest> targets) {
      long room = Long.MAX_VALUE;
      for (int i = 0; i < byTarget.length; i++) {
        room = Math.min(room, byTarget[i] / targets.get(i).count());
      }
      return room;
    }

    boolean suffices(List<PlannedRequest> targets) {
      long total = 0;
      for (int i = 0; i < byTarget.length; i++) {
        if (byTarget[i] < targets.get(i).count()) {
          return false;
        }
        total += targets.get(i).count();
      }
      return different >= total;
    }
  }
}
