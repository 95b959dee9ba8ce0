package io.dra4j.allocation.internal.request;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.CachedAttribute;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/** One attribute of the devices of a node, filled on demand by one search. */
public final class AttributeTable {

  /** The source of the value of a device. */
  private interface Source {
    @Nullable DeviceAttribute of(NodeDevice candidate, Budget budget)
        throws SelectorException, BudgetExceededException;
  }

  private static final int REFERENCE_BYTES = 8;
  private static final Object MISSING = new Object();

  private final Source source;
  private final AttributeValueIds.Interner interner;
  private final int devices;
  private final SearchCache.Share memory;
  private @Nullable Object @Nullable [] known; // by ordinal; AttributeValues or MISSING

  private AttributeTable(Source source, SearchContext context, SearchCache memory) {
    this.source = source;
    this.interner = context.values();
    this.devices = context.candidates().size();
    this.memory = memory.share(this::forget);
  }

  private void forget() {
    known = null;
  }

  /**
   * The table of the published attribute {@code domain/id}: of exactly this name, or {@code id}
   * alone on the devices of the driver {@code domain}.
   */
  static AttributeTable published(String name, SearchContext context, SearchCache memory) {
    QualifiedName qualified = QualifiedName.of(name);
    return new AttributeTable(
        (candidate, budget) ->
            qualified.in(candidate.slice().driver(), candidate.device().attributes()),
        context,
        memory);
  }

  /** The table of an attribute that an expression computes. */
  static AttributeTable derived(
      CachedAttribute answers, SearchContext context, SearchCache memory) {
    return new AttributeTable(answers::of, context, memory);
  }

  /**
   * Returns the values of a device, or null if it does not have the attribute.
   *
   * @throws SelectorException if the values are computed, and the expression fails
   * @throws BudgetExceededException if the budget is used up
   */
  @Nullable
  public AttributeValueIds of(NodeDevice candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    @Nullable Object[] table = known;
    if (table == null) {
      table = new Object[devices];
      known = table;
      memory.keep((long) REFERENCE_BYTES * devices);
    }
    Object values = table[candidate.ordinal()];
    if (values == null) {
      DeviceAttribute attribute = source.of(candidate, budget);
      values = attribute == null ? MISSING : interner.valuesOf(attribute, budget);
      table[candidate.ordinal()] = values;
    }
    return values == MISSING ? null : (AttributeValueIds) values;
  }
}
