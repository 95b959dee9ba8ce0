package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.AttributeTable;
import io.dra4j.allocation.internal.request.AttributeTables;
import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceDerivedAttribute;
import io.dra4j.selector.SelectorException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A constraint of a claim in a search: the requests it applies to, and the attribute it compares.
 * The {@link ConstraintRule} of its kind defines the condition on the values. Belongs to one search
 * and one thread.
 */
public final class Constraint {

  /** Fewer names are found faster by a linear search. */
  private static final int MANY_NAMES = 32;

  private static final int NAMES_PER_UNIT = 64;

  public final DeviceConstraint.Kind kind;
  public final String attribute;
  public final int index; // among the constraints of the claim
  private final SearchContext context;
  private final SearchCache memory;
  private final AttributeTable published;
  private @Nullable Map<PlannedRequest, AttributeTable>
      derived; // the tables of targets that derive the attribute
  private final Collection<String> requests; // names; a set if there are many
  private final boolean lists;
  private @Nullable Violation missing;

  // Bits by target number: the targets already checked, and those to which the constraint applies.
  private long asked;
  private long meant;

  /**
   * Prepares a constraint.
   *
   * @param constraint a constraint that has a kind
   * @param index its index in the claim
   */
  public Constraint(AttributeTables tables, DeviceConstraint constraint, int index)
      throws BudgetExceededException {
    this.kind = constraint.kind().orElseThrow();
    this.attribute = constraint.attribute().orElseThrow();
    this.index = index;
    this.context = tables.context;
    this.memory = tables.memory;
    this.published = tables.published(attribute);
    this.requests =
        constraint.requests().size() > MANY_NAMES
            ? setOf(constraint.requests())
            : constraint.requests();
    this.lists = context.has(Feature.LIST_TYPE_ATTRIBUTES);
  }

  private Set<String> setOf(List<String> names) throws BudgetExceededException {
    Set<String> set = new HashSet<>();
    int round = 0;
    for (String name : names) {
      BudgetTicks.spend(context.budget(), round++, NAMES_PER_UNIT);
      set.add(name);
    }
    return set;
  }

  /** Returns whether lists of values are compared, not only scalars. */
  public boolean comparesLists() {
    return lists;
  }

  /** The budget of the search. */
  Budget budget() {
    return context.budget();
  }

  /** {@return whether it applies to the target; a request's name includes all its alternatives} */
  public boolean appliesTo(PlannedRequest target) {
    if (target.number >= Long.SIZE) {
      return names(target);
    }
    long bit = 1L << target.number;
    if ((asked & bit) == 0) {
      asked |= bit;
      meant |= names(target) ? bit : 0;
    }
    return (meant & bit) != 0;
  }

  private boolean names(PlannedRequest target) {
    return requests.isEmpty()
        || requests.contains(target.requestName)
        || (target.alternativeName != null && requests.contains(target.resultName()));
  }

  /**
   * Returns the device's values, or null if it has none that count.
   *
   * @throws RejectedException if the values are computed, and the expression fails
   * @throws BudgetExceededException if the budget is used up
   */
  @Nullable
  public AttributeValueIds valuesOf(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    try {
      AttributeValueIds values = table(target).of(candidate, context.budget());
      if (values == null || values.scalar) {
        return values;
      } else if (lists ? !values.isEmpty() : !context.fixes(Quirk.LIST_FOR_ONE_DEVICE)) {
        return values;
      }
      return context.fixes(Quirk.UNCOMPARABLE_VALUE_IS_FATAL)
          ? null
          : uncomparable(target, candidate, values);
    } catch (SelectorException e) {
      throw RejectedException.ofOneDevice(
          "%s: derived attribute %s on device %s: CEL runtime error: %s"
              .formatted(target.displayName(), attribute, candidate.id(), e.getMessage()));
    }
  }

  /** An expression may compute an empty list, which is comparable, but equals no value. */
  private AttributeValueIds uncomparable(
      PlannedRequest target, NodeDevice candidate, AttributeValueIds values)
      throws RejectedException, BudgetExceededException {
    if (lists && table(target) != published) {
      return values;
    }
    throw RejectedException.ofOneDevice(
        "%s: unsupported attribute value for %s on device %s"
            .formatted(target.displayName(), attribute, candidate.id()));
  }

  private AttributeTable table(PlannedRequest target)
      throws RejectedException, BudgetExceededException {
    if (target.request.derivedAttributes().isEmpty()) {
      return published;
    }
    Map<PlannedRequest, AttributeTable> tables = derived;
    if (tables == null) {
      tables = new HashMap<>();
      derived = tables;
    }
    AttributeTable table = tables.get(target);
    if (table == null) {
      AttributeTable ownTable = target.derived(attribute, context, memory);
      table = ownTable == null ? published : ownTable;
      tables.put(target, table);
    }
    return table;
  }

  /** The source of the values of a target: the attribute, or the expression that derives it. */
  Object source(PlannedRequest target) {
    String expression = target.expressionOf(attribute);
    return expression == null ? attribute : new DeviceDerivedAttribute(attribute, expression);
  }

  /** Created on first use, because most searches have no refusal. */
  Violation missing() {
    Violation known = missing;
    if (known == null) {
      known = RuleKind.CONSTRAINT.violation(Violation.Verb.HAS, "no attribute " + attribute);
      missing = known;
    }
    return known;
  }
}
