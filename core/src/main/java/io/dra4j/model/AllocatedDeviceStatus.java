package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a driver reports of an allocated device (KEP-4817).
 *
 * @param driver the device's driver
 * @param pool the device's pool
 * @param device the device's name
 * @param shareId the share that it is about, or {@code null}
 * @param conditions states of the device; {@code Ready} is the recommended one
 * @param data anything else: a JSON object as text; empty when not given
 * @param networkData addresses of a network device, or {@code null}
 */
public record AllocatedDeviceStatus(
    String driver,
    String pool,
    String device,
    @Nullable String shareId,
    List<Condition> conditions,
    String data,
    @Nullable NetworkDeviceData networkData) {

  /** Copies the list. {@inheritDoc} */
  public AllocatedDeviceStatus {
    conditions = List.copyOf(conditions);
  }
}
