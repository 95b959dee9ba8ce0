package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceDerivedAttribute;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A target of the search: one request, or one alternative of a request, prepared for the search.
 * Small: facts about devices are in its shared {@link SelectorMatches} and {@link CapacityDemand}.
 */
public final class PlannedRequest {

  /** The maximum number of devices of a claim: the API's {@code AllocationResultsMaxSize}. */
  public static final int MAX_RESULTS = 32;

  public final int number; // among the targets of the plan
  public final int claimIndex;
  public final ResourceClaim claim;
  public final String requestName; // of the request, also for an alternative
  final @Nullable public String alternativeName;
  public final ExactDeviceRequest request;
  public final DeviceClass deviceClass;
  public final boolean adminAccess;
  public final boolean all;
  public final SelectorMatches selection;
  public final CapacityDemand consumption;
  private @Nullable Map<String, String> expressions; // by attribute; created on demand
  private AllDevices allDevices = AllDevices.NONE;

  @SuppressWarnings("ParameterNumber") // the fields of a target, which only SearchPlan makes
  public PlannedRequest(
      int number,
      int claimIndex,
      ResourceClaim claim,
      String requestName,
      @Nullable String alternativeName,
      ExactDeviceRequest request,
      DeviceClass deviceClass,
      SelectorMatches selection,
      CapacityDemand consumption) {
    this.number = number;
    this.claimIndex = claimIndex;
    this.claim = claim;
    this.requestName = requestName;
    this.alternativeName = alternativeName;
    this.request = request;
    this.deviceClass = deviceClass;
    this.adminAccess = Boolean.TRUE.equals(request.adminAccess());
    this.all = request.allocationMode().equals(AllocationMode.ALL);
    this.selection = selection;
    this.consumption = consumption;
  }

  /** Returns this target with the set of all devices, in mode All. */
  public PlannedRequest withAllDevices(AllDevices devices) {
    this.allDevices = devices;
    return this;
  }

  /** Returns the number of devices that are wanted. */
  public long count() {
    return all ? allDevices.count() : request.count();
  }

  /** Returns one of the devices that are wanted in mode All. */
  public NodeDevice member(long index) {
    return allDevices.members().get((int) index);
  }

  /** Returns whether both have the same demands on a device, independent of allocations. */
  public boolean isInterchangeable(PlannedRequest request) {
    return selection == request.selection
        && consumption == request.consumption
        && adminAccess == request.adminAccess;
  }

  /** Returns the name in results: {@code request} or {@code request/alternative}. */
  public String resultName() {
    return alternativeName == null ? requestName : requestName + "/" + alternativeName;
  }

  /** Returns the name of the target in messages. */
  public String displayName() {
    return "claim " + claim.displayName() + ", request " + resultName();
  }

  /** As {@link SelectorMatches#selects}. */
  public boolean selects(NodeDevice candidate) throws RejectedException, BudgetExceededException {
    return selection.selects(this, candidate);
  }

  /** As {@link CapacityDemand#of}. */
  public Quantity @Nullable [] consumptionOf(NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    return consumption.of(this, candidate);
  }

  /** Returns the expression with which the request derives an attribute, or null if it does not. */
  @Nullable
  public String expressionOf(String attribute) {
    if (request.derivedAttributes().isEmpty()) {
      return null; // the common case
    }
    Map<String, String> known = expressions;
    if (known == null) {
      known = new HashMap<>();
      for (DeviceDerivedAttribute derived : request.derivedAttributes()) {
        known.put(derived.name(), derived.expression()); // the last one with a name counts
      }
      expressions = known;
    }
    return known.get(attribute);
  }

  /**
   * {@return the table of an attribute that the request derives for its constraints, which hides
   * the published attribute; null if the request derives no such attribute}
   *
   * @throws RejectedException if its expression cannot be compiled
   */
  @Nullable
  public AttributeTable derived(String name, SearchContext context, SearchCache memory)
      throws RejectedException, BudgetExceededException {
    context.budget().spend(request.derivedAttributes().size());
    String expression = expressionOf(name);
    if (expression == null) {
      return null;
    }
    try {
      CompiledAttribute compiled =
          context.compiler().compileAttribute(expression, context.budget());
      return AttributeTable.derived(
          InventoryAccess.stateOf(context.inventory()).valuesOf(compiled), context, memory);
    } catch (SelectorException e) {
      throw new RejectedException(
          RejectionReason.EXPRESSION,
          "%s: derived attribute %s: CEL compile error: %s"
              .formatted(displayName(), name, e.getMessage()));
    }
  }
}
