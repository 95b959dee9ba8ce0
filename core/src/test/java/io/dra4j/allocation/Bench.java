package io.dra4j.allocation;

import io.dra4j.allocation.internal.request.AttributeTables;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.rule.Rule;
import io.dra4j.allocation.internal.rule.Violation;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tries one rule by itself: on the devices of a cluster, for the requests of some claims. What is
 * placed here is known to the rule as in a search, but asks no other rule.
 */
public final class Bench {

  private final SearchContext context;
  private final SearchPlan plan;
  private final PlacedDevices placed;
  private @Nullable Rule rule;

  private Bench(SearchContext context, SearchPlan plan, PlacedDevices placed) {
    this.context = context;
    this.plan = plan;
    this.placed = placed;
  }

  public static Bench of(Cluster cluster, ResourceClaim... claims) throws Exception {
    return of(cluster, Feature.kubernetes(), Compatibility.REFERENCE, claims);
  }

  public static Bench of(
      Cluster cluster, Set<Feature> features, Compatibility compatibility, ResourceClaim... claims)
      throws Exception {
    SearchContext context = cluster.context(cluster.inventory(), features, compatibility);
    SearchPlan plan = new SearchPlan(context, List.of(claims), new SearchPosition("in a test"));
    return new Bench(context, plan, new PlacedDevices(context, claims.length));
  }

  /**
   * Tries the rule of a constraint about the attribute {@code gpu/root} of the request {@code r}; a
   * request {@code other} is no part of it.
   */
  public static Bench ofConstraint(
      DeviceConstraint constraint,
      Set<Feature> features,
      Compatibility compatibility,
      Device... devices)
      throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any"))
            .request("other", request -> request.deviceClass("any"))
            .build();
    Bench bench = of(Cluster.withDevices(devices), features, compatibility, claim);
    AttributeTables tables = new AttributeTables(bench.context, new SearchCache(1_000));
    bench.rule = ConstraintRule.of(new Constraint(tables, constraint, 0));
    return bench;
  }

  /** A device with the attribute {@code gpu/root}. */
  public static Device rooted(String name, DeviceAttribute root) {
    return Device.named(name).attribute("root", root).build();
  }

  /** Sets the rule to try. */
  public Bench with(Function<SearchContext, Rule> make) {
    rule = make.apply(context);
    return this;
  }

  /** Sets the rule to try, which asks what is placed. */
  public Bench withPlaced(java.util.function.BiFunction<SearchContext, PlacedDevices, Rule> make) {
    rule = make.apply(context, placed);
    return this;
  }

  public SearchContext context() {
    return context;
  }

  /** What a request of the first claim wants. */
  public PlannedRequest target(String request) {
    return target(0, request);
  }

  /** What a request, or an alternative {@code request/alternative}, of a claim wants. */
  public PlannedRequest target(int claim, String request) {
    return plan.claims.get(claim).requests().stream()
        .flatMap(planned -> planned.alternatives().stream())
        .filter(target -> target.resultName().equals(request))
        .findFirst()
        .orElseThrow();
  }

  public NodeDevice device(String name) {
    for (int i = 0; i < context.candidates().size(); i++) {
      NodeDevice candidate = context.candidates().get(i);
      if (candidate.device().name().equals(name)) {
        return candidate;
      }
    }
    throw new IllegalArgumentException("no device " + name);
  }

  /** Places a device for a request of the first claim: "placed", or the reason of the rule. */
  public String place(String request, String device) throws Exception {
    return place(0, request, device);
  }

  public String place(int claim, String request, String device) throws Exception {
    PlannedRequest target = target(claim, request);
    Violation refusal =
        rule().concerns(target) ? rule().tryPlace(target, device(device)) : null; // as Placer asks
    if (refusal == null) {
      placed.add(target(claim, request), device(device));
      return "placed";
    }
    return refusal.reason();
  }

  /** What the rule says while devices are looked for: "passes", or its reason. */
  public String check(String request, String device) throws Exception {
    return check(0, request, device);
  }

  public String check(int claim, String request, String device) throws Exception {
    Violation refusal = rule().check(target(claim, request), device(device));
    return refusal == null ? "passes" : refusal.reason();
  }

  /** Takes back what was placed last. */
  public void undo(String request, String device) throws BudgetExceededException {
    undo(0, request, device);
  }

  public void undo(int claim, String request, String device) throws BudgetExceededException {
    placed.remove(target(claim, request), device(device));
    if (rule().concerns(target(claim, request))) {
      rule().undo(target(claim, request), device(device));
    }
  }

  private Rule rule() {
    if (rule == null) {
      throw new IllegalStateException("a bench needs a rule to try");
    }
    return rule;
  }
}
