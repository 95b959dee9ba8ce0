package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.Optional;
import java.util.function.Function;

/** The outcome of letting claims hold their devices: all of them do, or none does. */
public sealed interface HoldOutcome {

  /**
   * All claims hold what their allocations say. Says that no other claim holds their devices, not
   * that counters and capacities suffice: see {@link DeviceInventory#hold}.
   *
   * @param inventory the inventory in which they do
   */
  record Held(DeviceInventory inventory) implements HoldOutcome {

    /** For people. */
    @Override
    public String toString() {
      return "all claims hold their devices";
    }
  }

  /**
   * A device, or a share of one, is held by another claim, so that nothing has changed. Happens
   * when an allocation was made of an older inventory than the one that shall hold it.
   *
   * @param claim the claim that cannot have the device
   * @param device the device
   * @param holder the claim that has it; its name is that of {@code claim} for another one of it
   * @param shareId the ID of the share that both claims have, which Kubernetes distinguishes from
   *     others by device and ID alone; empty if one of them has the whole device
   */
  record InUse(ClaimKey claim, DeviceId device, ClaimKey holder, Optional<String> shareId)
      implements HoldOutcome {

    /** The reason. */
    @Override
    public String toString() {
      return reason();
    }

    /**
     * Says so in a sentence.
     *
     * @return for example {@code default/b cannot have gpu.example.com/n/gpu-0: it is in use by
     *     default/a}, or {@code default/b cannot have share 1 of ...}
     */
    public String reason() {
      String share = shareId.map(id -> "share " + id + " of ").orElse("");
      String other = holder.equals(claim) ? "another claim of that name" : holder.toString();
      return claim + " cannot have " + share + device + ": it is in use by " + other;
    }
  }

  /**
   * Turns the answer into one value. On Java 21 and later a pattern-matching switch does the same.
   *
   * @param <T> the type of the value
   * @param held used when the claims hold their devices
   * @param inUse used when a device is in use
   * @return the value of the function that fits
   */
  default <T> T fold(Function<Held, T> held, Function<InUse, T> inUse) {
    return this instanceof Held h ? held.apply(h) : inUse.apply((InUse) this);
  }
}
