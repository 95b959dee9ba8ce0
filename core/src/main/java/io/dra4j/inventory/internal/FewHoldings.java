package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of a device with few holders; usually one claim that holds the whole device.
 *
 * @param parts the holdings, in the order of the claims; at most {@link DeviceHoldings#FEW}
 */
record FewHoldings(List<Holding> parts) implements DeviceHoldings {

  static FewHoldings of(List<Holding> parts) {
    if (parts.size() == 1) {
      return new FewHoldings(List.copyOf(parts));
    }
    List<Holding> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparing(Holding::claim));
    return new FewHoldings(List.copyOf(sorted));
  }

  @Override
  public DeviceHoldings with(List<Holding> ofClaim) {
    List<Holding> more = new ArrayList<>(parts.size() + ofClaim.size());
    more.addAll(parts);
    more.addAll(ofClaim);
    return DeviceHoldings.of(more);
  }

  @Override
  public @Nullable DeviceHoldings without(ClaimKey claim) {
    List<Holding> others = parts.stream().filter(part -> !part.claim().equals(claim)).toList();
    return others.isEmpty() ? null : new FewHoldings(others);
  }

  @Override
  public boolean isWhole() {
    for (Holding part : parts) {
      if (!part.share()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isShared() {
    for (Holding part : parts) {
      if (part.share()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean hasShare(String shareId) {
    for (Holding part : parts) {
      if (shareId.equals(part.shareId())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable QuantitySum consumed(String capacity) {
    return sum(part -> part.consumed().get(capacity));
  }

  @Override
  public @Nullable QuantitySum consumed(QualifiedName capacity, String driver) {
    return sum(part -> capacity.in(driver, part.consumed()));
  }

  private @Nullable QuantitySum sum(Function<Holding, @Nullable Quantity> amountOf) {
    QuantitySum sum = null;
    for (Holding part : parts) {
      Quantity amount = amountOf.apply(part);
      if (amount != null) {
        sum = sum == null ? new QuantitySum() : sum;
        sum.add(amount);
      }
    }
    return sum;
  }
}
