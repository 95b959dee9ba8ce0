package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Proposes to compare another attribute in all constraints on a failing one, or to omit them. */
public final class ConstraintAdvisor implements BuiltInAdvisor {

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    Set<String> compared = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    boolean misses = false;
    for (Reason refusal : problem.reasons()) {
      if (refusal instanceof Reason.MissingAttribute missing) {
        others.addAll(missing.near());
        misses = true;
      }
      for (Requirement part : refusal.requirements()) {
        if (part instanceof Requirement.Constraint constraint
            && demandsCommonValue(constraint.constraint())) {
          constraint.constraint().attribute().ifPresent(compared::add);
        }
      }
    }
    List<Suggestion> suggestions = new ArrayList<>();
    addOthers(problem, suggestions);
    if (compared.isEmpty()) {
      return suggestions;
    }
    others.addAll(places(problem));
    addComparisons(problem, compared, others, suggestions);
    addRemovals(problem, compared, misses, suggestions);
    return suggestions;
  }

  private static void addComparisons(
      AdvisorRun problem, Set<String> compared, Set<String> others, List<Suggestion> suggestions) {
    for (String attribute : compared) {
      for (String other : others) {
        if (!other.equals(attribute) && !problem.isOver()) {
          suggestions.add(
              new Suggestion(
                  "compare %s instead of %s".formatted(other, attribute),
                  problem.inventory(),
                  changed(
                      problem.claims(), ConstraintAdvisor::demandsCommonValue, attribute, other)));
        }
      }
    }
  }

  private static void addRemovals(
      AdvisorRun problem, Set<String> compared, boolean misses, List<Suggestion> suggestions) {
    for (String attribute : compared) {
      if (problem.isOver()) {
        return;
      }
      suggestions.add(
          new Suggestion(
              misses
                  ? "leave out the constraint on %s".formatted(attribute)
                  : "leave out the constraint on %s: the devices are then not near each other"
                      .formatted(attribute),
              problem.inventory(),
              changed(problem.claims(), ConstraintAdvisor::demandsCommonValue, attribute, null)));
    }
  }

  /** Adds suggestions for constraints that name an attribute of no device. */
  private static void addOthers(AdvisorRun problem, List<Suggestion> suggestions) {
    for (Reason refusal : problem.reasons()) {
      if (refusal instanceof Reason.MissingAttribute missing
          && !demandsCommonValue(missing.constraint().constraint())) {
        Optional<DeviceConstraint.Kind> kind = missing.constraint().constraint().kind();
        for (String near : missing.near()) {
          if (problem.isOver()) {
            return;
          }
          suggestions.add(
              new Suggestion(
                  "compare %s instead of %s".formatted(near, missing.attribute()),
                  problem.inventory(),
                  changed(
                      problem.claims(),
                      constraint -> constraint.kind().equals(kind),
                      missing.attribute(),
                      near)));
        }
      }
    }
  }

  private static boolean demandsCommonValue(DeviceConstraint constraint) {
    return constraint.demands(DeviceConstraint.Demand.COMMON_VALUE);
  }

  /** Attributes of the node's devices that describe their location, the nearest first. */
  private static List<String> places(AdvisorRun problem) {
    Set<String> roots = new LinkedHashSet<>();
    Set<String> nodes = new LinkedHashSet<>();
    roots.add(StandardAttributes.PCIE_ROOT);
    nodes.add(StandardAttributes.NUMA_NODE);
    for (InventoryDevice device : problem.devices()) {
      if (problem.isOver()) {
        break;
      }
      for (String name : device.device().attributes().keySet()) {
        String qualified = name.indexOf('/') < 0 ? device.id().driver() + "/" + name : name;
        if (qualified.endsWith("/pcieRoot")) {
          roots.add(qualified);
        } else if (qualified.endsWith("/numaNode")) {
          nodes.add(qualified);
        }
      }
    }
    List<String> all = new ArrayList<>(roots);
    all.addAll(nodes);
    return all;
  }

  /** The claims with some constraints on an attribute changed, or without them. */
  private static List<ResourceClaim> changed(
      List<ResourceClaim> claims,
      Predicate<DeviceConstraint> some,
      String attribute,
      @Nullable String other) {
    List<ResourceClaim> changed = new ArrayList<>();
    for (ResourceClaim claim : claims) {
      List<DeviceConstraint> constraints = new ArrayList<>();
      for (DeviceConstraint constraint : claim.spec().constraints()) {
        if (!some.test(constraint) || !constraint.attribute().equals(Optional.of(attribute))) {
          constraints.add(constraint);
        } else if (other != null) {
          constraints.add(
              new DeviceConstraint(
                  constraint.requests(), Map.of(constraint.kind().orElseThrow(), other)));
        }
      }
      changed.add(ClaimRelaxation.withSpec(claim, claim.spec().requests(), constraints));
    }
    return changed;
  }
}
