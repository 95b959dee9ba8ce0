package io.dra4j.allocation;

import io.dra4j.model.CapacityRequestPolicy;
import io.dra4j.model.CapacityRequestPolicyRange;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of consumable capacity (KEP-5075): what a request consumes of a device, rounded
 * and limited by the device's request policies. An amount that the arithmetic cannot represent is
 * the fault of the claim or slice, never a reason to go on to the next device.
 */
final class CapacityPolicy {

  /** The device is too small, lacks a capacity, or its policy forbids the amount. */
  static final Quantity[] REFUSED = new Quantity[0];

  private static final Quantity MAX_LONG = Quantity.of(Long.MAX_VALUE);

  private CapacityPolicy() {}

  /**
   * What a request consumes of each capacity of an unused device.
   *
   * @return as {@link Candidate#capacityNames}, or {@link #REFUSED}
   * @throws RejectedException if an amount is negative or cannot be represented
   */
  static Quantity[] consumption(
      Candidate candidate,
      @Nullable CapacityRequirements requirements,
      boolean fractional,
      Target target)
      throws RejectedException {
    Map<String, Quantity> requests = requirements == null ? Map.of() : requirements.requests();
    // Names are compared literally; the driver's domain is not filled in.
    if (!candidate.device.capacity().keySet().containsAll(requests.keySet())) {
      return REFUSED;
    }
    int n = candidate.capacityNames.length;
    Quantity[] consumed = new Quantity[n];
    // Every amount is computed before any is refused, so that the order of the names cannot decide
    // between an error and a refusal.
    for (int i = 0; i < n; i++) {
      String name = candidate.capacityNames[i];
      try {
        consumed[i] = consumed(requests.get(name), candidate.capacities[i], fractional);
      } catch (RejectedException e) {
        throw new RejectedException(
            "%s: checking capacity for device %s: capacity %s: %s"
                .formatted(target.displayName(), candidate.id, name, e.error()));
      }
    }
    for (int i = 0; i < n; i++) {
      DeviceCapacity capacity = candidate.capacities[i];
      if (violates(consumed[i], capacity.requestPolicy(), fractional)
          || consumed[i].compareTo(capacity.value()) > 0) {
        return REFUSED;
      }
    }
    return consumed;
  }

  private static Quantity consumed(
      @Nullable Quantity requested, DeviceCapacity capacity, boolean fractional)
      throws RejectedException {
    CapacityRequestPolicy policy = capacity.requestPolicy();
    Quantity consumed;
    if (requested == null) {
      consumed =
          policy != null && policy.defaultValue() != null
              ? policy.defaultValue()
              : capacity.value();
    } else if (policy == null) {
      consumed = requested;
    } else if (policy.validRange() != null && policy.validRange().min() != null) {
      consumed = roundUp(requested, policy.validRange(), policy.validRange().min(), fractional);
    } else {
      consumed = roundUp(requested, policy);
    }
    if (consumed.signum() < 0) {
      throw new RejectedException("capacity value is negative: " + consumed);
    }
    return consumed;
  }

  private static Quantity roundUp(Quantity requested, CapacityRequestPolicy policy) {
    for (Quantity valid : policy.validValues()) {
      if (requested.compareTo(valid) <= 0) {
        return valid;
      }
    }
    return requested;
  }

  private static Quantity roundUp(
      Quantity requested, CapacityRequestPolicyRange range, Quantity min, boolean fractional)
      throws RejectedException {
    if (requested.compareTo(min) < 0) {
      return min;
    }
    Quantity step = range.step();
    if (step == null) {
      return requested;
    }
    if (countsInMilli(range, fractional)) {
      long milli =
          requested
              .milliExact()
              .orElseThrow(() -> notRepresentable(requested, "is no multiple of 1m"));
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

  private static long roundUp(
      Quantity requested, long amount, long min, long step, boolean alwaysGuarded)
      throws RejectedException {
    long above = amount - min;
    long steps = above / step + (above % step != 0 ? 1 : 0);
    // A negative minimum is outside of the API's contract; whole numbers then wrap as they do in
    // the reference.
    if ((alwaysGuarded || min >= 0) && steps > (Long.MAX_VALUE - min) / step) {
      throw notRepresentable(requested, "rounded up to the next step exceeds 64 bits");
    }
    return min + step * steps;
  }

  private static boolean violates(
      Quantity amount, @Nullable CapacityRequestPolicy policy, boolean fractional)
      throws RejectedException {
    if (policy == null || amount.equals(policy.defaultValue())) {
      return false;
    }
    if (policy.validRange() != null) {
      return violates(amount, policy.validRange(), fractional);
    }
    return !policy.validValues().isEmpty() && !policy.validValues().contains(amount);
  }

  private static boolean violates(
      Quantity amount, CapacityRequestPolicyRange range, boolean fractional)
      throws RejectedException {
    if (range.max() != null && amount.compareTo(range.max()) > 0) {
      return true;
    }
    Quantity step = range.step();
    if (step == null) {
      return false;
    }
    Quantity min = range.min();
    if (min == null) {
      throw new RejectedException("request policy has a step but no minimum to count it from");
    }
    if (countsInMilli(range, fractional)) {
      return amount.milliExact().isEmpty()
          || (amount.milliValue() - min.milliValue()) % positive(step.milliValue()) != 0;
    }
    return (amount.value() - min.value()) % positive(step.value()) != 0;
  }

  /** Thousandths are used where every bound is a multiple of 1m that 64 bits can hold. */
  private static boolean countsInMilli(CapacityRequestPolicyRange range, boolean fractional) {
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
      throw new RejectedException("request policy has the step 0");
    }
    return step;
  }

  private static RejectedException notRepresentable(Quantity requested, String why) {
    return new RejectedException("request " + requested + " cannot be represented: it " + why);
  }
}
