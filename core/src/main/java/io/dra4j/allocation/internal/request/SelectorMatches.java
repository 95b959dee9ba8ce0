package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.CachedSelector;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceSelector;
import io.dra4j.selector.SelectorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices of the node that a class and the selectors of a request match, independent of
 * allocations. Shared by all targets of a search with the same class and selectors; caches a byte
 * for each device.
 */
public final class SelectorMatches {

  private static final byte NO = 1;
  private static final byte YES = 2;

  private static final int TABLE_BYTES = 64; // approximate overhead of a table

  private final SearchContext context;
  private final SearchCache.Share memory;
  private final DeviceClass deviceClass;
  private final List<DeviceSelector> ofRequest;
  private byte @Nullable [] answers; // by ordinal, 0 until it is known
  private @Nullable CachedSelector @Nullable [] classTables;
  private @Nullable CachedSelector @Nullable [] requestTables;

  /**
   * Creates a selection without results.
   *
   * @param ofRequest the selectors of the request
   */
  public SelectorMatches(
      SearchContext context,
      SearchCache memory,
      DeviceClass deviceClass,
      List<DeviceSelector> ofRequest) {
    this.context = context;
    this.memory = memory.share(this::forget);
    this.deviceClass = deviceClass;
    this.ofRequest = ofRequest;
  }

  void forget() {
    answers = null;
    classTables = null;
    requestTables = null;
  }

  /**
   * Whether the selectors and the device's own node selection permit the device.
   *
   * @param target the target, which errors name
   * @throws RejectedException if a selector cannot be compiled, or not be evaluated on the device
   * @throws BudgetExceededException if the budget is used up
   */
  boolean selects(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    byte[] all = answers();
    byte known = all[candidate.ordinal()];
    if (known == 0) {
      known = evaluate(target, candidate);
      all[candidate.ordinal()] = known;
    }
    return known == YES;
  }

  /** Returns whether the device is already known not to match. */
  public boolean isKnownNotToSelect(int ordinal) {
    byte[] all = answers;
    return all != null && all[ordinal] == NO;
  }

  private byte[] answers() {
    byte[] all = answers;
    if (all == null) {
      all = new byte[context.candidates().size()];
      answers = all;
      memory.keep(
          all.length + (long) TABLE_BYTES * (deviceClass.selectors().size() + ofRequest.size()));
    }
    return all;
  }

  private byte evaluate(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    if (!candidate.device().bindingConditions().isEmpty()
        && !context.has(Feature.DEVICE_BINDING_AND_STATUS)) {
      return NO;
    }
    boolean nodeFirst = context.fixes(Quirk.SELECTORS_ON_OTHER_NODES);
    if (nodeFirst && !isForNode(candidate)) {
      return NO;
    }
    try {
      return matchesClass(target, candidate)
              && matchesRequest(target, candidate)
              && (nodeFirst || isForNode(candidate))
          ? YES
          : NO;
    } catch (RejectedException e) {
      if (!e.isOfOneDevice() || target.all || !context.fixes(Quirk.FAILING_SELECTOR_IS_FATAL)) {
        throw e;
      }
      return NO;
    }
  }

  private boolean isForNode(NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    try {
      return context.view().reaches(candidate, context.budget());
    } catch (NodeSelectorException e) {
      throw RejectedException.of(e);
    }
  }

  public boolean matchesClass(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    @Nullable CachedSelector[] tables = classTables;
    if (tables == null) {
      tables = new CachedSelector[deviceClass.selectors().size()];
      classTables = tables;
    }
    return matchesAll(target, deviceClass.selectors(), tables, candidate);
  }

  public boolean matchesRequest(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    @Nullable CachedSelector[] tables = requestTables;
    if (tables == null) {
      tables = new CachedSelector[ofRequest.size()];
      requestTables = tables;
    }
    return matchesAll(target, ofRequest, tables, candidate);
  }

  private boolean matchesAll(
      PlannedRequest target,
      List<DeviceSelector> selectors,
      @Nullable CachedSelector[] tables,
      NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    for (int i = 0; i < tables.length; i++) {
      CachedSelector table = tables[i];
      if (table == null) {
        context.budget().check(); // compiling takes longer than a unit
        table = compile(target, selectors, i);
        tables[i] = table;
      }
      context.budget().spend(1);
      try {
        if (!table.matches(candidate, context.budget())) {
          return false;
        }
      } catch (SelectorException e) {
        throw RejectedException.ofOneDevice(
            "%s: selector #%d on device %s: CEL runtime error: %s"
                .formatted(ownerOf(target, selectors), i, candidate.id(), e.getMessage()));
      }
    }
    return true;
  }

  private CachedSelector compile(PlannedRequest target, List<DeviceSelector> selectors, int index)
      throws RejectedException, BudgetExceededException {
    String expression = selectors.get(index).expression();
    if (expression == null) {
      throw new RejectedException(
          RejectionReason.CLAIM, ownerOf(target, selectors) + ": selector #" + index + " is empty");
    }
    try {
      return InventoryAccess.stateOf(context.inventory())
          .answersOf(context.compiler().compileSelector(expression, context.budget()));
    } catch (SelectorException e) {
      throw new RejectedException(
          RejectionReason.EXPRESSION,
          "%s: selector #%d: CEL compile error: %s"
              .formatted(ownerOf(target, selectors), index, e.getMessage()));
    }
  }

  /** The name of the owner of the selectors in messages. */
  private String ownerOf(PlannedRequest target, List<DeviceSelector> selectors) {
    return selectors == deviceClass.selectors()
        ? "class " + deviceClass.metadata().name()
        : target.displayName();
  }
}
