package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Feature;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything one search works on: the claims made ready, and the rules that they share. Made anew
 * for each search, because rules keep state. Making it finds every fault of the claims that does
 * not depend on the search.
 */
final class SearchPlan {

  /** The API's {@code AllocationResultsMaxSize}. */
  static final int MAX_RESULTS = 32;

  final SearchContext context;
  final List<ClaimPlan> claims = new ArrayList<>();
  final UsageRule usage;
  final CapacityRule capacity;
  private final List<Rule> deviceRules = new ArrayList<>();

  /**
   * Makes the claims ready.
   *
   * @throws RejectedException if one of them, or a class, is at fault
   */
  SearchPlan(SearchContext context, List<ResourceClaim> claims) throws RejectedException {
    this.context = context;
    this.usage = new UsageRule(context, claims.size());
    this.capacity = new CapacityRule(context);
    deviceRules.add(usage);
    deviceRules.add(new NodeSupportRule(context));
    if (context.has(Feature.COMPATIBILITY_GROUPS)) {
      deviceRules.add(new CompatibilityGroupRule(context, capacity));
    }
    deviceRules.add(new CounterRule(context, capacity));
    if (context.has(Feature.DEVICE_TAINTS)) {
      deviceRules.add(new TaintRule());
    }
    for (int i = 0; i < claims.size(); i++) {
      this.claims.add(plan(i, claims.get(i)));
    }
  }

  private ClaimPlan plan(int claimIndex, ResourceClaim claim) throws RejectedException {
    List<RequestPlan> requests = new ArrayList<>();
    long atLeast = 0;
    for (DeviceRequest request : claim.spec().requests()) {
      RequestPlan planned = plan(claimIndex, claim, request);
      long fewest = planned.alternatives().stream().mapToLong(t -> t.count).min().orElse(0);
      if (fewest > MAX_RESULTS - atLeast) {
        throw new RejectedException(
            "%s: adding %d devices exceeds the claim limit of %d, with %d already accounted for"
                .formatted(nameOf(claim, request.name()), fewest, MAX_RESULTS, atLeast));
      }
      atLeast += fewest;
      requests.add(planned);
    }
    List<Rule> rules = new ArrayList<>(deviceRules);
    List<MatchAttributeRule> matching = new ArrayList<>();
    for (int i = 0; i < claim.spec().constraints().size(); i++) {
      Rule rule = ruleOf(claim, i);
      rules.add(rule);
      if (rule instanceof MatchAttributeRule match) {
        matching.add(match);
      }
    }
    rules.add(capacity);
    return new ClaimPlan(claim, requests, new Placement(rules), matching);
  }

  private Rule ruleOf(ResourceClaim claim, int index) throws RejectedException {
    DeviceConstraint constraint = claim.spec().constraints().get(index);
    boolean lists = context.has(Feature.LIST_TYPE_ATTRIBUTES);
    if (constraint.matchAttribute() != null) {
      return new MatchAttributeRule(new Constraint(constraint, constraint.matchAttribute()), lists);
    }
    if (constraint.distinctAttribute() != null) {
      return new DistinctAttributeRule(
          new Constraint(constraint, constraint.distinctAttribute()), lists);
    }
    throw new RejectedException(
        "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
            .formatted(claim.displayName(), index));
  }

  private RequestPlan plan(int claimIndex, ResourceClaim claim, DeviceRequest request)
      throws RejectedException {
    if (request.firstAvailable().isEmpty()) {
      ExactDeviceRequest exactly = request.exactly();
      if (exactly == null) {
        throw new RejectedException(
            nameOf(claim, request.name()) + ": neither exactly nor firstAvailable is set");
      }
      return new RequestPlan(
          List.of(target(claimIndex, claim, request.name(), null, exactly)), false);
    }
    if (!context.has(Feature.PRIORITIZED_LIST)) {
      throw switchedOff(claim, request.name(), "has subrequests", Feature.PRIORITIZED_LIST);
    }
    List<Target> alternatives = new ArrayList<>();
    for (DeviceSubRequest sub : request.firstAvailable()) {
      alternatives.add(target(claimIndex, claim, request.name(), sub.name(), sub.request()));
    }
    return new RequestPlan(List.copyOf(alternatives), true);
  }

  private Target target(
      int claimIndex,
      ResourceClaim claim,
      String requestName,
      @Nullable String alternative,
      ExactDeviceRequest request)
      throws RejectedException {
    String name = alternative == null ? requestName : requestName + "/" + alternative;
    if (request.capacity() != null && !context.has(Feature.CONSUMABLE_CAPACITY)) {
      throw switchedOff(claim, name, "has capacity requests", Feature.CONSUMABLE_CAPACITY);
    }
    if (!request.derivedAttributes().isEmpty() && !context.has(Feature.DERIVED_ATTRIBUTES)) {
      throw switchedOff(claim, name, "has derived attributes", Feature.DERIVED_ATTRIBUTES);
    }
    for (DeviceSelector selector : request.selectors()) {
      if (selector.expression() == null) {
        throw new RejectedException(
            nameOf(claim, name) + ": CEL expression empty (unsupported selector type?)");
      }
    }
    // Like the reference, this looks at whether the field is there, even with the value false.
    if (request.adminAccess() != null && !context.has(Feature.ADMIN_ACCESS)) {
      throw switchedOff(claim, name, "asks for admin access", Feature.ADMIN_ACCESS);
    }
    if (request.deviceClassName().isEmpty()) {
      throw new RejectedException(
          nameOf(claim, name) + ": missing device class name (unsupported request type?)");
    }
    DeviceClass deviceClass = context.inventory().deviceClass(request.deviceClassName());
    if (deviceClass == null) {
      throw new RejectedException(
          "%s: device class %s not found"
              .formatted(nameOf(claim, name), request.deviceClassName()));
    }
    AllocationMode mode = request.allocationMode();
    if (!mode.equals(AllocationMode.EXACT_COUNT) && !mode.equals(AllocationMode.ALL)) {
      throw new RejectedException(nameOf(claim, name) + ": unsupported count mode " + mode);
    }
    return new Target(context, claimIndex, claim, requestName, alternative, request, deviceClass);
  }

  private static RejectedException switchedOff(
      ResourceClaim claim, String request, String what, Feature feature) {
    return new RejectedException(
        "%s: %s, but the feature %s is off"
            .formatted(nameOf(claim, request), what, feature.optionName()));
  }

  private static String nameOf(ResourceClaim claim, String request) {
    return "claim " + claim.displayName() + ", request " + request;
  }
}
