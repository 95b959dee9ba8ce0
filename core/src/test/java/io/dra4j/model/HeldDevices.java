package io.dra4j.model;

import java.util.Map;

/** Claims of tests that have devices already. */
public final class HeldDevices {

  private HeldDevices() {}

  /** A claim that has these devices. */
  public static ResourceClaim holding(String claim, DeviceId... devices) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    for (DeviceId device : devices) {
      allocation.result(DeviceRequestAllocationResult.of("r", device).build());
    }
    return ResourceClaim.named(claim).allocation(allocation.build()).build();
  }

  /** A claim that has a share of a device, which consumes this. */
  public static ResourceClaim sharing(
      String claim, DeviceId device, Map<String, Quantity> consumed) {
    return ResourceClaim.named(claim)
        .allocation(
            AllocationResult.builder()
                .result(
                    DeviceRequestAllocationResult.of("r", device)
                        .shareId("of-" + claim)
                        .consumedCapacity(consumed)
                        .build())
                .build())
        .build();
  }
}
