package io.dra4j.allocation.explanation;

import io.dra4j.common.PrintableText;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;

/**
 * A change after which claims fit that did not fit before. All suggestions of {@link
 * Explanation#suggestions} were tried.
 *
 * @param text the change, as a sentence without a full stop
 * @param inventory the devices after the change
 * @param claims the claims after the change
 */
public record Suggestion(String text, DeviceInventory inventory, List<ResourceClaim> claims) {

  /** Copies the list. {@inheritDoc} */
  public Suggestion {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(inventory, "inventory");
    claims = List.copyOf(Objects.requireNonNull(claims, "claims"));
  }

  /** The change. */
  @Override
  public String toString() {
    return PrintableText.of(text);
  }
}
