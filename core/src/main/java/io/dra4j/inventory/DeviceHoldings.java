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
    if (parts.size() == 1) {
      return new DeviceHoldings(List.copyOf(parts));
    }
    List<Holding> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparing(Holding::claim));
    return new DeviceHoldings(List.copyOf(sorted));
  }

  /** With what one claim holds of the device besides. */
  DeviceHoldings with(List<Holding> ofClaim) {
    List<Holding> more = new ArrayList<>(parts.size() + ofClaim.size());
    int place = placeOf(ofClaim.get(0).claim());
    more.addAll(parts.subList(0, place));
    more.addAll(ofClaim);
    more.addAll(parts.subList(place, parts.size()));
    return new DeviceHoldings(List.copyOf(more));
  }

  /** Behind the holdings of this claim and of those before it. */
  private int placeOf(ClaimKey claim) {
    int low = 0;
    int high = parts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).claim().compareTo(claim) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The holdings of the other claims, or null if there are none. */
  @Nullable DeviceHoldings without(ClaimKey claim) {
    List<Holding> others = parts.stream().filter(part -> !part.claim().equals(claim)).toList();
    return others.isEmpty() ? null : new DeviceHoldings(others);
  }

  /** Whether somebody holds the whole device. */
  boolean isWhole() {
    for (Holding part : parts) {
      if (!part.share()) {
        return true;
      }
    }
    return false;
  }

  /** Whether somebody holds a share of it. */
  boolean isShared() {
    for (Holding part : parts) {
      if (part.share()) {
        return true;
      }
    }
    return false;
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
