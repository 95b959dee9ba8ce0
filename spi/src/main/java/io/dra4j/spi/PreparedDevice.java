package io.dra4j.spi;

import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param cdiDevices devices of the Container Device Interface whose specifications another program
 *     writes, each as {@code vendor.com/class=name}; containers get them beside {@code edits}
 * @param metadata attributes that programs in containers can read of the device beside those that
 *     are published (KEP-5304), by name
 */
public record PreparedDevice(
    DeviceId device,
    @Nullable String shareId,
    List<String> requests,
    ContainerEdits edits,
    String state,
    List<String> cdiDevices,
    Map<String, DeviceAttribute> metadata) {

  /**
   * Copies the collections. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one of {@code cdiDevices} is not {@code
   *     vendor.com/class=name}
   */
  public PreparedDevice {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(edits, "edits");
    Objects.requireNonNull(state, "state");
    requests = List.copyOf(requests);
    cdiDevices = List.copyOf(cdiDevices);
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    for (String id : cdiDevices) {
      if (!id.matches("[^/=\\s]+/[^/=\\s]+=[^=\\s]+")) {
        throw new IllegalArgumentException(
            "device %s: CDI device: want vendor.com/class=name, got '%s'".formatted(device, id));
      }
    }
  }

  /**
   * A device without devices of other CDI specifications and without metadata of its own.
   *
   * @param device which device
   * @param shareId the share of the device; null if the device is not shared
   * @param requests the requests of the claim that the device is for
   * @param edits what containers that use the claim get
   * @param state what the driver wants to remember; empty if nothing
   */
  public PreparedDevice(
      DeviceId device,
      @Nullable String shareId,
      List<String> requests,
      ContainerEdits edits,
      String state) {
    this(device, shareId, requests, edits, state, List.of(), Map.of());
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

  /**
   * The same device with devices of CDI specifications that another program writes.
   *
   * @param ids the devices, each as {@code vendor.com/class=name}
   * @return the prepared device
   * @throws IllegalArgumentException if one has another form
   */
  public PreparedDevice withCdiDevices(List<String> ids) {
    return new PreparedDevice(device, shareId, requests, edits, state, ids, metadata);
  }

  /**
   * The same device with metadata for the programs in containers.
   *
   * @param attributes the attributes by name
   * @return the prepared device
   */
  public PreparedDevice withMetadata(Map<String, DeviceAttribute> attributes) {
    return new PreparedDevice(device, shareId, requests, edits, state, cdiDevices, attributes);
  }
}
