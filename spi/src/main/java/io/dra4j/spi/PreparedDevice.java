package io.dra4j.spi;

import io.dra4j.model.DeviceId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A device that is ready to be used by the pods of its claim.
 *
 * @param device which device
 * @param shareId the share of the device; null if the device is not shared
 * @param requests the requests of the claim that the device is for
 * @param edits what containers that use the claim get
 * @param state what the driver wants to remember of it until it is unprepared: text in a form of
 *     the driver's own, normally JSON with a version; at most 1 MiB; empty if nothing
 */
public record PreparedDevice(
    DeviceId device,
    @Nullable String shareId,
    List<String> requests,
    ContainerEdits edits,
    String state) {

  /** Copies the list. {@inheritDoc} */
  public PreparedDevice {
    Objects.requireNonNull(device, "PreparedDevice.device");
    Objects.requireNonNull(edits, "PreparedDevice.edits");
    Objects.requireNonNull(state, "PreparedDevice.state");
    requests = List.copyOf(requests);
  }

  /**
   * A claimed device that is ready.
   *
   * @param device the device that the claim got
   * @param edits what containers that use the claim get
   * @param state what the driver wants to remember; empty if nothing
   * @return the prepared device
   */
  public static PreparedDevice of(ClaimedDevice device, ContainerEdits edits, String state) {
    return new PreparedDevice(
        device.id(), device.result().shareId(), List.of(device.request()), edits, state);
  }
}
