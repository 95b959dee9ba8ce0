package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.QuantitySum;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a device, or shares of it; at least one holding. Immutable. Nearly all devices have one
 * holder, which {@link FewHoldings} keep in a list; where many claims have shares of a device, a
 * change of one would copy such a list, and {@link ManyHoldings} are a map.
 */
public sealed interface DeviceHoldings permits FewHoldings, ManyHoldings {

  /** As many holdings are kept in a list: looking at them all takes no longer than a look-up. */
  int FEW = 16;

  /** Some holdings, in any order, those of one claim in theirs; at least one. */
  static DeviceHoldings of(List<Holding> parts) {
    return parts.size() <= FEW ? FewHoldings.of(parts) : ManyHoldings.of(parts);
  }

  /** The holdings, in the order of the claims. */
  List<Holding> parts();

  /** With what one claim holds of the device besides. */
  DeviceHoldings with(List<Holding> ofClaim);

  /** The holdings of the other claims, or null if there are none. */
  @Nullable DeviceHoldings without(ClaimKey claim);

  /** Whether a claim holds the whole device. */
  boolean isWhole();

  /** Whether a claim holds a share of it. */
  boolean isShared();

  /** Whether a claim holds the share of this ID. */
  boolean hasShare(String shareId);

  /** What all shares consume of a capacity together, or null if nothing is said of it. */
  @Nullable QuantitySum consumed(String capacity);

  /**
   * What all shares consume of a capacity together, whether they name it with the domain of the
   * driver or without, or null if nothing is said of it. Of a share that does both, the name with
   * the domain counts.
   */
  @Nullable QuantitySum consumed(QualifiedName capacity, String driver);

  /** The claims, in the order of their keys. */
  default List<ClaimKey> holders() {
    return parts().stream().map(Holding::claim).distinct().toList();
  }

  /** A holding beside which another claim cannot have what it wants, or null if there is none. */
  default @Nullable Holding inTheWayOf(Holding wanted) {
    String shareId = wanted.shareId();
    if (shareId != null && !isWhole() && !hasShare(shareId)) {
      return null; // shares go beside each other; whether they fit is for the allocator to say
    }
    for (Holding part : parts()) {
      if (shareId == null || !part.share() || shareId.equals(part.shareId())) {
        return part;
      }
    }
    return null;
  }
}
