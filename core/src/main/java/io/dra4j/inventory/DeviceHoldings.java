package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a device, or shares of it.
 *
 * @param parts the holdings, in the order of the claims; at least one
 */
record DeviceHoldings(List<Holding> parts) {

  static DeviceHoldings of(List<Holding> parts) {
    List<Holding> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparing(Holding::claim));
    return new DeviceHoldings(List.copyOf(sorted));
  }

  DeviceHoldings with(Holding part) {
    List<Holding> more = new ArrayList<>(parts);
    more.add(part);
    return of(more);
  }

  /** The holdings of the other claims, or null if there are none. */
  @Nullable DeviceHoldings without(ClaimKey claim) {
    List<Holding> others = parts.stream().filter(part -> !part.claim().equals(claim)).toList();
    return others.isEmpty() ? null : of(others);
  }

  /** Whether somebody holds the whole device. */
  boolean isWhole() {
    return parts.stream().anyMatch(part -> !part.share());
  }

  /** Whether somebody holds a share of it. */
  boolean isShared() {
    return parts.stream().anyMatch(Holding::share);
  }

  /** What all shares consume of a capacity together, or null if nothing is said of it. */
  @Nullable QuantitySum consumed(String capacity) {
    QuantitySum sum = null;
    for (Holding part : parts) {
      Quantity amount = part.consumed().get(capacity);
      if (amount != null) {
        sum = sum == null ? new QuantitySum() : sum;
        sum.add(amount);
      }
    }
    return sum;
  }

  List<ClaimKey> holders() {
    return parts.stream().map(Holding::claim).distinct().toList();
  }
}
