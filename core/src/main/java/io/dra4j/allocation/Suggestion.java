package io.dra4j.allocation;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/**
 * A change with which claims fit that did not. Those of {@link Explanation#suggestions} were
 * applied and run before.
 *
 * @param text what to do, in a sentence without a full stop
 * @param inventory the devices after the change
 * @param claims the claims after the change
 */
public record Suggestion(String text, DeviceInventory inventory, List<ResourceClaim> claims) {

  /** Copies the list. {@inheritDoc} */
  public Suggestion {
    claims = List.copyOf(claims);
  }
}
