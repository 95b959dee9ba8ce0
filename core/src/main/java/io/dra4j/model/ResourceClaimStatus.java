package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a claim.
 *
 * @param allocation the allocated devices, or {@code null} while the claim is pending
 * @param reservedFor the consumers that may use them, at most {@link #MAX_CONSUMERS}
 * @param devices the states of the devices, as the drivers report them
 */
public record ResourceClaimStatus(
    @Nullable AllocationResult allocation,
    List<ResourceClaimConsumerReference> reservedFor,
    List<AllocatedDeviceStatus> devices) {

  /** The maximum number of consumers of a claim ({@code ResourceClaimReservedForMaxSize}). */
  public static final int MAX_CONSUMERS = 256;

  /** The status of a new claim. */
  public static final ResourceClaimStatus EMPTY =
      new ResourceClaimStatus(null, List.of(), List.of());

  /** Copies the lists. {@inheritDoc} */
  public ResourceClaimStatus {
    reservedFor = Checks.list("ResourceClaimStatus.reservedFor", reservedFor);
    devices = Checks.list("ResourceClaimStatus.devices", devices);
  }
}
