package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.common.BudgetExceededException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that each constraint of a plan compares, for the candidate devices of each target.
 * Constraints that compare the same values share an index.
 */
final class ValueIndexes {

  /** The key of attributes with the same values. */
  private record Values(String attribute, String expression) {}

  /** An index, or null if it would be too large. */
  private record Made(@Nullable ValueIndex index) {}

  private static final int CELLS_PER_UNIT = 128;
  private static final int DEVICES_PER_UNIT = 4_096;

  private final PlanOutline outline;
  private final CandidateSets sets;
  private final SearchContext context;
  private final SearchCache memory;
  private final Map<String, Integer> attributes = new HashMap<>(); // their numbers
  private final int[] attributeOf; // by constraint
  private final List<BitSet> comparing = new ArrayList<>(); // targets, by attribute
  private final Made[][] ofKinds; // by kind of target, then by attribute
  private final Map<Values, Made> made = new HashMap<>();
  private final @Nullable ValueIndex[][] ofConstraints; // by constraint, then by target number
  private int cells; // the number of checked cells

  /** Creates the indexes; one that does not fit into {@code memory} counts as too large. */
  ValueIndexes(SearchContext context, SearchCache memory, PlanOutline outline, CandidateSets sets)
      throws RejectedException, BudgetExceededException {
    this.context = context;
    this.memory = memory;
    this.outline = outline;
    this.sets = sets;
    int targets = outline.targets.size();
    this.ofConstraints = new ValueIndex[outline.constraints.size()][targets];
    this.attributeOf = new int[outline.constraints.size()];
    numberAttributes();
    this.ofKinds = new Made[sets.all().size()][attributes.size()];
    for (PlannedRequest target : outline.targets) {
      for (int number : outline.constraintsOf(target)) {
        spend();
        comparing.get(attributeOf[number]).set(target.number);
      }
    }
    for (PlannedRequest target : outline.targets) {
      for (int number : outline.constraintsOf(target)) {
        spend();
        ofConstraints[number][target.number] =
            indexOf(outline.constraints.get(number).constraint(), attributeOf[number], target);
      }
    }
  }

  private void numberAttributes() throws BudgetExceededException {
    for (int number = 0; number < attributeOf.length; number++) {
      spend();
      attributeOf[number] = numberOf(outline.constraints.get(number).constraint().attribute);
    }
  }

  private int numberOf(String attribute) {
    Integer known = attributes.get(attribute);
    if (known == null) {
      known = attributes.size();
      attributes.put(attribute, known);
      comparing.add(new BitSet());
    }
    return known;
  }

  private void spend() throws BudgetExceededException {
    BudgetTicks.spend(context.budget(), cells++, CELLS_PER_UNIT);
  }

  /** Targets of one kind derive the attributes that are compared in the same way. */
  private @Nullable ValueIndex indexOf(Constraint constraint, int attribute, PlannedRequest target)
      throws RejectedException, BudgetExceededException {
    Made[] ofKind = ofKinds[sets.kindOf(target)];
    Made known = ofKind[attribute];
    if (known == null) {
      Values values = valuesOf(constraint, target);
      known = made.get(values);
      if (known == null) {
        known = new Made(make(constraint, attribute, target, values));
        made.put(values, known);
      }
      ofKind[attribute] = known;
    }
    return known.index;
  }

  private @Nullable ValueIndex make(
      Constraint constraint, int attribute, PlannedRequest target, Values values)
      throws RejectedException, BudgetExceededException {
    int devices = context.candidates().size();
    BitSet among = new BitSet(devices);
    BitSet comparingIt = comparing.get(attribute);
    for (PlannedRequest other : outline.targets) {
      spend();
      if (sets.kindOf(other) == sets.kindOf(target)
          || (comparingIt.get(other.number) && valuesOf(constraint, other).equals(values))) {
        context.budget().spend(devices / DEVICES_PER_UNIT);
        among.or(sets.of(other));
      }
    }
    ValueIndex index = ValueIndex.of(context, constraint, target, among);
    return index != null && memory.keepForGood(index.bytes()) ? index : null;
  }

  private static Values valuesOf(Constraint constraint, PlannedRequest target) {
    String expression = target.expressionOf(constraint.attribute);
    return new Values(constraint.attribute, expression == null ? "" : expression);
  }

  /** By constraint, then by target number; null for a target that it does not apply to. */
  @Nullable ValueIndex[][] ofConstraints() {
    return ofConstraints;
  }

  /** The indexes of all compared attributes that do not have too many values. */
  List<ValueIndex> known() {
    List<ValueIndex> known = new ArrayList<>();
    for (Made each : made.values()) {
      if (each.index != null) {
        known.add(each.index);
      }
    }
    return known;
  }

  /** Whether a compared attribute has too many values for an index. */
  boolean anyUnknown() {
    return made.values().stream().anyMatch(each -> each.index == null);
  }
}
