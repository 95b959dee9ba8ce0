package io.dra4j.testkit.driver;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.PreparingDriver;
import java.util.ArrayList;
import java.util.List;

/** Creates claims as a runtime would pass them to a driver. */
final class KitClaims {

  private KitClaims() {}

  /**
   * {@return a claim of devices of one pool, each for a separate request} {@code parameters} is
   * JSON for each device; empty for none.
   */
  static ClaimedDevices of(
      PreparingDriver driver,
      String uid,
      String offeredPool,
      List<Device> devices,
      String parameters) {
    String pool = offeredPool.equals(DeviceDriver.NODE_POOL) ? "kit" : offeredPool;
    List<ClaimedDevice> claimed = new ArrayList<>();
    for (Device device : devices) {
      DeviceRequestAllocationResult result =
          DeviceRequestAllocationResult.of(
                  "request-" + device.name(), new DeviceId(driver.name(), pool, device.name()))
              .build();
      List<OpaqueConfiguration> configurations =
          parameters.isEmpty()
              ? List.of()
              : List.of(
                  new OpaqueConfiguration(
                      AllocationConfigSource.FROM_CLAIM, List.of(result.request()), parameters));
      claimed.add(new ClaimedDevice(result, device, claimed.size(), configurations));
    }
    return new ClaimedDevices(new ClaimReference("default", "kit", uid), List.of(), claimed);
  }

  /** Returns a claim of a share of a device in the pool of the node. */
  static ClaimedDevices share(PreparingDriver driver, Device device, String shareId) {
    ClaimedDevice whole =
        of(driver, shareId, DeviceDriver.NODE_POOL, List.of(device), "").devices().get(0);
    return new ClaimedDevices(
        new ClaimReference("default", "kit", shareId),
        List.of(),
        List.of(
            new ClaimedDevice(
                whole.result().toBuilder().shareId(shareId).build(), device, 0, List.of())));
  }
}
