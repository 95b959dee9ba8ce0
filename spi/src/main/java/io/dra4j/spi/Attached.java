package io.dra4j.spi;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What attaching a claim to a sandbox came to.
 *
 * @param statuses what is to be written in {@code status.devices} of the claim; may be empty
 * @param edits what containers of this sandbox get for a device, where that is known only once the
 *     device is attached; in place of {@link PreparedDevice#edits}. The kernel may give a moved
 *     RDMA device other character devices, for example.
 */
public record Attached(List<AllocatedDeviceStatus> statuses, Map<DeviceId, ContainerEdits> edits) {

  /** Nothing is to be written, and containers get what the prepared devices say. */
  public static final Attached NOTHING = new Attached(List.of(), Map.of());

  /** Copies the collections. {@inheritDoc} */
  public Attached {
    statuses = List.copyOf(Objects.requireNonNull(statuses, "statuses"));
    Objects.requireNonNull(edits, "edits");
    edits = Collections.unmodifiableMap(new LinkedHashMap<>(edits));
    edits.forEach(
        (device, one) -> {
          Objects.requireNonNull(device, "device");
          Objects.requireNonNull(one, () -> "edits[" + device + "]");
        });
  }

  /**
   * Statuses alone: containers get what the prepared devices say.
   *
   * @param statuses what is to be written in {@code status.devices} of the claim
   * @return the answer of {@link PreparingDriver#attachDevices}
   */
  public static Attached of(List<AllocatedDeviceStatus> statuses) {
    return new Attached(statuses, Map.of());
  }
}
