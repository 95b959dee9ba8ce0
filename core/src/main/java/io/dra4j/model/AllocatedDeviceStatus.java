package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of an allocated device, as its driver reports it (KEP-4817).
 *
 * @param driver the device's driver
 * @param pool the device's pool
 * @param device the device's name
 * @param shareId the share that the status describes, or {@code null} for a whole device
 * @param conditions states of the device; {@code Ready} is the recommended one
 * @param data further data of the driver: a JSON object as text; empty when not given
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
    Checks.value("AllocatedDeviceStatus.driver", driver);
    Checks.value("AllocatedDeviceStatus.pool", pool);
    Checks.value("AllocatedDeviceStatus.device", device);
    Checks.value("AllocatedDeviceStatus.data", data);
    conditions = Checks.list("AllocatedDeviceStatus.conditions", conditions);
  }

  /**
   * {@return a builder of the status of a device}
   *
   * @param device the device
   */
  public static Builder of(DeviceId device) {
    Builder builder = new Builder();
    builder.driver = Checks.value("device", device).driver();
    builder.pool = device.pool();
    builder.device = device.device();
    return builder;
  }

  /** {@return a builder with all fields of this status} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.driver = driver;
    builder.pool = pool;
    builder.device = device;
    builder.shareId = shareId;
    builder.conditions.set(conditions);
    builder.data = data;
    builder.networkData = networkData;
    return builder;
  }

  /** Collects the fields of a status; what is not set stays empty. */
  public static final class Builder {

    private String driver = "";
    private String pool = "";
    private String device = "";
    private @Nullable String shareId;
    private final ListField<Condition> conditions =
        new ListField<>("AllocatedDeviceStatus.conditions");
    private String data = "";
    private @Nullable NetworkDeviceData networkData;

    private Builder() {}

    /**
     * Sets the driver of the device.
     *
     * @param driver the name of the driver
     * @return this builder
     */
    public Builder driver(String driver) {
      this.driver = Checks.value("AllocatedDeviceStatus.driver", driver);
      return this;
    }

    /**
     * Sets the pool of the device.
     *
     * @param pool the name of the pool
     * @return this builder
     */
    public Builder pool(String pool) {
      this.pool = Checks.value("AllocatedDeviceStatus.pool", pool);
      return this;
    }

    /**
     * Sets the device.
     *
     * @param device its name in the pool
     * @return this builder
     */
    public Builder device(String device) {
      this.device = Checks.value("AllocatedDeviceStatus.device", device);
      return this;
    }

    /**
     * Sets the share of the device that the status describes (KEP-5075).
     *
     * @param shareId a UUID, or {@code null} for a whole device
     * @return this builder
     */
    public Builder shareId(@Nullable String shareId) {
      this.shareId = shareId;
      return this;
    }

    /**
     * Replaces the conditions that the driver reports for the device.
     *
     * @param values at most one of each type
     * @return this builder
     */
    public Builder conditions(List<Condition> values) {
      conditions.set(values);
      return this;
    }

    /**
     * Sets data that only the driver interprets.
     *
     * @param data JSON as it was written; empty if there is none
     * @return this builder
     */
    public Builder data(String data) {
      this.data = Checks.value("AllocatedDeviceStatus.data", data);
      return this;
    }

    /**
     * Sets the addresses of the network interface.
     *
     * @param networkData addresses and names, or {@code null}
     * @return this builder
     */
    public Builder networkData(@Nullable NetworkDeviceData networkData) {
      this.networkData = networkData;
      return this;
    }

    /** {@return a status with the fields set so far} */
    public AllocatedDeviceStatus build() {
      return new AllocatedDeviceStatus(
          driver, pool, device, shareId, conditions.get(), data, networkData);
    }
  }
}
