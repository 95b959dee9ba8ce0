package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim got ({@code status.allocation}).
 *
 * @param results the devices, in the order in which they were chosen
 * @param config parameters for the drivers, those of classes first
 * @param nodeSelector the nodes on which the devices can be used, or {@code null} for every node
 * @param allocationTimestamp when the allocation was written, RFC 3339, or {@code null}
 */
public record AllocationResult(
    List<DeviceRequestAllocationResult> results,
    List<DeviceAllocationConfiguration> config,
    @Nullable NodeSelector nodeSelector,
    @Nullable String allocationTimestamp) {

  /** Copies the lists. {@inheritDoc} */
  public AllocationResult {
    results = List.copyOf(results);
    config = List.copyOf(config);
  }
}
