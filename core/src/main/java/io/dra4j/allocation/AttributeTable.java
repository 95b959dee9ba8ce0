package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * One attribute over all devices of the inventory, filled where it is asked for. Two threads may
 * fill the same place; both write the same values.
 */
final class AttributeTable {

  /** Where the value of a device comes from. */
  private interface Source {
    @Nullable DeviceAttribute of(Candidate candidate, Budget budget)
        throws SelectorException, BudgetExceededException;
  }

  private static final Object MISSING = new Object();

  private final Source source;
  private final AttributeValues.Interner interner;
  private final Object[][] bySlice; // AttributeValues, or MISSING, or null while not asked for

  private AttributeTable(Source source, AttributeValues.Interner interner, int slices) {
    this.source = source;
    this.interner = interner;
    this.bySlice = new Object[slices][];
  }

  /**
   * The attribute that drivers publish under a name.
   *
   * @param name {@code domain/id}; finds the attribute of exactly this name, or {@code id} alone on
   *     the devices of the driver {@code domain}
   */
  static AttributeTable published(String name, AttributeValues.Interner interner, int slices) {
    QualifiedName qualified = QualifiedName.of(name);
    return new AttributeTable(
        (candidate, budget) -> qualified.in(candidate.id.driver(), candidate.device.attributes()),
        interner,
        slices);
  }

  /** The attribute that an expression computes. */
  static AttributeTable derived(
      CompiledAttribute expression, AttributeValues.Interner interner, int slices) {
    return new AttributeTable(
        (candidate, budget) -> expression.evaluate(candidate.id.driver(), candidate.device, budget),
        interner,
        slices);
  }

  /**
   * The values of a device, or null if it does not have the attribute.
   *
   * @throws SelectorException if they are computed, and that fails
   * @throws BudgetExceededException if that takes longer than the caller waits
   */
  @Nullable AttributeValues of(Candidate candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    int slice = candidate.published.index;
    Object[] row = bySlice[slice];
    if (row == null) {
      row = new Object[candidate.published.slice.devices().size()];
      bySlice[slice] = row;
    }
    Object known = row[candidate.position];
    if (known == null) {
      DeviceAttribute attribute = source.of(candidate, budget);
      known = attribute == null ? MISSING : interner.valuesOf(attribute);
      row[candidate.position] = known;
    }
    return known == MISSING ? null : (AttributeValues) known;
  }
}
