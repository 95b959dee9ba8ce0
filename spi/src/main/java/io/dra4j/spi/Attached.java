package io.dra4j.spi;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The result of attaching a claim to a sandbox.
 *
 * @param statuses the entries to write to {@code status.devices} of the claim; may be empty
 * @param edits the edits of containers of this sandbox, by device, in place of {@link
 *     PreparedDevice#edits}; only for devices whose edits are known only once the device is
 *     attached. The kernel may give a moved RDMA device other character devices, for example.
 */
public record Attached(List<AllocatedDeviceStatus> statuses, Map<DeviceId, ContainerEdits> edits) {

  /** No statuses; containers get the edits of the prepared devices. */
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
   * {@return a result with statuses only: containers get the edits of the prepared devices}
   *
   * @param statuses the entries to write to {@code status.devices} of the claim
   */
  public static Attached of(List<AllocatedDeviceStatus> statuses) {
    return new Attached(statuses, Map.of());
  }
}
