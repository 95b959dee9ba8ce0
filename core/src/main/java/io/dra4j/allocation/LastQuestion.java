package io.dra4j.allocation;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims that an allocator was asked about last. A scheduler asks about the same ones node by
 * node: from the second node on that is answered as {@link ClusterQuery} does it, so that nodes
 * that look the same to them are searched once. Kept until the garbage collector runs, so that it
 * holds on to no inventory.
 *
 * @param inventory where the devices come from
 * @param claims the claims; recognised by identity
 * @param query the question about all nodes; null until the claims are asked about twice
 */
record LastQuestion(
    DeviceInventory inventory, List<ResourceClaim> claims, @Nullable ClusterQuery query) {

  static final WeakReference<LastQuestion> NONE = new WeakReference<>(null);

  @SuppressWarnings(
      "ReferenceEquality") // comparing what equal claims ask for takes as long as asking
  boolean isAbout(DeviceInventory askedInventory, List<ResourceClaim> askedClaims) {
    if (inventory != askedInventory || claims.size() != askedClaims.size()) {
      return false;
    }
    for (int i = 0; i < askedClaims.size(); i++) {
      if (claims.get(i) != askedClaims.get(i)) {
        return false;
      }
    }
    return true;
  }
}
