package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.QuantitySum;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of a device or its shares, at least one. Immutable. Nearly all devices have one
 * holder, so {@link FewHoldings} use a list. If many claims have shares of a device, each change
 * would copy such a list, so {@link ManyHoldings} use a map.
 */
public sealed interface DeviceHoldings permits FewHoldings, ManyHoldings {

  /**
   * The maximum number of holdings in a list: reading all of them takes no longer than a look-up.
   */
  int FEW = 16;

  /** Creates the holdings from at least one, in any order of claims; each claim's order stays. */
  static DeviceHoldings of(List<Holding> parts) {
    return parts.size() <= FEW ? FewHoldings.of(parts) : ManyHoldings.of(parts);
  }

  /** The holdings, in the order of the claims. */
  List<Holding> parts();

  /** These holdings and the holdings of one more claim. */
  DeviceHoldings with(List<Holding> ofClaim);

  /** The holdings of the other claims, or null if there are none. */
  @Nullable DeviceHoldings without(ClaimKey claim);

  /** Whether a claim holds the whole device. */
  boolean isWhole();

  /** Whether a claim holds a share of it. */
  boolean isShared();

  /** Whether a claim holds the share of this ID. */
  boolean hasShare(String shareId);

  /** The sum that all shares consume of a capacity, or null if no share names it. */
  @Nullable QuantitySum consumed(String capacity);

  /**
   * The sum that all shares consume of a capacity, whether they name it with the domain of the
   * driver or without; null if no share names it. If a share uses both names, the name with the
   * domain counts.
   */
  @Nullable QuantitySum consumed(QualifiedName capacity, String driver);

  /** The claims, in the order of their keys. */
  default List<ClaimKey> holders() {
    return parts().stream().map(Holding::claim).distinct().toList();
  }

  /**
   * A holding that conflicts with the wanted holding of another claim, or null if there is none.
   */
  default @Nullable Holding inTheWayOf(Holding wanted) {
    String shareId = wanted.shareId();
    if (shareId != null && !isWhole() && !hasShare(shareId)) {
      return null; // shares can coexist; the allocator decides whether they fit
    }
    for (Holding part : parts()) {
      if (shareId == null || !part.share() || shareId.equals(part.shareId())) {
        return part;
      }
    }
    return null;
  }
}
