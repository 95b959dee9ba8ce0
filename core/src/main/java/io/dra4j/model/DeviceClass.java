package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named kind of device that administrators offer.
 *
 * @param metadata the name that requests refer to
 * @param selectors the conditions that a device of the class must all match
 * @param config parameters for drivers
 * @param extendedResourceName the extended resource that pods may request instead, or {@code null}
 */
public record DeviceClass(
    ObjectMeta metadata,
    List<DeviceSelector> selectors,
    List<DeviceClassConfiguration> config,
    @Nullable String extendedResourceName)
    implements KubernetesObject {

  /** Copies the lists. {@inheritDoc} */
  public DeviceClass {
    Checks.value("DeviceClass.metadata", metadata);
    selectors = Checks.list("DeviceClass.selectors", selectors);
    config = Checks.list("DeviceClass.config", config);
  }

  /**
   * {@return a class with selectors and no configuration}
   *
   * @param name the class name
   * @param expressions CEL expressions that must all match
   */
  public static DeviceClass named(String name, String... expressions) {
    List<DeviceSelector> selectors =
        Checks.array("expressions", expressions).stream().map(DeviceSelector::cel).toList();
    return new DeviceClass(ObjectMeta.named(name), selectors, List.of(), null);
  }

  /** {@return a builder with all fields of this device class} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.selectors.set(selectors);
    builder.config.set(config);
    builder.extendedResourceName = extendedResourceName;
    return builder;
  }

  /** Collects the fields of a device class; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private final ListField<DeviceSelector> selectors = new ListField<>("DeviceClass.selectors");
    private final ListField<DeviceClassConfiguration> config =
        new ListField<>("DeviceClass.config");
    private @Nullable String extendedResourceName;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("DeviceClass.metadata", metadata);
      return this;
    }

    /**
     * Adds a condition that devices of the class fulfil.
     *
     * @param selector the condition, for example {@code DeviceSelector.cel(...)}
     * @return this builder
     */
    public Builder selector(DeviceSelector selector) {
      selectors.add(selector);
      return this;
    }

    /**
     * Replaces the conditions that devices of the class fulfil.
     *
     * @param values the conditions, which must all hold
     * @return this builder
     */
    public Builder selectors(List<DeviceSelector> values) {
      selectors.set(values);
      return this;
    }

    /**
     * Adds parameters for a driver of devices of the class.
     *
     * @param value the parameters
     * @return this builder
     */
    public Builder config(DeviceClassConfiguration value) {
      config.add(value);
      return this;
    }

    /**
     * Adds parameters for a driver of devices of the class.
     *
     * @param driver the name of the driver
     * @param json the parameters, a JSON object of at most 10 KiB; checked only when the class is
     *     written or validated
     * @return this builder
     */
    public Builder config(String driver, String json) {
      return config(new DeviceClassConfiguration(new OpaqueDeviceConfiguration(driver, json)));
    }

    /**
     * Replaces the parameters for drivers of devices of the class.
     *
     * @param values the parameters, for any drivers
     * @return this builder
     */
    public Builder config(List<DeviceClassConfiguration> values) {
      config.set(values);
      return this;
    }

    /**
     * Sets the extended resource that stands for devices of the class (KEP-5004).
     *
     * @param extendedResourceName for example {@code example.com/gpu}, or {@code null}
     * @return this builder
     */
    public Builder extendedResourceName(@Nullable String extendedResourceName) {
      this.extendedResourceName = extendedResourceName;
      return this;
    }

    /** {@return a device class with the fields set so far} */
    public DeviceClass build() {
      return new DeviceClass(metadata, selectors.get(), config.get(), extendedResourceName);
    }
  }
}
