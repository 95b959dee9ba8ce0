package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a claim.
 *
 * @param allocation the devices it got, or {@code null} while it has none
 * @param reservedFor who may use them, at most {@link #MAX_CONSUMERS}
 * @param devices what the drivers report of them
 */
public record ResourceClaimStatus(
    @Nullable AllocationResult allocation,
    List<ResourceClaimConsumerReference> reservedFor,
    List<AllocatedDeviceStatus> devices) {

  /** For so many a claim can be reserved ({@code ResourceClaimReservedForMaxSize}). */
  public static final int MAX_CONSUMERS = 256;

  /** Nothing has become of it yet. */
  public static final ResourceClaimStatus EMPTY =
      new ResourceClaimStatus(null, List.of(), List.of());

  /** Copies the lists. {@inheritDoc} */
  public ResourceClaimStatus {
    reservedFor = Checks.list("ResourceClaimStatus.reservedFor", reservedFor);
    devices = Checks.list("ResourceClaimStatus.devices", devices);
  }
}
