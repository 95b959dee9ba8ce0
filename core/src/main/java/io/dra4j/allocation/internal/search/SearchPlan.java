package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.request.AllDevices;
import io.dra4j.allocation.internal.request.AttributeTables;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.CapacityDemand;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.request.SelectorMatches;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.Placer.Asked;
import io.dra4j.allocation.internal.rule.Rule;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The input of one search: the prepared claims, and the rules that they share. Created for each
 * search, because rules have state. The constructor finds every error of the claims that does not
 * depend on the search.
 */
public final class SearchPlan {

  private static final RuleKind[] KINDS = RuleKind.values();
  private static final int NAMES_PER_UNIT = 64;

  /**
   * The key of targets with equal consumption. Equal amounts in different notations differ, because
   * results keep the notation, and request policies depend on it.
   */
  private record ConsumptionKey(List<Map.Entry<String, Quantity.Written>> amounts) {

    static ConsumptionKey of(CapacityRequirements requirements, Budget budget)
        throws BudgetExceededException {
      List<Map.Entry<String, Quantity.Written>> amounts =
          new ArrayList<>(requirements.requests().size());
      for (Map.Entry<String, Quantity> amount : requirements.requests().entrySet()) {
        BudgetTicks.spend(budget, amounts.size(), NAMES_PER_UNIT);
        amounts.add(Map.entry(amount.getKey(), new Quantity.Written(amount.getValue())));
      }
      return new ConsumptionKey(amounts);
    }
  }

  /**
   * The key of targets with equal demands in mode All; both components are compared by identity.
   */
  private record AllKey(SelectorMatches selection, CapacityDemand consumption) {}

  public final SearchContext context;
  public final List<ClaimPlan> claims;
  public final List<PlannedRequest> targets; // of all claims, by number
  private final SearchPosition position;
  private final PlacedDevices placed;
  private final List<Asked> firstRules = new ArrayList<>(); // before the rules of the claims
  private final List<Asked> lastRules = new ArrayList<>();
  public final SearchCache memory = new SearchCache(SearchCache.MAX_BYTES);
  private final AttributeTables tables;
  private final CapacityDemand nothingAskedFor;

  /** By class and selectors, so that targets with the same selection share their results. */
  private final Map<String, Map<List<DeviceSelector>, SelectorMatches>> selections =
      new HashMap<>();

  private final Map<ConsumptionKey, CapacityDemand> consumptions = new HashMap<>(0);
  private final Map<AllKey, AllDevices> allDevices = new HashMap<>(0);

  /**
   * Prepares the claims.
   *
   * @param position receives the progress
   * @throws RejectedException if a claim or a class has an error
   * @throws BudgetExceededException if the budget is used up
   */
  public SearchPlan(SearchContext context, List<ResourceClaim> claims, SearchPosition position)
      throws RejectedException, BudgetExceededException {
    this(context, claims, position, Set.of());
  }

  /**
   * Prepares the claims for a search that only explains another one.
   *
   * @param leftOut the rules of devices that are left out
   */
  public SearchPlan(
      SearchContext context,
      List<ResourceClaim> claims,
      SearchPosition position,
      Set<RuleKind> leftOut)
      throws RejectedException, BudgetExceededException {
    this.context = context;
    this.position = position;
    this.placed = new PlacedDevices(context, claims.size());
    this.claims = new ArrayList<>(claims.size());
    this.targets =
        new ArrayList<>(claims.size() == 1 ? claims.get(0).spec().requests().size() : 16);
    this.tables = new AttributeTables(context, memory);
    this.nothingAskedFor = new CapacityDemand(context, memory, null);
    for (RuleKind kind : KINDS) {
      Rule rule = leftOut.contains(kind) ? null : kind.make(context, placed);
      if (rule != null) {
        List<Asked> rules = kind.compareTo(RuleKind.CONSTRAINT) < 0 ? firstRules : lastRules;
        rules.add(new Asked(kind, rule));
      }
    }
    for (int i = 0; i < claims.size(); i++) {
      this.claims.add(plan(i, claims.get(i)));
    }
  }

  private ClaimPlan plan(int claimIndex, ResourceClaim claim)
      throws RejectedException, BudgetExceededException {
    int firstTarget = targets.size();
    List<RequestPlan> requests = new ArrayList<>(claim.spec().requests().size());
    long atLeast = 0;
    context.budget().spend(1);
    for (DeviceRequest request : claim.spec().requests()) {
      RequestPlan planned = plan(claimIndex, claim, request);
      long fewest = fewest(planned);
      if (fewest > PlannedRequest.MAX_RESULTS - atLeast) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            "%s: asks for %s, but a claim can have no more than %d%s"
                .formatted(
                    nameOf(claim, request.name()),
                    TextFormat.devices(fewest),
                    PlannedRequest.MAX_RESULTS,
                    atLeast == 0 ? "" : ", and earlier requests ask for " + atLeast));
      }
      atLeast += fewest;
      requests.add(planned);
    }
    List<Asked> rules = new ArrayList<>(KINDS.length + claim.spec().constraints().size());
    rules.addAll(firstRules);
    List<ConstraintRule> constraints = new ArrayList<>(claim.spec().constraints().size());
    if (context.fixes(Quirk.UNKNOWN_REQUEST_OF_A_CONSTRAINT)) {
      checkNames(claim);
    }
    for (int i = 0; i < claim.spec().constraints().size(); i++) {
      int names = claim.spec().constraints().get(i).requests().size();
      context.budget().spend(1 + names / NAMES_PER_UNIT);
      ConstraintRule rule = ruleOf(claim, i);
      rules.add(new Asked(RuleKind.CONSTRAINT, rule));
      constraints.add(rule);
    }
    rules.addAll(lastRules);
    Placer placer = new Placer(context, placed, rules, firstTarget, targets.size() - firstTarget);
    return new ClaimPlan(claim, requests, placer, constraints);
  }

  /** Rejects names that the API server rejects; constraints would apply to too few requests. */
  private static void checkNames(ResourceClaim claim) throws RejectedException {
    for (Map.Entry<String, String> unknown :
        claim.spec().unknownRequestsOfConstraints().entrySet()) {
      throw new RejectedException(
          RejectionReason.CLAIM,
          "claim %s, %s: expected the name of a request or request/alternative of the claim, found \"%s\""
              .formatted(claim.displayName(), unknown.getKey(), unknown.getValue()));
    }
  }

  private static long fewest(RequestPlan planned) {
    List<PlannedRequest> alternatives = planned.alternatives();
    long fewest = alternatives.isEmpty() ? 0 : Long.MAX_VALUE;
    for (int i = 0; i < alternatives.size(); i++) {
      fewest = Math.min(fewest, alternatives.get(i).count());
    }
    return fewest;
  }

  private ConstraintRule ruleOf(ResourceClaim claim, int index)
      throws RejectedException, BudgetExceededException {
    DeviceConstraint constraint = claim.spec().constraints().get(index);
    if (constraint.kind().isEmpty()) {
      throw new RejectedException(
          RejectionReason.CLAIM,
          "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
              .formatted(claim.displayName(), index));
    }
    return ConstraintRule.of(new Constraint(tables, constraint, index));
  }

  private RequestPlan plan(int claimIndex, ResourceClaim claim, DeviceRequest request)
      throws RejectedException, BudgetExceededException {
    if (request.firstAvailable().isEmpty()) {
      ExactDeviceRequest exactly = request.exactly();
      if (exactly == null) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            nameOf(claim, request.name()) + ": neither exactly nor firstAvailable is set");
      }
      return new RequestPlan(
          List.of(target(claimIndex, claim, request.name(), null, exactly)), false, false);
    }
    if (!context.has(Feature.PRIORITIZED_LIST)) {
      throw switchedOff(claim, request.name(), "has subrequests", Feature.PRIORITIZED_LIST);
    }
    return new RequestPlan(alternatives(claimIndex, claim, request), true, request.hasChoice());
  }

  private List<PlannedRequest> alternatives(
      int claimIndex, ResourceClaim claim, DeviceRequest request)
      throws RejectedException, BudgetExceededException {
    List<PlannedRequest> alternatives = new ArrayList<>();
    RejectedException missingClass = null;
    for (DeviceSubRequest sub : request.firstAvailable()) {
      try {
        alternatives.add(target(claimIndex, claim, request.name(), sub.name(), sub.request()));
      } catch (RejectedException e) {
        if (e.reason() != RejectionReason.MISSING_CLASS
            || !context.fixes(Quirk.CLASS_OF_AN_UNUSED_ALTERNATIVE)) {
          throw e;
        }
        missingClass = missingClass == null ? e : missingClass;
      }
    }
    if (alternatives.isEmpty() && missingClass != null) {
      throw missingClass;
    }
    return List.copyOf(alternatives);
  }

  private PlannedRequest target(
      int claimIndex,
      ResourceClaim claim,
      String requestName,
      @Nullable String alternative,
      ExactDeviceRequest request)
      throws RejectedException, BudgetExceededException {
    String name = alternative == null ? requestName : requestName + "/" + alternative;
    position.at("while it prepared", claim, name);
    context.budget().spend(1);
    DeviceClass deviceClass = checked(claim, name, request);
    SelectorMatches selection = selection(deviceClass, request);
    CapacityDemand consumption =
        request.capacity() == null ? nothingAskedFor : consumption(request.capacity());
    PlannedRequest target =
        new PlannedRequest(
            targets.size(),
            claimIndex,
            claim,
            requestName,
            alternative,
            request,
            deviceClass,
            selection,
            consumption);
    targets.add(target);
    return target.all
        ? target.withAllDevices(all(new AllKey(selection, consumption), target))
        : target;
  }

  private SelectorMatches selection(DeviceClass deviceClass, ExactDeviceRequest request) {
    Map<List<DeviceSelector>, SelectorMatches> ofClass = selections.get(request.deviceClassName());
    if (ofClass == null) {
      ofClass = new HashMap<>(2);
      selections.put(request.deviceClassName(), ofClass);
    }
    SelectorMatches known = ofClass.get(request.selectors());
    if (known == null) {
      known = new SelectorMatches(context, memory, deviceClass, request.selectors());
      ofClass.put(request.selectors(), known);
    }
    return known;
  }

  private CapacityDemand consumption(CapacityRequirements capacity) throws BudgetExceededException {
    return consumptions.computeIfAbsent(
        ConsumptionKey.of(capacity, context.budget()),
        key -> new CapacityDemand(context, memory, capacity));
  }

  private AllDevices all(AllKey key, PlannedRequest target)
      throws RejectedException, BudgetExceededException {
    AllDevices known = allDevices.get(key);
    if (known == null) {
      known = AllDevices.of(target, context);
      allDevices.put(key, known);
    }
    return known;
  }

  /** Checks what does not depend on devices, in the reference's order; returns the class. */
  private DeviceClass checked(ResourceClaim claim, String name, ExactDeviceRequest request)
      throws RejectedException, BudgetExceededException {
    if (request.capacity() != null && !context.has(Feature.CONSUMABLE_CAPACITY)) {
      throw switchedOff(claim, name, "has capacity requests", Feature.CONSUMABLE_CAPACITY);
    }
    if (!request.derivedAttributes().isEmpty() && !context.has(Feature.DERIVED_ATTRIBUTES)) {
      throw switchedOff(claim, name, "has derived attributes", Feature.DERIVED_ATTRIBUTES);
    }
    checkSelectors(claim, name, request.selectors());
    // The reference checks whether the field is set, even with the value false.
    Boolean admin = request.adminAccess();
    if (admin != null
        && (admin || !context.fixes(Quirk.ADMIN_ACCESS_FALSE))
        && !context.has(Feature.ADMIN_ACCESS)) {
      throw switchedOff(claim, name, "asks for admin access", Feature.ADMIN_ACCESS);
    }
    if (request.deviceClassName().isEmpty()) {
      throw fault(claim, name, "missing device class name (unsupported request type?)");
    }
    DeviceClass deviceClass =
        context
            .inventory()
            .deviceClass(request.deviceClassName())
            .orElseThrow(
                () ->
                    new RejectedException(
                        RejectionReason.MISSING_CLASS,
                        "%s: device class %s not found"
                            .formatted(nameOf(claim, name), request.deviceClassName())));
    checkCount(claim, name, request);
    return deviceClass;
  }

  private void checkSelectors(ResourceClaim claim, String name, List<DeviceSelector> selectors)
      throws RejectedException, BudgetExceededException {
    for (int i = 0; i < selectors.size(); i++) {
      context.budget().spend(1);
      if (selectors.get(i).expression() == null) {
        throw fault(
            claim, name, "selector #" + i + ": CEL expression empty (unsupported selector type?)");
      }
    }
  }

  private static void checkCount(ResourceClaim claim, String name, ExactDeviceRequest request)
      throws RejectedException {
    AllocationMode mode = request.allocationMode();
    if (!mode.equals(AllocationMode.EXACT_COUNT) && !mode.equals(AllocationMode.ALL)) {
      throw fault(claim, name, "unsupported count mode " + mode);
    }
    if (mode.equals(AllocationMode.EXACT_COUNT) && request.count() < 0) {
      throw fault(claim, name, "asks for " + request.count() + " devices; expected 0 or more");
    }
  }

  private static RejectedException fault(ResourceClaim claim, String request, String problem) {
    return new RejectedException(RejectionReason.CLAIM, nameOf(claim, request) + ": " + problem);
  }

  private static RejectedException switchedOff(
      ResourceClaim claim, String request, String what, Feature feature) {
    return new RejectedException(
        RejectionReason.CLAIM,
        "%s: %s, but the feature %s is off"
            .formatted(nameOf(claim, request), what, feature.optionName()));
  }

  private static String nameOf(ResourceClaim claim, String request) {
    return "claim " + claim.displayName() + ", request " + request;
  }
}
