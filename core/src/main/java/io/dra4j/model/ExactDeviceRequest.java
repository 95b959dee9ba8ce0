package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a request, or one alternative of it, asks for.
 *
 * @param deviceClassName the class that the devices must belong to
 * @param selectors further conditions, all of which must hold
 * @param allocationMode an exact count, or all
 * @param count the number of devices in mode {@code ExactCount}; 0 in mode {@code All}
 * @param adminAccess whether devices in use may also be allocated; {@code null} when not given, and
 *     always in a subrequest
 * @param tolerations the tolerated taints
 * @param capacity the amounts that are needed of a shareable device, or {@code null}
 * @param derivedAttributes attributes for constraints, computed by CEL
 */
public record ExactDeviceRequest(
    String deviceClassName,
    List<DeviceSelector> selectors,
    AllocationMode allocationMode,
    long count,
    @Nullable Boolean adminAccess,
    List<DeviceToleration> tolerations,
    @Nullable CapacityRequirements capacity,
    List<DeviceDerivedAttribute> derivedAttributes) {

  /** Copies the lists. {@inheritDoc} */
  public ExactDeviceRequest {
    Checks.value("ExactDeviceRequest.deviceClassName", deviceClassName);
    Checks.value("ExactDeviceRequest.allocationMode", allocationMode);
    selectors = Checks.list("ExactDeviceRequest.selectors", selectors);
    tolerations = Checks.list("ExactDeviceRequest.tolerations", tolerations);
    derivedAttributes = Checks.list("ExactDeviceRequest.derivedAttributes", derivedAttributes);
  }

  /**
   * {@return a builder of a request for one device of a class}
   *
   * @param deviceClassName the class
   */
  public static Builder ofClass(String deviceClassName) {
    return new Builder().deviceClass(deviceClassName);
  }

  /** {@return a builder with all fields of this request} */
  public Builder toBuilder() {
    Builder builder =
        new Builder()
            .deviceClass(deviceClassName)
            .selectors(selectors)
            .allocationMode(allocationMode, count)
            .adminAccess(adminAccess)
            .tolerations(tolerations)
            .derivedAttributes(derivedAttributes);
    return capacity == null ? builder : builder.capacity(capacity);
  }

  /** Collects the fields of a request: for one device, unless another number is set. */
  public static final class Builder {

    private final ListField<DeviceSelector> selectors =
        new ListField<>("ExactDeviceRequest.selectors");
    private final ListField<DeviceToleration> tolerations =
        new ListField<>("ExactDeviceRequest.tolerations");
    private final MapField<Quantity> capacity = new MapField<>("ExactDeviceRequest.capacity");
    private final ListField<DeviceDerivedAttribute> derivedAttributes =
        new ListField<>("ExactDeviceRequest.derivedAttributes");
    private String deviceClassName = "";
    private AllocationMode allocationMode = AllocationMode.EXACT_COUNT;
    private long count = 1;
    private @Nullable Boolean adminAccess;
    private boolean asksForCapacity;

    Builder() {}

    /**
     * Sets the device class.
     *
     * @param name the class name
     * @return this builder
     */
    public Builder deviceClass(String name) {
      this.deviceClassName = Checks.value("ExactDeviceRequest.deviceClassName", name);
      return this;
    }

    /**
     * Adds a condition.
     *
     * @param expression a CEL expression over {@code device}
     * @return this builder
     */
    public Builder selector(String expression) {
      selectors.add(DeviceSelector.cel(Checks.value("expression", expression)));
      return this;
    }

    /**
     * Replaces all conditions.
     *
     * @param values conditions, all of which must hold
     * @return this builder
     */
    public Builder selectors(List<DeviceSelector> values) {
      selectors.set(values);
      return this;
    }

    /**
     * Requests a number of devices.
     *
     * @param devices the number, at least 1
     * @return this builder
     * @throws IllegalArgumentException if {@code devices} is below 1
     */
    public Builder count(long devices) {
      if (devices < 1) {
        throw new IllegalArgumentException("a request asks for 1 or more devices, not " + devices);
      }
      this.allocationMode = AllocationMode.EXACT_COUNT;
      this.count = devices;
      return this;
    }

    /**
     * Requests all devices that match.
     *
     * @return this builder
     */
    public Builder all() {
      this.allocationMode = AllocationMode.ALL;
      this.count = 0;
      return this;
    }

    /**
     * Sets mode and count without a check, like a manifest, even to values that the API server
     * would reject. {@link #count} and {@link #all} are safer.
     *
     * @param mode the mode
     * @param devices the number of devices in mode {@code ExactCount}; 0 in mode {@code All}
     * @return this builder
     */
    public Builder allocationMode(AllocationMode mode, long devices) {
      this.allocationMode = Checks.value("ExactDeviceRequest.allocationMode", mode);
      this.count = devices;
      return this;
    }

    /**
     * Requests access to devices whether or not they are in use (KEP-5018).
     *
     * @return this builder
     */
    public Builder adminAccess() {
      return adminAccess(true);
    }

    /**
     * Sets whether devices in use may also be allocated (KEP-5018).
     *
     * @param adminAccess true for admin access, or {@code null} when not given
     * @return this builder
     */
    public Builder adminAccess(@Nullable Boolean adminAccess) {
      this.adminAccess = adminAccess;
      return this;
    }

    /**
     * Adds a toleration.
     *
     * @param toleration the tolerated taints
     * @return this builder
     */
    public Builder toleration(DeviceToleration toleration) {
      tolerations.add(toleration);
      return this;
    }

    /**
     * Replaces all tolerations.
     *
     * @param values the tolerated taints (KEP-5055)
     * @return this builder
     */
    public Builder tolerations(List<DeviceToleration> values) {
      tolerations.set(values);
      return this;
    }

    /**
     * Requests an amount of a device's capacity.
     *
     * @param name the capacity's qualified name
     * @param amount for example {@code 10Gi}
     * @return this builder
     * @throws IllegalArgumentException if {@code amount} is not a quantity
     */
    public Builder capacity(String name, String amount) {
      String field = "ExactDeviceRequest.capacity[" + name + "]";
      capacity.put(name, Quantity.parse(Checks.value(field, amount)));
      asksForCapacity = true;
      return this;
    }

    /**
     * Replaces all requested amounts of a device's capacity (KEP-5075).
     *
     * @param requirements the amounts; an empty map differs from absent requirements
     * @return this builder
     */
    public Builder capacity(CapacityRequirements requirements) {
      capacity.set(Checks.value("requirements", requirements).requests());
      asksForCapacity = true;
      return this;
    }

    /**
     * Adds an attribute for constraints.
     *
     * @param name {@code domain/id}
     * @param expression the CEL expression that computes it
     * @return this builder
     */
    public Builder derivedAttribute(String name, String expression) {
      derivedAttributes.add(new DeviceDerivedAttribute(name, expression));
      return this;
    }

    /**
     * Replaces all attributes for constraints (KEP-6080).
     *
     * @param values names and the expressions that compute them
     * @return this builder
     */
    public Builder derivedAttributes(List<DeviceDerivedAttribute> values) {
      derivedAttributes.set(values);
      return this;
    }

    /** {@return the request with the fields set so far} */
    public ExactDeviceRequest build() {
      return new ExactDeviceRequest(
          deviceClassName,
          selectors.get(),
          allocationMode,
          count,
          adminAccess,
          tolerations.get(),
          asksForCapacity ? new CapacityRequirements(capacity.get()) : null,
          derivedAttributes.get());
    }
  }
}
