package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of {@link DeviceInventory#hold}: either all claims hold their devices, or none does.
 */
public sealed interface HoldOutcome {

  /**
   * All claims hold the devices of their allocations. No other claim holds these devices; counters
   * and capacities were not checked: see {@link DeviceInventory#hold}.
   *
   * @param inventory the inventory in which they hold the devices
   */
  record Held(DeviceInventory inventory) implements HoldOutcome {

    /** A sentence for logs and messages. */
    @Override
    public String toString() {
      return "all claims hold their devices";
    }
  }

  /**
   * A device, or a share of one, is held by another claim, so that nothing has changed. Happens if
   * a claim was allocated from an older inventory.
   *
   * @param claim the claim that cannot hold the device
   * @param device the device
   * @param holder the claim that holds it; equal to {@code claim} if it is another claim with the
   *     same name
   * @param shareId the ID of the share that both claims have; Kubernetes identifies a share by
   *     device and ID alone. Empty if one of them has the whole device
   */
  record InUse(ClaimKey claim, DeviceId device, ClaimKey holder, Optional<String> shareId)
      implements HoldOutcome {

    /** The reason. */
    @Override
    public String toString() {
      return reason();
    }

    /**
     * {@return the reason as a sentence, for example {@code default/b cannot have
     * gpu.example.com/n/gpu-0: it is in use by default/a}, or {@code default/b cannot have share 1
     * of ...}}
     */
    public String reason() {
      String share = shareId.map(id -> "share " + id + " of ").orElse("");
      String other = holder.equals(claim) ? "another claim with that name" : holder.toString();
      return claim + " cannot have " + share + device + ": it is in use by " + other;
    }
  }

  /**
   * {@return the value of the function for this outcome} On Java 21 and later, a pattern-matching
   * switch does the same.
   *
   * @param <T> the type of the value
   * @param held used when the claims hold their devices
   * @param inUse used when a device is in use
   */
  default <T> T fold(Function<Held, T> held, Function<InUse, T> inUse) {
    return this instanceof Held h ? held.apply(h) : inUse.apply((InUse) this);
  }
}
