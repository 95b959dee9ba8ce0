package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.CapacityPolicy;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.CounterLedger;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.allocation.internal.rule.TaintRule;
import io.dra4j.allocation.internal.rule.Violation;
import io.dra4j.allocation.internal.rule.Violation.Verb;
import io.dra4j.allocation.internal.search.CandidateSets;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ResourceSlice;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules of a search for each device and a target, and describes the violations in full.
 */
final class AvailabilityAnalysis {

  private static final Violation NOT_OF_CLASS =
      new Violation(ExclusionCause.CLASS, Verb.IS, "not of the class");
  private static final Violation NOT_SELECTED =
      new Violation(ExclusionCause.SELECTOR, Verb.DOES, "not match the request's selectors");
  private static final Violation FOR_OTHERS =
      new Violation(ExclusionCause.NODE, Verb.IS, "for other nodes");
  private static final Violation FAULTY =
      new Violation(ExclusionCause.FAULT, Verb.COULD, "not be checked");

  /** The maximum number of drivers to try with the selectors of a class that matches no device. */
  private static final int MAX_DRIVERS = 8;

  /** Sorting this many holders takes no longer than a unit of the budget. */
  private static final int HOLDERS_PER_UNIT = 8;

  private final SearchContext context;
  private final SearchPlan plan;
  private final SearchPosition position;
  private final SelectorClauses clauses;
  private final Map<PlannedRequest, Availability> known = new HashMap<>();
  private final Map<CandidateSets.DemandKey, Availability> ofKinds = new HashMap<>();
  private final Map<PoolView, CounterLedger> balances = new HashMap<>();
  private final Map<NodeDevice, List<ClaimKey>> heldBy = new HashMap<>();

  AvailabilityAnalysis(SearchPlan plan, SearchPosition position) {
    this.context = plan.context;
    this.plan = plan;
    this.position = position;
    this.clauses = new SelectorClauses(plan.context);
  }

  Availability of(PlannedRequest target) throws BudgetExceededException {
    context.budget().spend(1); // there may be many targets
    Availability supply = known.get(target);
    if (supply == null) {
      position.at("while it explained", target);
      CandidateSets.DemandKey kind =
          CandidateSets.DemandKey.of(
              target, plan.claims.get(target.claimIndex).constraints(), context);
      Availability same = ofKinds.get(kind);
      supply = same == null ? find(target) : same.of(request(target));
      ofKinds.putIfAbsent(kind, supply);
      known.put(target, supply);
    }
    return supply;
  }

  private Availability find(PlannedRequest target) throws BudgetExceededException {
    Placer placer = plan.claims.get(target.claimIndex).placer();
    Requirement.Request request = request(target);
    Availability supply = new Availability();
    Map<Violation, Violation> firsts = new HashMap<>(); // the text of the first applies to all
    for (int ordinal = 0; ordinal < context.candidates().size(); ordinal++) {
      NodeDevice candidate = context.candidates().get(ordinal);
      context.budget().spend(1);
      Violation objection = objectionOrFault(placer, target, candidate, firsts);
      supply.onNode++;
      if (objection != null && objection.cause() == ExclusionCause.CLASS) {
        continue;
      }
      supply.ofClass++;
      supply.members.set(ordinal);
      if (objection == null) {
        supply.usable.set(ordinal);
        continue;
      }
      objection = inFull(objection, target, candidate, firsts);
      SortedSet<ClaimKey> holders = holders(objection.cause(), candidate);
      supply.refuse(
          objection,
          new ExcludedDevice(
              candidate.id(),
              request,
              objection.cause(),
              objection.reason() + Availability.by(objection.cause(), holders),
              List.copyOf(holders)));
    }
    if (supply.ofClass == 0) {
      supply.hint = hint(target);
    }
    return supply;
  }

  static Requirement.Request request(PlannedRequest target) {
    return new Requirement.Request(ClaimKey.of(target.claim), target.resultName());
  }

  private static @Nullable Violation objectionOrFault(
      Placer placer, PlannedRequest target, NodeDevice candidate, Map<Violation, Violation> firsts)
      throws BudgetExceededException {
    try {
      return objection(placer, target, candidate);
    } catch (RejectedException e) {
      return firsts.computeIfAbsent(
          FAULTY, faulty -> faulty.withRest(faulty.rest() + " (the first: " + e.error() + ")"));
    }
  }

  private static @Nullable Violation objection(
      Placer placer, PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    if (!target.selection.matchesClass(target, candidate)) {
      return NOT_OF_CLASS;
    }
    if (!target.selection.matchesRequest(target, candidate)) {
      return NOT_SELECTED;
    }
    if (!target.selects(candidate)) {
      return FOR_OTHERS;
    }
    Violation objection = placer.check(Screen.BEFORE_SELECTORS, target, candidate);
    if (objection == null) {
      objection = placer.check(Screen.AFTER_SELECTORS, target, candidate);
    }
    if (objection == null) {
      objection = placer.tryPlace(target, candidate);
      if (objection == null) {
        placer.undo(target, candidate);
      }
    }
    return objection;
  }

  /** Adds the name of the taint, the counter or the condition to a violation. */
  private Violation inFull(
      Violation objection,
      PlannedRequest target,
      NodeDevice candidate,
      Map<Violation, Violation> firsts)
      throws BudgetExceededException {
    return switch (objection.cause()) {
      case TAINTS -> withTaint(objection, TaintRule.refusing(target, candidate, context.budget()));
      case COUNTERS -> withCounter(objection, candidate);
      case SELECTOR, CAPACITY -> {
        Violation first = firsts.get(objection);
        if (first == null) {
          first =
              objection.cause() == ExclusionCause.CAPACITY
                  ? withShortage(objection, target, candidate)
                  : ofFirst(
                      objection, candidate, clauses.whyNot(target.request.selectors(), candidate));
          firsts.put(objection, first);
        }
        yield first;
      }
      default -> objection;
    };
  }

  private static Violation withTaint(Violation objection, @Nullable DeviceTaint taint) {
    return taint == null
        ? objection
        : objection.withRest(
            "the taint %s%s:%s, which the request does not tolerate"
                .formatted(
                    taint.key(),
                    taint.value().isEmpty() ? "" : "=" + taint.value(),
                    taint.effect().value()));
  }

  private Violation withCounter(Violation objection, NodeDevice candidate)
      throws BudgetExceededException {
    CounterLedger.Exhausted exhausted = exhaustedFor(candidate);
    if (exhausted == null) {
      return objection;
    }
    return objection.withRest(
        exhausted.overdrawn()
            ? "shared counters of a pool whose counter " + exhausted.counter() + " is overdrawn"
            : "more of the shared counter "
                + exhausted.counter()
                + (balance(candidate).isUntouched() ? " than there is" : " than is left"));
  }

  private static Violation withShortage(
      Violation objection, PlannedRequest target, NodeDevice candidate)
      throws BudgetExceededException {
    CapacityPolicy.Shortage shortage = shortage(target, candidate);
    if (shortage == null) {
      return objection;
    }
    return shortage.missing()
        ? objection.withRest(shortage.text())
        : ofFirst(objection, candidate, shortage.text());
  }

  /** Adds details of one named device, which are similar for the others. */
  private static Violation ofFirst(Violation objection, NodeDevice candidate, String why) {
    return why.isEmpty()
        ? objection
        : objection.withRest(objection.rest() + " (" + candidate.id().device() + ": " + why + ")");
  }

  private static CapacityPolicy.@Nullable Shortage shortage(
      PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {
    try {
      return target.consumption.whyNot(candidate);
    } catch (RejectedException e) {
      return null; // the availability already has this reason
    }
  }

  /** The counter that keeps the device from being used; null if none does. */
  CounterLedger.@Nullable Exhausted exhaustedFor(NodeDevice candidate)
      throws BudgetExceededException {
    return balance(candidate).exhaustedFor(candidate.device(), context.budget());
  }

  private CounterLedger balance(NodeDevice candidate) throws BudgetExceededException {
    CounterLedger balance = balances.get(candidate.pool());
    if (balance == null) {
      balance =
          new CounterLedger(candidate.pool(), context.view().drawing(candidate), context.budget());
      balances.put(candidate.pool(), balance);
    }
    return balance;
  }

  private SortedSet<ClaimKey> holders(ExclusionCause rule, NodeDevice candidate)
      throws BudgetExceededException {
    SortedSet<ClaimKey> holders = new TreeSet<>();
    switch (rule) {
      case USAGE, CAPACITY -> addHolders(candidate, holders);
      case COUNTERS -> {
        Set<String> counters = exhaustedCounters(candidate);
        addHolders(candidate.pool(), device -> drawsFromAny(device, counters), holders);
      }
      case COMPATIBILITY_GROUPS -> {
        Set<String> sets = counterSets(candidate.device());
        addHolders(
            candidate.pool(), device -> !Collections.disjoint(counterSets(device), sets), holders);
      }
      default -> {}
    }
    return holders;
  }

  /** Adds the holders of devices of a pool that draw from some shared counters. */
  private void addHolders(PoolView pool, Predicate<Device> draws, SortedSet<ClaimKey> holders)
      throws BudgetExceededException {
    for (int i = 0; i < context.candidates().size(); i++) {
      context.budget().spend(1);
      NodeDevice other = context.candidates().get(i);
      if (other.pool() == pool && other.drawsFromCounters() && draws.test(other.device())) {
        addHolders(other, holders);
      }
    }
  }

  /** The counters of which the device draws more than is left, or else one that is overdrawn. */
  private Set<String> exhaustedCounters(NodeDevice candidate) throws BudgetExceededException {
    Set<String> own = balance(candidate).allShortOf(candidate.device(), context.budget());
    if (!own.isEmpty()) {
      return own;
    }
    CounterLedger.Exhausted others = exhaustedFor(candidate);
    return others == null ? Set.of() : Set.of(others.counter());
  }

  private static boolean drawsFromAny(Device device, Set<String> counters) {
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      for (String counter : consumption.counters().keySet()) {
        if (counters.contains(consumption.counterSet() + "." + counter)) {
          return true;
        }
      }
    }
    return false;
  }

  private void addHolders(NodeDevice candidate, SortedSet<ClaimKey> holders)
      throws BudgetExceededException {
    List<ClaimKey> ofDevice = heldBy.get(candidate);
    if (ofDevice == null) {
      context.budget().check(); // there may be very many
      ofDevice = context.inventory().holdersOf(candidate.id());
      heldBy.put(candidate, ofDevice);
    }
    int round = 0;
    for (ClaimKey holder : ofDevice) {
      BudgetTicks.spend(context.budget(), round++, HOLDERS_PER_UNIT);
      holders.add(holder);
    }
  }

  private static Set<String> counterSets(Device device) {
    Set<String> sets = new HashSet<>();
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      sets.add(consumption.counterSet());
    }
    return sets;
  }

  /** A hint for the selectors of a class that matches no device of the node. */
  private String hint(PlannedRequest target) throws BudgetExceededException {
    Set<String> drivers = new HashSet<>();
    for (int i = 0; i < context.candidates().size() && drivers.size() < MAX_DRIVERS; i++) {
      NodeDevice candidate = context.candidates().get(i);
      if (drivers.add(candidate.id().driver())) {
        List<String> hints = clauses.hints(target.deviceClass.selectors(), candidate);
        if (!hints.isEmpty()) {
          return hints.get(0);
        }
      }
    }
    String meant = NearNameAdvisor.driverMeant(target.deviceClass.selectors(), drivers);
    return meant.isEmpty() ? elsewhere(target) : meant;
  }

  /** The nodes of devices of the class that are not restricted to one node. */
  private String elsewhere(PlannedRequest target) throws BudgetExceededException {
    for (ResourceSlice slice : context.inventory().slicesOfNoSingleNode()) {
      for (Device device : slice.devices()) {
        context.budget().spend(1);
        NodeSelection nodes =
            Boolean.TRUE.equals(slice.perDeviceNodeSelection())
                ? device.nodeSelection()
                : slice.nodeSelection();
        NodeSelector selector = nodes.nodeSelector();
        if (selector != null
            && clauses.choose(target.deviceClass.selectors(), slice.driver(), device)) {
          String pool = TextFormat.name(slice.pool().name());
          String conditions = TextFormat.of(selector);
          return conditions.isEmpty()
              ? "the devices of pool %s are for no node, because their node selector is empty"
                  .formatted(pool)
              : "the devices of pool %s are for nodes with %s".formatted(pool, conditions);
        }
      }
    }
    return "";
  }

  /** Hints for failing selectors, the likeliest first. */
  List<String> hintsOf(PlannedRequest target) throws BudgetExceededException {
    for (int i = 0; i < context.candidates().size(); i++) {
      NodeDevice candidate = context.candidates().get(i);
      context.budget().spend(1);
      try {
        if (target.selection.matchesClass(target, candidate)) {
          target.selection.matchesRequest(target, candidate);
        }
      } catch (RejectedException e) {
        List<String> hints = clauses.hints(target.deviceClass.selectors(), candidate);
        return hints.isEmpty() ? clauses.hints(target.request.selectors(), candidate) : hints;
      }
    }
    return List.of();
  }
}
