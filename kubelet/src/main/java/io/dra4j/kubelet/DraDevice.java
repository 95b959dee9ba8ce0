package io.dra4j.kubelet;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A device of a prepared claim, as the kubelet receives it.
 *
 * @param requests the names of the requests that the device was allocated for, {@code REQUEST} or
 *     {@code REQUEST/SUBREQUEST}; empty for all requests of the claim
 * @param pool the name of the pool that has the device
 * @param device the name of the device
 * @param cdiDeviceIds the CDI devices that containers with the claim get, each {@code
 *     vendor/class=name} of a CDI file; may be empty
 * @param shareId the share of a device that several claims use (KEP-5075); null if there is none
 */
public record DraDevice(
    List<String> requests,
    String pool,
    String device,
    List<String> cdiDeviceIds,
    @Nullable String shareId) {

  /** Copies the lists. {@inheritDoc} */
  public DraDevice {
    requests = List.copyOf(requests);
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(device, "device");
    cdiDeviceIds = List.copyOf(cdiDeviceIds);
  }

  /**
   * {@return a device that only one claim uses}
   *
   * @param requests the names of the requests; empty for all
   * @param pool the name of the pool
   * @param device the name of the device
   * @param cdiDeviceIds the CDI ids that containers get
   */
  public static DraDevice of(
      List<String> requests, String pool, String device, List<String> cdiDeviceIds) {
    return new DraDevice(requests, pool, device, cdiDeviceIds, null);
  }
}
