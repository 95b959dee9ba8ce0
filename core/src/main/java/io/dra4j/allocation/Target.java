package io.dra4j.allocation;

import io.dra4j.model.AllocationMode;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceDerivedAttribute;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Feature;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.SelectorException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one request, or one alternative of a request, wants, made ready for the search. Knows which
 * devices it can choose from, whatever else is allocated; belongs to one search and one thread.
 */
final class Target {

  private static final byte NO = 1;
  private static final byte YES = 2;

  final int claimIndex;
  final ResourceClaim claim;
  final String requestName; // of the request, also for an alternative
  final @Nullable String alternativeName;
  final ExactDeviceRequest request;
  final DeviceClass deviceClass;
  final boolean adminAccess;
  final boolean all;

  /** How many devices; for mode All known once the members are. */
  final long count;

  /** In mode All the devices that are wanted, otherwise empty. */
  final Candidate[] members;

  private final SearchContext context;
  private final @Nullable SelectorTable[] classSelectors;
  private final @Nullable SelectorTable[] requestSelectors;
  private final byte[] selectable; // by ordinal; 0 while not asked for
  private final Quantity[] @Nullable [] consumption; // by ordinal
  private final Map<String, String> derivedExpressions = new HashMap<>();
  private final Map<String, AttributeTable> derivedTables = new HashMap<>();

  Target(
      SearchContext context,
      int claimIndex,
      ResourceClaim claim,
      String requestName,
      @Nullable String alternativeName,
      ExactDeviceRequest request,
      DeviceClass deviceClass)
      throws RejectedException {
    this.context = context;
    this.claimIndex = claimIndex;
    this.claim = claim;
    this.requestName = requestName;
    this.alternativeName = alternativeName;
    this.request = request;
    this.deviceClass = deviceClass;
    this.adminAccess = Boolean.TRUE.equals(request.adminAccess());
    this.all = request.allocationMode().equals(AllocationMode.ALL);
    this.classSelectors = new SelectorTable[deviceClass.selectors().size()];
    this.requestSelectors = new SelectorTable[request.selectors().size()];
    this.selectable = new byte[context.pools().candidates.length];
    this.consumption = new Quantity[context.pools().candidates.length][];
    for (DeviceDerivedAttribute derived : request.derivedAttributes()) {
      derivedExpressions.put(derived.name(), derived.expression());
    }
    this.members = all ? AllDevices.of(this, context) : new Candidate[0];
    this.count = all ? members.length : request.count();
  }

  /** The name that results carry: {@code request} or {@code request/alternative}. */
  String resultName() {
    return alternativeName == null ? requestName : requestName + "/" + alternativeName;
  }

  /** How messages name the target. */
  String displayName() {
    return "claim " + claim.displayName() + ", request " + resultName();
  }

  /**
   * Whether the device can be chosen as far as selectors and its own node selection go.
   *
   * @throws RejectedException if a selector cannot be compiled, or not be evaluated on the device
   */
  boolean selects(Candidate candidate) throws RejectedException {
    byte known = selectable[candidate.ordinal];
    if (known == 0) {
      known = evaluateSelectors(candidate) ? YES : NO;
      selectable[candidate.ordinal] = known;
    }
    return known == YES;
  }

  private boolean evaluateSelectors(Candidate candidate) throws RejectedException {
    if (!candidate.device.bindingConditions().isEmpty()
        && !context.has(Feature.DEVICE_BINDING_AND_STATUS)) {
      return false;
    }
    return matchesClass(candidate)
        && matchesRequest(candidate)
        && (!candidate.published.perDeviceNodeSelection()
            || NodeMatcher.matches(candidate.device.nodeSelection(), context.pools().node));
  }

  boolean matchesClass(Candidate candidate) throws RejectedException {
    return matchesAll(deviceClass.selectors(), classSelectors, candidate);
  }

  boolean matchesRequest(Candidate candidate) throws RejectedException {
    return matchesAll(request.selectors(), requestSelectors, candidate);
  }

  private boolean matchesAll(
      List<DeviceSelector> selectors, @Nullable SelectorTable[] tables, Candidate candidate)
      throws RejectedException {
    for (int i = 0; i < tables.length; i++) {
      SelectorTable table = tables[i];
      if (table == null) {
        table = compile(selectors, i);
        tables[i] = table;
      }
      try {
        if (!table.matches(candidate)) {
          return false;
        }
      } catch (SelectorException e) {
        throw new RejectedException(
            "%s: selector #%d on device %s: CEL runtime error: %s"
                .formatted(ownerOf(selectors), i, candidate.id, e.getMessage()));
      }
    }
    return true;
  }

  private SelectorTable compile(List<DeviceSelector> selectors, int index)
      throws RejectedException {
    String expression = selectors.get(index).expression();
    if (expression == null) {
      throw new RejectedException(ownerOf(selectors) + ": selector #" + index + " is empty");
    }
    try {
      return context.inventory().table(context.compiler().compileSelector(expression));
    } catch (SelectorException e) {
      throw new RejectedException(
          "%s: selector #%d: CEL compile error: %s"
              .formatted(ownerOf(selectors), index, e.getMessage()));
    }
  }

  /** How messages name whose selectors they are. */
  private String ownerOf(List<DeviceSelector> selectors) {
    return selectors == deviceClass.selectors()
        ? "class " + deviceClass.metadata().name()
        : displayName();
  }

  /**
   * What the target consumes of each capacity of the device, as {@link Candidate#capacityNames}, or
   * null if the device cannot fulfil the capacity request however empty it is.
   *
   * @throws RejectedException if an amount is negative or cannot be represented
   */
  Quantity @Nullable [] consumptionOf(Candidate candidate) throws RejectedException {
    Quantity[] known = consumption[candidate.ordinal];
    if (known == null) {
      known =
          CapacityPolicy.consumption(
              candidate, request.capacity(), context.has(Feature.FRACTIONAL_CAPACITY_RANGE), this);
      consumption[candidate.ordinal] = known;
    }
    return known == CapacityPolicy.REFUSED ? null : known;
  }

  /**
   * The attribute as the target's constraints see it: one that the request derives hides the one
   * that the driver publishes.
   */
  AttributeTable attribute(String name) throws RejectedException {
    AttributeTable known = derivedTables.get(name);
    if (known == null) {
      String expression = derivedExpressions.get(name);
      known =
          expression == null
              ? context.inventory().attribute(name)
              : compileDerived(name, expression);
      derivedTables.put(name, known);
    }
    return known;
  }

  private AttributeTable compileDerived(String name, String expression) throws RejectedException {
    try {
      CompiledAttribute compiled = context.compiler().compileAttribute(expression);
      return context.inventory().derived(compiled);
    } catch (SelectorException e) {
      throw new RejectedException(
          "%s: derived attribute %s: CEL compile error: %s"
              .formatted(displayName(), name, e.getMessage()));
    }
  }
}
