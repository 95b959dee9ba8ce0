package io.dra4j.spi;

import io.dra4j.common.PrintableText;
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
 * @param device the ID of the device
 * @param shareId the share of the device; null if the device is not shared
 * @param requests the requests of the claim that the device satisfies
 * @param edits the edits of containers that use the claim
 * @param state the state that the driver keeps until the device is unprepared: a string in the
 *     driver's own format, normally JSON with a version; at most 1 MiB; empty for none
 * @param cdiDevices devices of the Container Device Interface whose specifications another program
 *     writes, each as {@code vendor.com/class=name}; containers get them in addition to {@code
 *     edits}
 * @param metadata attributes that programs in containers can read in addition to the published ones
 *     (KEP-5304), by name
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
            "device %s: CDI device: expected vendor.com/class=name, found '%s'"
                .formatted(device, id));
      }
    }
  }

  /** The ID of the device and its requests, then all other fields that are set. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(device).append(" for ").append(requests);
    text.append(shareId == null ? "" : ", share " + shareId);
    text.append(edits.equals(ContainerEdits.NONE) ? "" : ", edits: " + edits);
    text.append(state.isEmpty() ? "" : ", state of " + state.length() + " characters");
    text.append(cdiDevices.isEmpty() ? "" : ", CDI devices " + cdiDevices);
    text.append(metadata.isEmpty() ? "" : ", metadata " + metadata);
    return PrintableText.of(text.toString());
  }

  /**
   * Creates a prepared device without further CDI devices and without metadata.
   *
   * @param device the ID of the device
   * @param shareId the share of the device; null if the device is not shared
   * @param requests the requests of the claim that the device satisfies
   * @param edits the edits of containers that use the claim
   * @param state the state that the driver keeps; empty for none
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
   * {@return the prepared device of a claimed device}
   *
   * @param device the device of the claim
   * @param edits the edits of containers that use the claim
   * @param state the state that the driver keeps; empty for none
   */
  public static PreparedDevice of(ClaimedDevice device, ContainerEdits edits, String state) {
    return new PreparedDevice(
        device.id(), device.result().shareId(), List.of(device.request()), edits, state);
  }

  /**
   * {@return this device with devices of CDI specifications that another program writes}
   *
   * @param ids the devices, each as {@code vendor.com/class=name}
   * @throws IllegalArgumentException if one has another form
   */
  public PreparedDevice withCdiDevices(List<String> ids) {
    return new PreparedDevice(device, shareId, requests, edits, state, ids, metadata);
  }

  /**
   * {@return this device with metadata for the programs in containers}
   *
   * @param attributes the attributes by name
   */
  public PreparedDevice withMetadata(Map<String, DeviceAttribute> attributes) {
    return new PreparedDevice(device, shareId, requests, edits, state, cdiDevices, attributes);
  }
}
