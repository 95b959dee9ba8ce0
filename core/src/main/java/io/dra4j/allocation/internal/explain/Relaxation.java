package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.rule.CounterLedger;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.search.ClaimPlan;
import io.dra4j.allocation.internal.search.Search;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint.Demand;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the cause if there are enough devices for each request, but not for all: the constraints or
 * the rule without which the claims would fit. Searches again for each of them.
 */
final class Relaxation {

  private static final int MAX_NAMES = 3;
  private static final int VALUES_PER_UNIT = 16;

  private final SearchContext context;
  private final List<ResourceClaim> claims;
  private final SearchPlan plan;
  private final AvailabilityAnalysis supplies;
  private final SearchPosition position;

  Relaxation(
      SearchContext context,
      List<ResourceClaim> claims,
      SearchPlan plan,
      AvailabilityAnalysis supplies,
      SearchPosition position) {
    this.context = context;
    this.claims = claims;
    this.plan = plan;
    this.supplies = supplies;
    this.position = position;
  }

  /** The cause, for {@link Reason.NotTogether#cause}. */
  String cause() throws RejectedException, BudgetExceededException {
    String constraints = ofConstraints();
    if (!constraints.isEmpty()) {
      return constraints;
    }
    for (RuleKind kind : RuleKind.values()) {
      if (kind.refusesTogether() && fits(claims, Set.of(kind))) {
        return ofRule(kind);
      }
    }
    return "";
  }

  private boolean fits(List<ResourceClaim> changed, Set<RuleKind> leftOut)
      throws RejectedException, BudgetExceededException {
    return Search.of(new SearchPlan(context, changed, position, leftOut), position).run();
  }

  private String ofConstraints() throws RejectedException, BudgetExceededException {
    List<Requirement> all =
        ClaimRelaxation.requirementsOf(claims).stream()
            .filter(requirement -> requirement instanceof Requirement.Constraint)
            .toList();
    if (all.isEmpty() || !fits(ClaimRelaxation.without(claims, Set.copyOf(all)), Set.of())) {
      return "";
    }
    List<Requirement> needed = new ArrayList<>(all); // without any one of them the claims fit
    for (Requirement constraint : all) {
      List<Requirement> fewer = new ArrayList<>(needed);
      fewer.remove(constraint);
      Set<Requirement> leftOut = new LinkedHashSet<>(all);
      fewer.forEach(leftOut::remove);
      if (!fits(ClaimRelaxation.without(claims, leftOut), Set.of())) {
        needed = fewer;
      }
    }
    Collections.reverse(needed); // in the order of the claims
    if (needed.size() == 1
        && needed.get(0) instanceof Requirement.Constraint only
        && only.constraint().demands(Demand.DISTINCT_VALUES)) {
      return ofTooFewValues(only);
    }
    List<String> texts = needed.stream().map(needs -> needs.text()).limit(MAX_NAMES).toList();
    return needed.size() == 1
        ? "no choice of them satisfies " + texts.get(0)
        : "no choice of them satisfies at once "
            + TextFormat.list(texts, MAX_NAMES)
            + (needed.size() > MAX_NAMES ? " and " + (needed.size() - MAX_NAMES) + " more" : "");
  }

  private String ofTooFewValues(Requirement.Constraint constraint)
      throws RejectedException, BudgetExceededException {
    Set<String> values = new TreeSet<>();
    long wanted = 0;
    for (ClaimPlan claim : plan.claims) {
      for (ConstraintRule rule : claim.constraints()) {
        if (!ClaimKey.of(claim.claim()).equals(constraint.claim())
            || rule.constraint().index != constraint.index()) {
          continue;
        }
        for (ClaimPlan.RequestPlan request : claim.requests()) {
          PlannedRequest target = request.alternatives().get(0);
          if (!rule.concerns(target)) {
            continue;
          }
          wanted += target.count();
          BitSet usable = supplies.of(target).usable;
          for (int i = usable.nextSetBit(0); i >= 0; i = usable.nextSetBit(i + 1)) {
            AttributeValueIds found =
                rule.constraint().valuesOf(target, context.candidates().get(i));
            if (found != null) {
              addTo(values, found.toArray());
            }
          }
        }
      }
    }
    String differ =
        "no %d of them differ in %s"
            .formatted(wanted, constraint.constraint().attribute().orElseThrow());
    return values.size() >= wanted
        ? differ
        : differ
            + (values.size() == 1 ? ", whose only value is " : ", whose only values are ")
            + list(values);
  }

  private void addTo(Set<String> texts, int[] ids) throws BudgetExceededException {
    for (int i = 0; i < ids.length; i++) {
      BudgetTicks.spend(context.budget(), i, VALUES_PER_UNIT);
      texts.add(context.values().textOf(ids[i]));
    }
  }

  private String ofRule(RuleKind kind) throws BudgetExceededException {
    return switch (kind) {
      case COUNTERS ->
          "together they draw more from the shared counters " + counters() + " than is left";
      case CAPACITY ->
          "together the requests need more" + capacities() + " than the devices have left";
      case COMPATIBILITY_GROUPS ->
          "the devices on one counter set have no compatibility group in common";
      case ADDED ->
          "no choice of them satisfies the "
              + (context.rules().size() == 1 ? "rule " : "rules ")
              + list(context.rules().stream().map(ClaimRule::name).toList());
      case USAGE, NODE_SUPPORT, TAINTS, CONSTRAINT ->
          throw new IllegalStateException(kind + " refuses each device by itself");
    };
  }

  /** The counters that all candidate devices together would overdraw. */
  private String counters() throws BudgetExceededException {
    BitSet usable = new BitSet();
    for (PlannedRequest target : plan.targets) {
      usable.or(supplies.of(target).usable);
    }
    Map<PoolView, List<NodeDevice>> byPool = new LinkedHashMap<>();
    for (int i = usable.nextSetBit(0); i >= 0; i = usable.nextSetBit(i + 1)) {
      NodeDevice candidate = context.candidates().get(i);
      byPool.computeIfAbsent(candidate.pool(), any -> new ArrayList<>()).add(candidate);
    }
    Set<String> names = new LinkedHashSet<>();
    for (Map.Entry<PoolView, List<NodeDevice>> pool : byPool.entrySet()) {
      List<Device> drawing = context.view().drawing(pool.getValue().get(0));
      names.addAll(
          new CounterLedger(pool.getKey(), drawing, context.budget())
              .shortOf(
                  pool.getValue().stream().map(NodeDevice::device).toList(), context.budget()));
    }
    return list(names);
  }

  private String capacities() {
    Set<String> names = new TreeSet<>();
    for (PlannedRequest target : plan.targets) {
      if (target.request.capacity() != null) {
        names.addAll(target.request.capacity().requests().keySet());
      }
    }
    return names.isEmpty() ? " capacity" : " " + list(names);
  }

  private static String list(Collection<String> names) {
    return TextFormat.list(names, MAX_NAMES);
  }
}
