package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of consumable capacity (KEP-5075): the amounts that a request consumes of a
 * device, rounded and limited by the device's request policies. An amount that the arithmetic
 * cannot represent is an error of the claim or slice; the search does not continue with the next
 * device.
 */
public final class CapacityPolicy {

  /** The device is too small, lacks a capacity, or its policy forbids the amount. */
  static final Quantity[] REFUSED = new Quantity[0];

  private static final Quantity NOTHING = Quantity.of(0);

  /**
   * The reason why a device does not fulfil a request for capacity.
   *
   * @param missing whether the device has no such capacity at all
   * @param text the available and the requested amount, for example {@code 40Gi of memory, 80Gi are
   *     requested}
   */
  public record Shortage(boolean missing, String text) {}

  private static final int MAX_NAMES = 3;
  private static final int AMOUNTS_PER_UNIT = 64;

  private static final Quantity MAX_LONG = Quantity.of(Long.MAX_VALUE);
  private static final Quantity MAX_MILLI = Quantity.of(Long.MAX_VALUE / 1000);

  private final SearchContext context;
  private final boolean fractional;

  private CapacityPolicy(SearchContext context) {
    this.context = context;
    this.fractional = context.has(Feature.FRACTIONAL_CAPACITY_RANGE);
  }

  /**
   * {@return the amount that a request consumes of each capacity of an unused device, in the order
   * of {@link NodeDevice#capacityNames}, or {@link #REFUSED}}
   *
   * @throws RejectedException if an amount is negative or cannot be represented
   * @throws BudgetExceededException if the budget is used up
   */
  static Quantity[] consumption(
      SearchContext context,
      PlannedRequest target,
      NodeDevice candidate,
      @Nullable CapacityRequirements requirements)
      throws RejectedException, BudgetExceededException {
    Map<String, Quantity> requests;
    try {
      requests = requests(context, candidate, requirements);
    } catch (RejectedException e) {
      throw e.at(
          "%s: checking capacity for device %s".formatted(target.displayName(), candidate.id()));
    }
    if (requirements != null && lacksAny(requests, candidate, context.budget())) {
      return REFUSED;
    }
    CapacityPolicy policy = new CapacityPolicy(context);
    // Every amount is computed before any is refused, so that the order of the names does not
    // decide between an error and a refusal.
    Quantity[] consumed = policy.consumed(target, candidate, requests);
    return policy.refuses(target, candidate, consumed) ? REFUSED : consumed;
  }

  private static boolean lacksAny(
      Map<String, Quantity> requests, NodeDevice candidate, Budget budget)
      throws BudgetExceededException {
    for (String name : requests.keySet()) {
      budget.spend(1);
      if (!candidate.device().capacity().containsKey(name)) {
        return true;
      }
    }
    return false;
  }

  private Quantity[] consumed(
      PlannedRequest target, NodeDevice candidate, Map<String, Quantity> requests)
      throws RejectedException, BudgetExceededException {
    Quantity[] consumed = new Quantity[candidate.capacityNames().size()];
    for (int i = 0; i < consumed.length; i++) {
      if (context.isHidden(candidate, i)) {
        consumed[i] = NOTHING;
        continue;
      }
      String name = candidate.capacityNames().get(i);
      try {
        consumed[i] = consumed(requests.get(name), candidate.capacities().get(i));
      } catch (RejectedException e) {
        throw faultOf(name, target, candidate, e);
      }
    }
    return consumed;
  }

  /** Whether a request policy forbids an amount, or the device does not have it. */
  private boolean refuses(PlannedRequest target, NodeDevice candidate, Quantity[] amounts)
      throws RejectedException, BudgetExceededException {
    @Nullable QuantitySum @Nullable [] before = context.consumed(candidate);
    for (int i = 0; i < amounts.length; i++) {
      BudgetTicks.spend(context.budget(), i, AMOUNTS_PER_UNIT);
      if (context.isHidden(candidate, i)) {
        continue;
      }
      DeviceCapacity capacity = candidate.capacities().get(i);
      boolean isLess = before != null && before[i] != null && before[i].signum() < 0;
      try {
        if (violates(amounts[i], capacity.requestPolicy())
            || (amounts[i].compareTo(capacity.value()) > 0 && !isLess)) {
          return true;
        }
      } catch (RejectedException e) {
        throw faultOf(candidate.capacityNames().get(i), target, candidate, e);
      }
    }
    return false;
  }

  /** The error with the capacity that it concerns. */
  private static RejectedException faultOf(
      String capacity, PlannedRequest target, NodeDevice candidate, RejectedException error) {
    return error.at(
        "%s: checking capacity for device %s: capacity %s"
            .formatted(target.displayName(), candidate.id(), capacity));
  }

  /** Whether an unused device has the amounts. */
  static boolean isWithin(Quantity[] amounts, NodeDevice candidate, Budget budget)
      throws BudgetExceededException {
    for (int i = 0; i < amounts.length; i++) {
      BudgetTicks.spend(budget, i, AMOUNTS_PER_UNIT);
      if (amounts[i].compareTo(candidate.capacities().get(i).value()) > 0) {
        return false;
      }
    }
    return true;
  }

  /** {@return the first requested capacity that a device lacks or has too little of, or null} */
  static @Nullable Shortage whyNot(
      SearchContext context, NodeDevice candidate, @Nullable CapacityRequirements requirements)
      throws RejectedException, BudgetExceededException {
    Map<String, Quantity> requests = requests(context, candidate, requirements);
    List<String> names = candidate.capacityNames();
    for (String name : requests.keySet()) {
      context.budget().spend(1);
      if (!candidate.device().capacity().containsKey(name)) {
        return new Shortage(
            true,
            "no capacity "
                + name
                + (names.isEmpty()
                    ? " and no other"
                    : ", but " + TextFormat.list(names, MAX_NAMES)));
      }
    }
    CapacityPolicy policy = new CapacityPolicy(context);
    @Nullable QuantitySum @Nullable [] before = context.consumed(candidate);
    for (int i = 0; i < names.size(); i++) {
      if (context.isHidden(candidate, i)) {
        continue;
      }
      String name = names.get(i);
      QuantitySum used = before == null ? null : before[i];
      String lack = policy.lack(name, candidate.capacities().get(i), requests.get(name), used);
      if (lack != null) {
        return new Shortage(false, lack);
      }
    }
    return null;
  }

  /** The available and the requested amount of a capacity; null if it suffices. */
  private @Nullable String lack(
      String name,
      DeviceCapacity capacity,
      @Nullable Quantity requested,
      @Nullable QuantitySum used)
      throws RejectedException, BudgetExceededException {
    Quantity consumed = consumed(requested, capacity);
    String asked = requested == null ? consumed + " are the default" : requested + " are requested";
    if (consumed.compareTo(capacity.value()) > 0) {
      return "%s of %s, %s".formatted(capacity.value(), name, asked);
    }
    if (violates(consumed, capacity.requestPolicy())) {
      return "%s of %s in one request, %s".formatted(bounds(capacity), name, asked);
    }
    if (used != null) {
      QuantitySum together = used.copy();
      together.add(consumed);
      if (together.compareTo(capacity.value()) > 0) {
        return "%s of the %s of %s in use, %s".formatted(used, capacity.value(), name, asked);
      }
    }
    return null;
  }

  /** The amounts that the policy of a capacity allows for one request. */
  private static String bounds(DeviceCapacity capacity) {
    CapacityRequestPolicy policy = capacity.requestPolicy();
    if (policy != null && policy.validRange() != null && policy.validRange().max() != null) {
      return "at most " + policy.validRange().max();
    } else if (policy != null && !policy.validValues().isEmpty()) {
      return "only " + TextFormat.list(policy.validValues(), MAX_NAMES, Quantity::toString);
    }
    return "only certain amounts";
  }

  /** The requested amounts, by the names that the device uses. */
  private static Map<String, Quantity> requests(
      SearchContext context, NodeDevice candidate, @Nullable CapacityRequirements requirements)
      throws RejectedException, BudgetExceededException {
    if (requirements == null) {
      return Map.of();
    }
    if (!context.fixes(Quirk.LITERAL_CAPACITY_NAMES)) {
      return requirements.requests(); // the driver's domain is not added
    }
    Map<String, Quantity> byName = new LinkedHashMap<>();
    int round = 0;
    for (Map.Entry<String, Quantity> request : requirements.requests().entrySet()) {
      BudgetTicks.spend(context.budget(), round++, AMOUNTS_PER_UNIT);
      String name = context.capacityName(candidate, request.getKey());
      Quantity before = byName.putIfAbsent(name, request.getValue());
      if (before != null
          && !context.fixes(Quirk.CAPACITY_BY_BOTH_NAMES)
          && candidate.device().capacity().containsKey(name)) {
        throw fault(
            "capacity %s is requested with and without its domain".formatted(request.getKey()));
      } else if (before != null && before.compareTo(request.getValue()) < 0) {
        byName.put(name, request.getValue());
      }
    }
    return byName;
  }

  private Quantity consumed(@Nullable Quantity requested, DeviceCapacity capacity)
      throws RejectedException, BudgetExceededException {
    context.budget().spend(1);
    CapacityRequestPolicy policy = capacity.requestPolicy();
    Quantity consumed;
    if (requested == null) {
      consumed =
          policy != null && policy.defaultValue() != null
              ? policy.defaultValue()
              : capacity.value();
    } else if (requested.signum() < 0 && context.fixes(Quirk.NEGATIVE_AMOUNTS_ARE_ROUNDED)) {
      consumed = requested;
    } else if (policy == null) {
      consumed = requested;
    } else if (policy.validRange() != null && policy.validRange().min() != null) {
      consumed = roundUp(requested, policy.validRange(), policy.validRange().min());
    } else {
      consumed = roundUp(requested, policy);
    }
    if (consumed.signum() < 0) {
      throw fault("capacity value is negative: " + consumed);
    }
    return consumed;
  }

  private Quantity roundUp(Quantity requested, CapacityRequestPolicy policy)
      throws BudgetExceededException {
    for (Quantity valid : policy.validValues()) {
      context.budget().spend(1);
      if (requested.compareTo(valid) <= 0) {
        return valid;
      }
    }
    return requested;
  }

  private Quantity roundUp(Quantity requested, CapacityRequestPolicyRange range, Quantity min)
      throws RejectedException {
    if (requested.compareTo(min) < 0) {
      return min;
    }
    Quantity step = range.step();
    if (step == null) {
      return requested;
    }
    if (countsInMilli(range)) {
      long milli = milli(requested);
      long rounded = roundUp(requested, milli, min.milliValue(), positive(step.milliValue()), true);
      return Quantity.ofMilli(rounded, step.format());
    }
    if (requested.compareTo(MAX_LONG) > 0) {
      throw notRepresentable(requested, "exceeds 2^63-1");
    }
    long rounded =
        roundUp(requested, requested.value(), min.value(), positive(step.value()), false);
    return Quantity.of(rounded, step.format());
  }

  private long milli(Quantity requested) throws RejectedException {
    OptionalLong exact = requested.milliExact();
    if (exact.isPresent()) {
      return exact.getAsLong();
    }
    if (context.fixes(Quirk.FRACTION_OF_MILLI) && requested.compareTo(MAX_MILLI) <= 0) {
      return requested.milliValue(); // rounds up
    }
    throw notRepresentable(
        requested,
        requested.compareTo(MAX_MILLI) > 0
            ? "exceeds 2^63-1 thousandths"
            : "is not a multiple of 1m");
  }

  private static long roundUp(
      Quantity requested, long amount, long min, long step, boolean alwaysGuarded)
      throws RejectedException {
    long above = amount - min;
    long steps = above / step + (above % step != 0 ? 1 : 0);
    // The API does not allow a negative minimum; whole numbers then wrap as in the reference.
    if ((alwaysGuarded || min >= 0) && steps > (Long.MAX_VALUE - min) / step) {
      throw notRepresentable(requested, "rounded up to the next step exceeds 64 bits");
    }
    return min + step * steps;
  }

  private boolean violates(Quantity amount, @Nullable CapacityRequestPolicy policy)
      throws RejectedException, BudgetExceededException {
    if (policy == null || isDefault(amount, policy.defaultValue())) {
      return false;
    }
    if (policy.validRange() != null) {
      return violates(amount, policy.validRange());
    }
    context.budget().spend(policy.validValues().size());
    return !policy.validValues().isEmpty() && !policy.validValues().contains(amount);
  }

  /**
   * The reference compares the notation: 4000m is not the default 4, and an amount beyond 64 bits
   * is not even equal to the default that it was copied from.
   */
  private boolean isDefault(Quantity amount, @Nullable Quantity defaultValue) {
    if (defaultValue == null) {
      return false;
    }
    return context.fixes(Quirk.DEFAULT_BY_ITS_TEXT)
        ? amount.equals(defaultValue)
        : amount.fitsInt64()
            && new Quantity.Written(amount).equals(new Quantity.Written(defaultValue));
  }

  private boolean violates(Quantity amount, CapacityRequestPolicyRange range)
      throws RejectedException {
    if (range.max() != null && amount.compareTo(range.max()) > 0) {
      return true;
    }
    Quantity step = range.step();
    if (step == null) {
      return false;
    }
    boolean inMilli = countsInMilli(range);
    if (inMilli && amount.milliExact().isEmpty()) {
      return true;
    }
    Quantity min = range.min();
    if (min == null) {
      throw fault("request policy has a step but no minimum to count it from");
    }
    if (inMilli) {
      return (amount.milliValue() - min.milliValue()) % positive(step.milliValue()) != 0;
    }
    return (amount.value() - min.value()) % positive(step.value()) != 0;
  }

  /** Thousandths are used where every bound is a multiple of 1m that 64 bits can hold. */
  private boolean countsInMilli(CapacityRequestPolicyRange range) {
    return fractional
        && isMilli(range.min())
        && isMilli(range.max())
        && isMilli(range.step())
        && (range.step() == null || range.step().milliValue() >= 1);
  }

  private static boolean isMilli(@Nullable Quantity bound) {
    return bound == null || bound.milliExact().isPresent();
  }

  private static long positive(long step) throws RejectedException {
    if (step == 0) {
      throw fault("request policy has the step 0");
    }
    return step;
  }

  private static RejectedException notRepresentable(Quantity requested, String why) {
    return fault("request " + requested + " cannot be represented: it " + why);
  }

  private static RejectedException fault(String problem) {
    return new RejectedException(RejectionReason.CAPACITY, problem);
  }
}
